package blob

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

const (
	// sweepEvery is how often a sweeper looks for what is left over.
	sweepEvery = 6 * time.Hour
	// grace is how old a blob is at least before it is deleted: an upload takes seconds, and a row
	// that was restored from a backup finds its pictures for a day.
	grace = 24 * time.Hour
)

// Folder is one kind of pictures in a store.
type Folder struct {
	Name string
	// Live returns the names right below the folder that a row names.
	Live func(ctx context.Context) (map[string]bool, error)
}

// SweeperOptions are what a Sweeper needs.
type SweeperOptions struct {
	Store   *Store
	Folders []Folder
	Now     func() time.Time
	Log     *slog.Logger
}

// Sweeper deletes what uploads and deletions that broke off have left in a store.
type Sweeper struct{ SweeperOptions }

// NewSweeper returns a sweeper. Every node may have one: deleting twice does no harm.
func NewSweeper(options SweeperOptions) *Sweeper { return &Sweeper{options} }

// Run sweeps now and every six hours until ctx ends. It returns nil: a failure is logged, and the
// next sweep finds what this one left.
func (s *Sweeper) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		deleted, err := s.Sweep(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("sweeping the blob store failed", "error", err.Error())
		}
		if deleted > 0 {
			s.Log.Info("deleted pictures that no row names", "blobs", deleted)
		}
		select {
		case <-ctx.Done():
		case <-time.After(sweepEvery):
		}
	}
	return nil
}

// Sweep sweeps every folder once, and returns how many blobs it deleted.
func (s *Sweeper) Sweep(ctx context.Context) (deleted int, err error) {
	before := s.Now().Add(-grace)
	var failures []error
	for _, folder := range s.Folders {
		live, err := folder.Live(ctx)
		if err != nil {
			failures = append(failures, fmt.Errorf("live pictures of %s: %w", folder.Name, err))
			continue
		}
		gone, err := s.Store.Sweep(ctx, folder.Name, live, before)
		deleted += gone
		failures = append(failures, err)
	}
	return deleted, errors.Join(failures...)
}

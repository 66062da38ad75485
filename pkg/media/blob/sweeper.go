package blob

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

const (
	// sweepEvery is the interval between two sweeps.
	sweepEvery = 6 * time.Hour
	// grace is the minimum age of a deleted blob: an upload takes seconds, and a row that was
	// restored from a backup finds its images for a day.
	grace = 24 * time.Hour
)

// Folder is a kind of images in a store.
type Folder struct {
	Name string
	// Live returns the names directly below the folder that rows use.
	Live func(ctx context.Context) (map[string]bool, error)
}

// SweeperOptions configure a Sweeper.
type SweeperOptions struct {
	Store   *Store
	Folders []Folder
	Now     func() time.Time
	Log     *slog.Logger
}

// Sweeper deletes the blobs that interrupted uploads and deletions left in a store.
type Sweeper struct{ SweeperOptions }

// NewSweeper returns a sweeper. Every node may have one: deleting twice does no harm.
func NewSweeper(options SweeperOptions) *Sweeper { return &Sweeper{options} }

// Run sweeps now and every six hours until ctx ends. It returns nil: a failure is logged, and the
// next sweep finds the leftovers of this one.
func (s *Sweeper) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		deleted, err := s.Sweep(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("sweeping the blob store failed", "error", err.Error())
		}
		if deleted > 0 {
			s.Log.Info("deleted images that no row names", "blobs", deleted)
		}
		select {
		case <-ctx.Done():
		case <-time.After(sweepEvery):
		}
	}
	return nil
}

// Sweep sweeps every folder once, and returns the number of deleted blobs.
func (s *Sweeper) Sweep(ctx context.Context) (deleted int, err error) {
	before := s.Now().Add(-grace)
	var failures []error
	for _, folder := range s.Folders {
		live, err := folder.Live(ctx)
		if err != nil {
			failures = append(failures, fmt.Errorf("live images of %s: %w", folder.Name, err))
			continue
		}
		gone, err := s.Store.Sweep(ctx, folder.Name, live, before)
		deleted += gone
		failures = append(failures, err)
	}
	return deleted, errors.Join(failures...)
}

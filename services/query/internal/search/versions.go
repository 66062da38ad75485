package search

import (
	"context"
	"sync"
	"time"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// confirmPause is the pause of versions.
const confirmPause = 10 * time.Millisecond

// versions finds out which version of the index was counted: the one that was signalled before, if
// the index still has it afterwards. It asks after the answer was sent, for all counts that wait.
// It is safe for concurrent use.
type versions struct {
	heard func() string // the last version that was signalled; "" when unknown
	read  func(context.Context) (string, error)
	pause time.Duration // between two reads: counts of this time share one

	mu      sync.Mutex
	waiting []*cache.IndexVersion
	done    chan struct{} // closed when none waits any more; nil when none does
}

func newVersions(e *engine.Engine, answers *cache.Cache) *versions {
	read := engine.Upkeep(func(ctx context.Context) (string, error) { return e.Version(ctx, document.Dates) })
	return &versions{heard: answers.Version, read: read, pause: confirmPause}
}

// of calls count and returns the version that it counted, which is unknown until it is confirmed;
// nil when it stays unknown.
func (v *versions) of(count func() error) (*cache.IndexVersion, error) {
	before := v.heard()
	if err := count(); err != nil || before == "" {
		return nil, err
	}
	counted := cache.NewIndexVersion(before)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting = append(v.waiting, counted)
	if v.done == nil {
		v.done = make(chan struct{})
		go v.confirm()
	}
	return counted, nil
}

// confirm confirms versions until none waits.
func (v *versions) confirm() {
	for {
		v.mu.Lock()
		waiting := v.waiting
		v.waiting = nil
		if len(waiting) == 0 {
			close(v.done)
			v.done = nil
			v.mu.Unlock()
			return
		}
		v.mu.Unlock()
		current, err := v.read(context.Background()) // within the time of a question
		for _, counted := range waiting {
			if err == nil { // else it is not patched
				counted.Confirm(current)
			}
		}
		<-time.After(v.pause)
	}
}

package cache

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Position is the position up to which the answer to one request is complete.
type Position struct {
	number atomic.Uint64
	least  uint64
}

type positionKey struct{}

// Track returns a context for answering a request, and the position of the answer: the signal's
// present one, or that of the oldest value that the answer is made of. No value is used that is not
// complete up to least.
func (s *Signal) Track(ctx context.Context, least uint64) (context.Context, *Position) {
	position := &Position{least: least}
	position.number.Store(s.Position())
	return context.WithValue(ctx, positionKey{}, position), position
}

// Number returns the position; 0 when it is unknown.
func (p *Position) Number() uint64 { return p.number.Load() }

// lowerPosition records that the answer to the context's request is complete only up to a position.
func lowerPosition(ctx context.Context, to uint64) {
	position, tracked := ctx.Value(positionKey{}).(*Position)
	if !tracked {
		return
	}
	for current := position.number.Load(); to < current; current = position.number.Load() {
		if position.number.CompareAndSwap(current, to) {
			return
		}
	}
}

// minPosition returns the position up to which the answer to the context's request has to be
// complete.
func minPosition(ctx context.Context) uint64 {
	if position, tracked := ctx.Value(positionKey{}).(*Position); tracked {
		return position.least
	}
	return 0
}

// maxWaiting bounds the requests that wait for a position at the same time.
const maxWaiting = 4096

// Await returns the position up to which anything read from now on is complete: the wanted one or a
// greater one, or the one reached when patience or ctx ended. It does not wait when maxWaiting
// requests do.
func (s *Signal) Await(ctx context.Context, wanted uint64, patience time.Duration) (position uint64) {
	if position = s.Position(); position >= wanted {
		return position
	}
	reached, ok := s.waiting.add(wanted)
	if !ok {
		return position
	}
	defer s.waiting.remove(reached)
	if position = s.Position(); position >= wanted { // reached before the request was added
		return position
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-reached:
		return wanted
	case <-timer.C:
	case <-ctx.Done():
	}
	return s.Position()
}

// waiters are the requests that wait for a position. The zero value is ready to use.
type waiters struct {
	mu     sync.Mutex
	wanted map[chan<- struct{}]uint64
}

// add returns a channel that is closed once a position is reached; ok is false when too many wait.
func (w *waiters) add(position uint64) (reached chan struct{}, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.wanted) >= maxWaiting {
		return nil, false
	}
	if w.wanted == nil {
		w.wanted = map[chan<- struct{}]uint64{}
	}
	reached = make(chan struct{})
	w.wanted[reached] = position
	return reached, true
}

func (w *waiters) remove(reached chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.wanted, reached)
}

// reach wakes all requests that wait for a position or a lower one.
func (w *waiters) reach(position uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for reached, wanted := range w.wanted {
		if wanted <= position {
			delete(w.wanted, reached)
			close(reached)
		}
	}
}

package fresh

import (
	"context"
	"sync"
	"time"
)

// mostWaiting bounds how many requests may wait for a position at the same time.
const mostWaiting = 4096

// waiting are the requests that wait until the index is complete up to a position. The zero value
// is ready.
type waiting struct {
	mu    sync.Mutex
	until map[chan<- struct{}]uint64 // what each waits for
}

// reach ends the waiting of all that wait for this position or a lower one.
func (w *waiting) reach(position uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for reached, until := range w.until {
		if until <= position {
			delete(w.until, reached)
			close(reached)
		}
	}
}

// add returns a channel that is closed once a position is reached; ok is false when too many wait.
func (w *waiting) add(position uint64) (reached chan struct{}, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.until) >= mostWaiting {
		return nil, false
	}
	if w.until == nil {
		w.until = map[chan<- struct{}]uint64{}
	}
	reached = make(chan struct{})
	w.until[reached] = position
	return reached, true
}

// remove ends the waiting of one that waits no longer.
func (w *waiting) remove(reached chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.until, reached)
}

// Await returns the position up to which what is read from now on is complete: the wanted one or a
// greater one, or the one that is reached when patience or ctx has ended. It does not wait when
// very many wait already.
func (s *Signal) Await(ctx context.Context, wanted uint64, patience time.Duration) (position uint64) {
	if position = s.Position(); position >= wanted {
		return position
	}
	reached, ok := s.waiting.add(wanted)
	if !ok {
		return position
	}
	defer s.waiting.remove(reached)
	if position = s.Position(); position >= wanted { // heard before the request waited
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

// Package fresh keeps what was read from the index for as long as it is true: a Signal says what
// has changed in the index, a Value keeps one thing that many requests need, a Cache keeps finished
// answers.
package fresh

import (
	"sync"
	"time"

	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/delta"
)

// silence is how long nothing may be heard before nothing is trusted: three missed repetitions.
const silence = 3 * time.Second

// Signal hears the projector's freshness signal. The projector sends after every batch what it has
// altered, numbered, and repeats the number every second: what a number does not account for may
// have altered anything. It is safe for concurrent use; see NewSignal.
type Signal struct {
	now func() time.Time

	hearing   sync.Mutex // one signal at a time
	listeners []func(*delta.Batch)

	mu       sync.Mutex
	last     applied.Signal // without its batch
	heard    time.Time      // zero: never
	reached  time.Time      // when the position of last was heard for the first time
	anything uint64         // batches that may have altered anything
	marks    map[string]uint64

	waiting waiting
}

// NewSignal returns a signal that has heard nothing yet. now is the clock, time.Now outside of
// tests.
func NewSignal(now func() time.Time) *Signal {
	return &Signal{now: now, marks: map[string]uint64{}}
}

// onBatch has fn called with each batch, before anything else is known of it: an answer that claims
// the batch's position must not be one that fn has still to drop.
func (s *Signal) onBatch(fn func(*delta.Batch)) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	s.listeners = append(s.listeners, fn)
}

// Hear takes in a signal of the projector.
func (s *Signal) Hear(what applied.Signal) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	batch := s.news(what)
	if batch != nil {
		for _, listener := range s.listeners {
			listener(batch)
		}
	}
	s.mu.Lock()
	if batch != nil {
		s.mark(batch)
	}
	what.Batch = nil
	now := s.now()
	if s.heard.IsZero() || what.Position != s.last.Position {
		s.reached = now
	}
	s.last, s.heard = what, now
	s.mu.Unlock()
	s.waiting.reach(what.Position)
}

// news returns what a signal says has been altered since the one before; nil when it is nothing.
func (s *Signal) news(what applied.Signal) *delta.Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.heard.IsZero():
		return delta.Everything(delta.Begun)
	case s.now().Sub(s.heard) > silence:
		return delta.Everything(delta.Silence)
	case what.Session != s.last.Session:
		return delta.Everything(delta.Session)
	case what.Batches == s.last.Batches && what.Sequence == s.last.Sequence && what.Batch == nil:
		return nil
	case what.Batches == s.last.Batches && what.Batch == nil && what.Session != "":
		return nil // the stream moved on over messages that altered nothing
	case what.Batch != nil && what.Batches == s.last.Batches+1:
		return delta.New(*what.Batch, s.last.Version, what.Version)
	default:
		return delta.Everything(delta.Gap)
	}
}

func (s *Signal) mark(batch *delta.Batch) {
	if batch.All {
		s.anything++
		return
	}
	for _, index := range batch.Indexes() {
		s.marks[index]++
	}
}

// Position returns the position up to which an answer is complete that is read from now on; 0 when
// it is not known. It stays true in silence: the index only gets newer.
func (s *Signal) Position() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Position
}

// Lag returns Position, and for how long it has been that one: the time in which nothing was
// applied.
func (s *Signal) Lag() (position uint64, since time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Position, s.now().Sub(s.reached)
}

// Mark returns the present mark of some indexes of records, which only grows: two equal marks, both
// alive, mean that none of them changed in between. alive is false when the signal is silent; the
// mark then means nothing.
func (s *Signal) Mark(indexes ...string) (mark uint64, alive bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mark = s.anything
	for _, index := range indexes {
		mark += s.marks[index]
	}
	return mark, s.alive()
}

// Alive reports whether the signal is heard.
func (s *Signal) Alive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alive()
}

func (s *Signal) alive() bool { return !s.heard.IsZero() && s.now().Sub(s.heard) <= silence }

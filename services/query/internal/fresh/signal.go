// Package fresh keeps what was read from the index for as long as it is true: a Signal says whether
// the index may have changed, a Value keeps one thing that many requests need, a Cache keeps
// finished answers.
package fresh

import (
	"sync"
	"time"
)

// silence is how long nothing may be heard before nothing is trusted: three missed repetitions.
const silence = 3 * time.Second

// Signal turns the projector's freshness signal into a mark. The projector sends after every batch
// the sequence that it has applied, and repeats it every second. Two equal marks, both alive, mean
// that the index did not change between them. The zero value is not ready; see NewSignal. It is
// safe for concurrent use.
type Signal struct {
	now func() time.Time

	mu       sync.Mutex
	mark     uint64
	sequence uint64
	position uint64
	heard    time.Time // zero: never

	waiting waiting
}

// NewSignal returns a signal that has heard nothing yet. now is the clock, time.Now outside of
// tests.
func NewSignal(now func() time.Time) *Signal { return &Signal{now: now} }

// Applied is called with every sequence heard. Another sequence than before is a change, and so is
// the end of a silence: what happened meanwhile is unknown.
func (s *Signal) Applied(sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if sequence != s.sequence || now.Sub(s.heard) > silence {
		s.mark++
	}
	s.sequence, s.heard = sequence, now
}

// Complete is called with each position heard, after Applied: the index is complete up to it; 0
// when that is not known.
func (s *Signal) Complete(position uint64) {
	s.mu.Lock()
	s.position = position
	s.mu.Unlock()
	s.waiting.reach(position)
}

// Position returns the position up to which an answer is complete that is read from now on. It
// stays true in silence: the index only gets newer.
func (s *Signal) Position() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.position
}

// Mark returns the present mark, which only grows. alive is false when the signal is silent; the
// mark then means nothing.
func (s *Signal) Mark() (mark uint64, alive bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mark, s.now().Sub(s.heard) <= silence
}

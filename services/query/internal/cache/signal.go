package cache

import (
	"sync"
	"time"

	"litfass/pkg/contracts/applied"
)

// maxSilence is how long the signal may be silent before nothing cached is trusted: three missed
// repetitions.
const maxSilence = 3 * time.Second

// Signal receives the projector's freshness signal. The projector numbers its batches, sends the
// changes of each, and repeats the number every second: a number that does not follow the last one
// means that anything may have changed. It is safe for concurrent use; see NewSignal.
type Signal struct {
	now func() time.Time

	hearing   sync.Mutex // one signal at a time
	listeners []func(*Batch)

	mu      sync.Mutex
	last    applied.Signal // without its batch
	heard   time.Time      // zero: never
	reached time.Time      // when the position of last was first heard
	// generations count the batches that wrote records of an index such that values may differ, and
	// unlisted the batches that may have changed anything.
	generations map[string]uint64
	unlisted    uint64

	waiting waiters

	completed []func()
}

// Complete is how far the index is complete.
type Complete struct {
	Stream   string // identity of the stream of changes
	Sequence uint64 // on it, up to which the index has every change; 0: not known
	Position uint64 // up to which the index is complete with them
}

// NewSignal returns a signal that has heard nothing yet. now is the clock, time.Now outside of
// tests.
func NewSignal(now func() time.Time) *Signal {
	return &Signal{now: now, generations: map[string]uint64{}}
}

// onBatch registers fn for each batch. It is called before the batch's position is visible: no
// answer that claims the position may be one that fn has yet to invalidate.
func (s *Signal) onBatch(fn func(*Batch)) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	s.listeners = append(s.listeners, fn)
}

// Hear processes a signal of the projector.
func (s *Signal) Hear(signal applied.Signal) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	batch := s.batchOf(signal)
	if batch != nil {
		s.outdate(batch)
		for _, listener := range s.listeners {
			listener(batch)
		}
	}
	s.mu.Lock()
	signal.Batch = nil
	further := signal.Complete != s.last.Complete || signal.Stream != s.last.Stream
	now := s.now()
	if s.heard.IsZero() || signal.Position != s.last.Position {
		s.reached = now
	}
	s.last, s.heard = signal, now
	s.mu.Unlock()
	s.waiting.reach(signal.Position)
	if further {
		for _, fn := range s.completed {
			fn()
		}
	}
}

// OnComplete registers fn to be called whenever Complete is another one. It must not block.
func (s *Signal) OnComplete(fn func()) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	s.completed = append(s.completed, fn)
}

// Complete returns how far the index is complete.
func (s *Signal) Complete() Complete {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Complete{s.last.Stream, s.last.Complete, s.last.Position}
}

// outdate outdates the values that a batch may change. It is called before the batch is applied to
// answers: one loaded afterwards may be made of values, and the batch is not applied to it.
func (s *Signal) outdate(batch *Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if batch.all {
		s.unlisted++
		return
	}
	for index := range batch.records {
		if batch.rewrites(index, valued...) {
			s.generations[index]++
		}
	}
}

// valued are the attributes of venues and organizations that values are made of: lists of names,
// and the map.
var valued = []string{"name", "city", nameAttribute, "lat", "lon"}

// batchOf returns the changes between the last signal and this one; nil if there are none.
func (s *Signal) batchOf(signal applied.Signal) *Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.heard.IsZero():
		return everything(Begun)
	case s.now().Sub(s.heard) > maxSilence:
		return everything(Silence)
	case signal.Session != s.last.Session:
		return everything(Session)
	case signal.Batches == s.last.Batches && signal.Sequence == s.last.Sequence && signal.Batch == nil:
		return nil
	case signal.Batches == s.last.Batches && signal.Batch == nil && signal.Session != "":
		return nil // the stream advanced over messages that changed nothing
	case signal.Batch != nil && signal.Batches == s.last.Batches+1:
		return NewBatch(*signal.Batch, s.last.Version, signal.Version)
	default:
		return everything(Gap)
	}
}

// Position returns the position up to which anything read from now on is complete; 0 when it is
// unknown. It stays valid in silence: the index only gets newer.
func (s *Signal) Position() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Position
}

// Version returns the version of the index of dates after the last batch; "" when it is unknown.
func (s *Signal) Version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Version
}

// Lag returns the position and the time since it was reached, during which nothing was applied.
func (s *Signal) Lag() (position uint64, since time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Position, s.now().Sub(s.reached)
}

// generation returns a number that grows with every batch that may have written records of the
// indexes. alive is false when the signal is silent; the number then means nothing.
func (s *Signal) generation(indexes ...string) (generation uint64, alive bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	generation = s.unlisted
	for _, index := range indexes {
		generation += s.generations[index]
	}
	return generation, s.alive()
}

// Alive reports whether the signal is heard.
func (s *Signal) Alive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alive()
}

func (s *Signal) alive() bool { return !s.heard.IsZero() && s.now().Sub(s.heard) <= maxSilence }

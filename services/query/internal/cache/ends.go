package cache

import (
	"context"
	"math"
	"sync"
	"time"
)

// endsAttribute is the time from which on a date is over, in Unix seconds.
const endsAttribute = "ends_at"

// Ends knows the ends of dates around the present moment. Between two of them no date becomes over,
// so that answers without what is over stay as they are. It is safe for concurrent use.
type Ends struct {
	signal *Signal
	now    func() time.Time
	load   func(ctx context.Context, now int64) (Lull, error)

	mu      sync.Mutex
	current Lull
	batches uint64 // that were heard
}

// Lull is a time in which no date ends, in Unix seconds: from the last end, 0 for none, until just
// before the next one.
type Lull struct{ Last, Next int64 }

// Endless is the next end where there is none.
const Endless = math.MaxInt64

// holds reports whether a moment is in the lull.
func (l Lull) holds(now int64) bool { return l.Last <= now && now < l.Next }

// NewEnds returns the ends of an index, from which load reads those around a moment. now is the
// clock, time.Now outside of tests.
func NewEnds(
	signal *Signal, now func() time.Time, load func(ctx context.Context, now int64) (Lull, error),
) *Ends {
	e := &Ends{signal: signal, now: now, load: load}
	signal.onBatch(e.hear)
	return e
}

// hear forgets the lull if a date ends in it after a batch.
func (e *Ends) hear(batch *Batch) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.batches++
	if batch.all {
		e.current = Lull{}
		return
	}
	for _, c := range batch.changes {
		if c.after == nil {
			continue
		}
		if end := int64(c.after.number(endsAttribute)); e.current.Last < end && end < e.current.Next {
			e.current = Lull{}
		}
	}
}

// Now returns the lull that the present moment is in. The error is load's.
func (e *Ends) Now(ctx context.Context) (Lull, error) {
	now := e.now().Unix()
	e.mu.Lock()
	current, batches := e.current, e.batches
	e.mu.Unlock()
	if current.holds(now) && e.signal.Alive() {
		return current, nil
	}
	loaded, err := e.load(ctx, now)
	if err != nil {
		return Lull{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.batches == batches { // else a date may end in it that was not there yet
		e.current = loaded
	}
	return loaded, nil
}

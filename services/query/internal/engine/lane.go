package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"litfass/pkg/chassis/fault"
)

// queued is the length of a lane's queue per question in flight. An engine that answers 1,000
// searches a second, 16 at a time, empties a full queue in a quarter of a second.
const queued = 16

// patience is the maximum time that a question waits for its turn.
const patience = time.Second

// lane bounds the questions in flight to the engine, and the questions that wait for them. A higher
// concurrency does not increase the engine's throughput; each question only takes longer. It is
// safe for concurrent use.
type lane struct {
	name       string
	slots      *semaphore.Weighted // first come, first served
	maxWaiting int64
	patience   time.Duration

	running, waiting         atomic.Int64
	refusedFull, refusedLate atomic.Uint64
	waited                   func(time.Duration)
}

func newLane(name string, concurrency int, waited func(time.Duration)) *lane {
	return &lane{
		name: name, slots: semaphore.NewWeighted(int64(concurrency)), maxWaiting: int64(concurrency * queued),
		patience: patience, waited: waited,
	}
}

// enter waits for a turn, and returns the function to call after the answer. The error is an
// Unavailable fault when too many questions wait or the wait was too long, and the context's when
// that was cancelled: the question must not be sent then.
func (l *lane) enter(ctx context.Context) (leave func(), err error) {
	if !l.slots.TryAcquire(1) {
		if err := l.wait(ctx); err != nil {
			return nil, err
		}
	}
	l.running.Add(1)
	return l.leave, nil
}

func (l *lane) leave() {
	l.running.Add(-1)
	l.slots.Release(1)
}

// wait takes a slot when it is this question's turn.
func (l *lane) wait(ctx context.Context) error {
	defer l.waiting.Add(-1)
	if l.waiting.Add(1) > l.maxWaiting {
		l.refusedFull.Add(1)
		return overloaded()
	}
	started := time.Now()
	turn, cancel := context.WithTimeout(ctx, l.patience)
	defer cancel()
	err := l.slots.Acquire(turn, 1)
	l.waited(time.Since(started))
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	l.refusedLate.Add(1)
	return overloaded()
}

func overloaded() error {
	return fault.Overloaded("too many searches are waiting; try again in a moment")
}

package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"litfass/pkg/chassis/fault"
)

// queued is how many questions may wait in a lane for each that may be with the engine. A queue of
// that length is worked off in a quarter of a second by an engine that answers 1,000 searches a
// second 16 at a time.
const queued = 16

// patience is how long a question waits for its turn, however slow the engine is.
const patience = time.Second

// lane bounds how many questions are with the engine at once, and how many wait behind them. The
// engine answers no more of them in a second when it is asked more at once; only each takes longer.
// It is safe for concurrent use.
type lane struct {
	name     string
	slots    *semaphore.Weighted // first come, first served
	most     int64               // that may wait
	patience time.Duration

	running, waiting         atomic.Int64
	refusedFull, refusedLate atomic.Uint64
	waited                   func(time.Duration)
}

func newLane(name string, concurrency int, waited func(time.Duration)) *lane {
	return &lane{
		name: name, slots: semaphore.NewWeighted(int64(concurrency)), most: int64(concurrency * queued),
		patience: patience, waited: waited,
	}
}

// enter waits until the engine may be asked a question, and returns the function that must be
// called once it has answered. The error is an Unavailable fault when too many wait already or the
// wait was too long, and the context's when that was cancelled: the question must not be asked
// then.
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

// wait takes a slot as soon as it is this question's turn.
func (l *lane) wait(ctx context.Context) error {
	defer l.waiting.Add(-1)
	if l.waiting.Add(1) > l.most {
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

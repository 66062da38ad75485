// Package memo keeps small values read from the index that many requests need, such as all value sets.
package memo

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

// Signal tells whether the index may have changed: not between two equal marks that are both alive.
type Signal interface {
	Mark() (mark uint64, alive bool)
}

const (
	// young is the age up to which a value is shown whatever the signal says, so that a stream of changes to events does
	// not make every request read the value sets anew.
	young = time.Second
	// old is the age from which a value is read anew whatever the signal says.
	old = time.Minute
	// reading bounds one reading. It goes on when the request that began it gives up.
	reading = 10 * time.Second
)

// Value is one kept value. It is safe for concurrent use; what it returns is shared and must not be changed.
type Value[T any] struct {
	signal Signal
	load   func(ctx context.Context) (T, error)
	now    func() time.Time

	kept   atomic.Pointer[kept[T]]
	flight singleflight.Group
}

type kept[T any] struct {
	value T
	since time.Time
	mark  uint64
	alive bool
}

// New returns a value that load reads when it is first asked for. now is the clock, time.Now outside of tests.
func New[T any](signal Signal, now func() time.Time, load func(ctx context.Context) (T, error)) *Value[T] {
	return &Value[T]{signal: signal, load: load, now: now}
}

// Get returns the value: at most a second old when the index has changed or nothing is known of it, at most a minute
// otherwise. Several who ask at the same time wait for one reading. The error is load's, or the context's.
func (v *Value[T]) Get(ctx context.Context) (T, error) {
	if now := v.kept.Load(); v.fresh(now) {
		return now.value, nil
	}
	var none T
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case result := <-v.flight.DoChan("", func() (any, error) { return v.read(ctx) }):
		if result.Err != nil {
			return none, result.Err
		}
		return result.Val.(*kept[T]).value, nil
	}
}

func (v *Value[T]) fresh(k *kept[T]) bool {
	if k == nil {
		return false
	}
	age := v.now().Sub(k.since)
	mark, alive := v.signal.Mark()
	return age < young || (age < old && alive && k.alive && mark == k.mark)
}

// read notes time and mark before it loads: what changes meanwhile makes the value old at once. Whoever looked just before
// another reading ended need not read once more.
func (v *Value[T]) read(ctx context.Context) (*kept[T], error) {
	if now := v.kept.Load(); v.fresh(now) {
		return now, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reading)
	defer cancel()
	next := &kept[T]{since: v.now()}
	next.mark, next.alive = v.signal.Mark()
	var err error
	if next.value, err = v.load(ctx); err != nil {
		return nil, err
	}
	v.kept.Store(next)
	return next, nil
}

// Package budget bounds the work of reading what others have written: a short file may describe
// work without an end.
package budget

import (
	"context"
	"errors"
)

// ErrSpent is the error of a budget of which nothing is left.
var ErrSpent = errors.New("the work is more than its budget")

// askEvery is after how many steps a budget asks whether its context has ended.
const askEvery = 1_000

// Budget is a number of steps that a piece of work may take while its context lasts. A step is
// about ten nanoseconds of work. A nil Budget is without bounds. It is of one goroutine.
type Budget struct {
	whole *Budget      // of which it is a part; nil for a whole one
	ended func() error // of the context
	left  int
	steps int // until the context is asked
	err   error
}

// New returns a budget of so many steps.
func New(ctx context.Context, steps int) *Budget { return &Budget{ended: ctx.Err, left: steps} }

// Part returns a budget that is part of b: it ends after so many steps, and with b.
func (b *Budget) Part(steps int) *Budget {
	if b == nil {
		return nil
	}
	return &Budget{whole: b, ended: b.ended, left: steps}
}

// Spend takes steps, and reports whether the work goes on.
func (b *Budget) Spend(steps int) bool {
	if b == nil {
		return true
	}
	if b.err != nil {
		return false
	}
	b.left -= steps
	b.steps -= steps
	switch {
	case b.left < 0:
		b.err = ErrSpent
	case b.whole != nil && !b.whole.Spend(steps):
		b.err = b.whole.err
	case b.whole == nil && b.steps < 0:
		b.steps, b.err = askEvery, b.ended()
	}
	return b.err == nil
}

// Err returns why the work ends: ErrSpent, the error of the context, or nil while it goes on.
func (b *Budget) Err() error {
	if b == nil {
		return nil
	}
	return b.err
}

package fresh

import (
	"context"
	"sync/atomic"
)

// Position is the position up to which the answer to one request is complete (RULES.md, Freshness).
type Position struct {
	number atomic.Uint64
	least  uint64
}

type positionKey struct{}

// Watch returns a context for answering a request, and the position of the answer: that of the
// signal now, or the lower one of an older value that the answer is made of, but of none that is
// not complete up to least.
func (s *Signal) Watch(ctx context.Context, least uint64) (context.Context, *Position) {
	position := &Position{least: least}
	position.number.Store(s.Position())
	return context.WithValue(ctx, positionKey{}, position), position
}

// Number returns the position; 0 when it is not known.
func (p *Position) Number() uint64 { return p.number.Load() }

// lower notes that the request of the context is answered with what is complete only up to a
// position.
func lower(ctx context.Context, to uint64) {
	position, watched := ctx.Value(positionKey{}).(*Position)
	if !watched {
		return
	}
	for known := position.number.Load(); to < known; known = position.number.Load() {
		if position.number.CompareAndSwap(known, to) {
			return
		}
	}
}

// leastOf returns up to which position the answer to the request of the context has to be complete.
func leastOf(ctx context.Context) uint64 {
	if position, watched := ctx.Value(positionKey{}).(*Position); watched {
		return position.least
	}
	return 0
}

package postgres

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// Position is the greatest number of the transactions that were committed with a context of Track.
// Numbers grow in the order in which transactions begin to write, not in the order in which they
// commit.
type Position struct{ number atomic.Uint64 }

// Number returns the position; 0 when no transaction was committed.
func (p *Position) Number() uint64 { return p.number.Load() }

// note takes in that a transaction was committed.
func (p *Position) note(number uint64) {
	for known := p.number.Load(); number > known; known = p.number.Load() {
		if p.number.CompareAndSwap(known, number) {
			return
		}
	}
}

type positionKey struct{}

// Track returns a context with which InTx notes the transactions that it commits.
func Track(ctx context.Context) (context.Context, *Position) {
	position := &Position{}
	return context.WithValue(ctx, positionKey{}, position), position
}

const selectNumber = `
SELECT pg_current_xact_id()::text::bigint`

// numbered returns fn followed by reading the transaction's number, if the context tracks it, and
// what notes that number once the transaction is committed.
func numbered(ctx context.Context, fn func(tx pgx.Tx) error) (run func(tx pgx.Tx) error, committed func()) {
	position, tracked := ctx.Value(positionKey{}).(*Position)
	if !tracked {
		return fn, func() {}
	}
	var number int64
	run = func(tx pgx.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, selectNumber).Scan(&number); err != nil {
			return fmt.Errorf("read the transaction's number: %w", err)
		}
		return nil
	}
	return run, func() { position.note(uint64(number)) }
}

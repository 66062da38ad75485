package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// Position is the greatest number of the transactions that were committed with a context of Track:
// PostgreSQL's transaction id plus the base of positions. Numbers grow in the order in which
// transactions begin to write, not in which they commit.
type Position struct{ number atomic.Uint64 }

// Number returns the position; 0 when no transaction was committed.
func (p *Position) Number() uint64 { return p.number.Load() }

// note raises the position to that of a committed transaction.
func (p *Position) note(number uint64) {
	for known := p.number.Load(); number > known; known = p.number.Load() {
		if p.number.CompareAndSwap(known, number) {
			return
		}
	}
}

const raisePositions = `
SELECT setval('position_base', greatest(
    last_value,
    $1::bigint - pg_snapshot_xmax(pg_current_snapshot())::text::bigint
))
FROM position_base`

// RaisePositions continues the numbers of transactions from the microseconds of now, which are
// greater than any former number, since these grow by one for each transaction. It is for a
// database that was restored, possibly into a cluster with smaller transaction ids.
func (db *DB) RaisePositions(ctx context.Context, now time.Time) error {
	if _, err := db.Exec(ctx, raisePositions, now.UnixMicro()); err != nil {
		return fmt.Errorf("raise the positions: %w", err)
	}
	return nil
}

type positionKey struct{}

// Track returns a context in which InTx stores the position of its transactions.
func Track(ctx context.Context) (context.Context, *Position) {
	position := &Position{}
	return context.WithValue(ctx, positionKey{}, position), position
}

const selectNumber = `
SELECT pg_current_xact_id()::text::bigint + (SELECT last_value FROM position_base)`

// numbered returns fn followed by reading the transaction's number, if the context tracks it, and a
// function to call after the commit, which stores that number.
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

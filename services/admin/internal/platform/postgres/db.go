// Package postgres opens PostgreSQL: a pool of connections, transactions that run again when
// another one was in their way, errors in the words of package fault, and the schema's migration.
// It knows no table; packages store and outbox do, and those of the people.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is a pool of connections to the database.
type DB struct {
	pool *pgxpool.Pool
}

// Open returns a pool for the address (a URL or a DSN as pgx reads it). It does not wait for the
// server: a first query or Ping shows whether it answers.
func Open(ctx context.Context, address string) (*DB, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	config.ConnConfig.RuntimeParams["timezone"] = "UTC" // of times that travel in JSON
	config.ConnConfig.RuntimeParams["jit"] = "off"      // plans against enable_seqscan, see PlanOnce, would be compiled
	config.AfterConnect = readUTC
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return &DB{pool: pool}, nil
}

// readUTC makes times come from the database in UTC: what the service answers must not depend on
// where its machine stands.
func readUTC(_ context.Context, connection *pgx.Conn) error {
	connection.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

// Close waits for running transactions and closes every connection.
func (db *DB) Close() { db.pool.Close() }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.pool.Ping(ctx) }

// Pool is the pool itself, for work that needs a connection of its own, such as listening or a
// session's lock.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// ErrRetry makes InTx run its function again in a new transaction: what was read has changed since.
var ErrRetry = errors.New("another transaction wrote the same rows")

// attempts is how often a transaction that was refused for another one's sake is tried in all.
const attempts = 10

// InTx runs fn in a read-committed transaction and commits it. A transaction that PostgreSQL gives
// up in favour of another one (deadlock, serialization failure) or whose fn returns ErrRetry runs
// again from the start, so fn must have no effects outside of it. Any other error of fn rolls back
// and is returned as it is. A database that cannot be reached is a fault of kind Unavailable. The
// number of the committed transaction is noted in the context's Position; see Track.
func (db *DB) InTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return db.inTx(ctx, pgx.TxOptions{}, fn)
}

// PlanOnce makes the statements of the rest of a transaction be planned once for each connection
// and reach their rows through indexes. Left to itself, PostgreSQL plans a statement with a list of
// keys again each time, because a list of one key costs less than the ten that a plan for any list
// expects; for the statements of an event that takes longer than running them. A plan that is kept
// may stem from a time when its tables were empty, where reading them whole was cheapest.
const PlanOnce = `
SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL enable_seqscan = off`

// InKeyedTx is InTx for statements that name the rows that they read and write by their keys, a few
// at a time.
func (db *DB) InKeyedTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return db.inTx(ctx, pgx.TxOptions{BeginQuery: "BEGIN;" + PlanOnce}, fn)
}

func (db *DB) inTx(ctx context.Context, options pgx.TxOptions, fn func(tx pgx.Tx) error) error {
	run, committed := numbered(ctx, fn)
	var err error
	for attempt := range attempts {
		if err = pgx.BeginTxFunc(ctx, db.pool, options, run); err == nil {
			committed()
			return nil
		}
		if !retryable(err) {
			return asUnavailable(err)
		}
		if wait(ctx, attempt) != nil {
			return err
		}
	}
	return fmt.Errorf("gave up after %d attempts: %w", attempts, err)
}

// ReadTx runs fn in a read-only transaction in which every query sees the state of one moment.
func (db *DB) ReadTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return asUnavailable(pgx.BeginTxFunc(ctx, db.pool, options, fn))
}

func retryable(err error) bool {
	if errors.Is(err, ErrRetry) {
		return true
	}
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == serializationFailure || refused.Code == deadlockDetected)
}

// wait sleeps a random while that grows with the attempts, so that two transactions do not meet
// again at once.
func wait(ctx context.Context, attempt int) error {
	longest := 5 * time.Millisecond << min(attempt, 6)
	timer := time.NewTimer(rand.N(longest))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

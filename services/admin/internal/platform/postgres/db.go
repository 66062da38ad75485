// Package postgres connects to PostgreSQL: a pool of connections, transactions that are retried
// after a conflict, errors as faults, and the migration of the schema. It contains no tables; the
// packages that own them do.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"litfass/pkg/chassis/fault"
)

// DB is a pool of connections to the database.
type DB struct {
	pool    *pgxpool.Pool
	overdue *overdue
}

// Open returns a pool for the address (a URL or a DSN as pgx reads it). It does not connect yet:
// the first query or Ping does.
func Open(ctx context.Context, address string) (*DB, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	config.ConnConfig.RuntimeParams["timezone"] = "UTC" // of times in JSON
	config.ConnConfig.RuntimeParams["jit"] = "off"      // plans against enable_seqscan, see PlanOnce, would be compiled
	if _, given := config.ConnConfig.RuntimeParams[lockTimeout]; !given {
		config.ConnConfig.RuntimeParams[lockTimeout] = milliseconds(maxWait)
	}
	config.AfterConnect = readUTC
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return &DB{pool, &overdue{config: pool.Config().ConnConfig, sessions: map[*session]bool{}}}, nil
}

// readUTC makes pgx return times in UTC: answers must not depend on the time zone of the machine.
func readUTC(_ context.Context, connection *pgx.Conn) error {
	connection.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

// maxWait is the maximum time that a transaction waits for a connection and all of its locks: a
// client gets the answer that others are at work within five seconds. A transaction that has worked
// for longer goes on, but waits for no further lock.
const maxWait = 4 * time.Second

const lockTimeout = "lock_timeout"

// milliseconds writes a duration as a setting; at least 1, since 0 means no limit.
func milliseconds(d time.Duration) string { return strconv.FormatInt(max(d.Milliseconds(), 1), 10) }

// lease is a connection of the pool in the hands of one transaction or statement.
type lease struct {
	*pgxpool.Conn
	end func() // of its watch
}

// Release returns the connection to the pool; once, later calls do nothing.
func (l lease) Release() {
	l.end()
	l.Conn.Release()
}

// acquire returns a connection of the pool, which the caller releases, for work that began at a
// time: from then on it waits for maxWait, for the connection and for locks. The fault is
// Unavailable, with the code busy when that time is over and the pool has connections.
func (db *DB) acquire(ctx context.Context, began time.Time) (lease, error) {
	waiting, cancel := context.WithDeadline(ctx, began.Add(maxWait))
	defer cancel()
	conn, err := db.pool.Acquire(waiting)
	switch {
	case err == nil:
		return lease{conn, db.overdue.watch(conn.Conn().PgConn().PID(), maxWait-time.Since(began))}, nil
	case errors.Is(err, context.DeadlineExceeded):
		// A transaction that is tried again may have little of its time left, with connections to
		// spare.
		if stat := db.pool.Stat(); stat.AcquiredConns()+stat.IdleConns() > 0 {
			return lease{}, errBusy(err, tooMuchAtOnce)
		}
	}
	return lease{}, asUnavailable(err)
}

// Close waits for running transactions and closes every connection.
func (db *DB) Close() { db.pool.Close() }

// pingWait is how long a ping waits for a connection of the pool.
const pingWait = 500 * time.Millisecond

// Ping returns an error when the database does not answer. A pool that is used up is no reason:
// then a connection of its own asks.
func (db *DB) Ping(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, pingWait)
	defer cancel()
	err := db.pool.Ping(waiting)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return asUnavailable(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return conn.Ping(ctx)
}

// Pool is the underlying pool, for work that needs a dedicated connection, such as listening or a
// session's lock.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// ErrRetry makes InTx run its function again in a new transaction, because a row that it read has
// changed.
var ErrRetry = errors.New("another transaction wrote the same rows")

// attempts is the maximum number of attempts at a transaction that conflicts with others.
const attempts = 10

// InTx runs fn in a read-committed transaction and commits it. After a deadlock, a serialization
// failure or ErrRetry from fn, it is retried from the start, so fn must have no other effects, and
// once after it referred to a missing row, which was there when fn read it. Any other error of fn
// rolls back and is returned unchanged. The faults are Unavailable: with the code
// busy when the transaction waited too long for others, or conflicted with them again and again;
// with the code database_unavailable when the database cannot be reached. The number of the
// committed transaction is stored in the context's Position; see Track.
func (db *DB) InTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return db.inTx(ctx, "BEGIN", fn)
}

// PlanOnce makes PostgreSQL plan the statements in the rest of a transaction once for each
// connection, with indexes. By default it plans a statement with a list of keys each time, because
// a list of one key costs less than the ten that a generic plan expects; for the statements of an
// event, planning takes longer than execution. Without enable_seqscan off, a cached plan may date
// from when its tables were empty, where a sequential scan was cheapest.
const PlanOnce = `
SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL enable_seqscan = off`

// InKeyedTx is InTx for statements that read and write a few rows by their keys.
func (db *DB) InKeyedTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return db.inTx(ctx, "BEGIN;"+PlanOnce, fn)
}

func (db *DB) inTx(ctx context.Context, begin string, fn func(tx pgx.Tx) error) error {
	run, committed := numbered(ctx, fn)
	began, err := time.Now(), error(nil)
	for attempt := 0; attempt < attempts && time.Since(began) < maxWait; attempt++ {
		if err = db.try(ctx, begin, began, run); err == nil {
			committed()
			return nil
		}
		if !retryable(err) && (attempt > 0 || !missesRow(err)) {
			return asUnavailable(err)
		}
		if wait(ctx, attempt) != nil {
			return err
		}
	}
	return errBusy(fmt.Errorf("gave up after %s: %w", time.Since(began), err), othersSave)
}

// try runs a transaction once. It waits for others until maxWait after it first began.
func (db *DB) try(ctx context.Context, begin string, began time.Time, fn func(tx pgx.Tx) error) error {
	conn, err := db.acquire(ctx, began)
	if err != nil {
		return err
	}
	defer conn.Release()
	return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{BeginQuery: begin}, fn)
}

// ReadTx runs fn in a read-only transaction in which all queries see the same snapshot.
func (db *DB) ReadTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	conn, err := db.acquire(ctx, time.Now())
	if err != nil {
		return err
	}
	defer conn.Release()
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return asUnavailable(pgx.BeginTxFunc(ctx, conn, options, fn))
}

func retryable(err error) bool {
	if errors.Is(err, ErrRetry) {
		return true
	}
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == serializationFailure || refused.Code == deadlockDetected)
}

// missesRow reports whether the database refused a reference to a row, and fn made no fault of it.
func missesRow(err error) bool {
	var known *fault.Fault
	var refused *pgconn.PgError
	return !errors.As(err, &known) && errors.As(err, &refused) && refused.Code == foreignKeyViolation
}

// wait sleeps for a random time that grows with the attempts, so that two transactions do not
// conflict again.
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

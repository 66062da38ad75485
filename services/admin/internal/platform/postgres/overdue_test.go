package postgres_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

const (
	insertRows = `INSERT INTO outbox (kind, entity_id) SELECT 'event', n FROM generate_series(0, 3) AS n`
	lockRow    = `SELECT FROM outbox WHERE entity_id = $1 FOR UPDATE`
	lockRows   = `SELECT FROM outbox WHERE entity_id = ANY('{0,1,2,3}') ORDER BY entity_id FOR UPDATE`

	// The seconds that a session of the database has waited: in its transaction, and for one lock.
	waitedInAll = `
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8
FROM pg_stat_activity
WHERE datname = current_database()
  AND wait_event_type = 'Lock'`

	waitedForOne = `
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8
FROM pg_locks
WHERE NOT granted
  AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`
)

// TestWaitsInTurnAreBusy: a transaction waits for all of its locks together no longer than for one.
func TestWaitsInTurnAreBusy(t *testing.T) {
	t.Parallel()
	for name, lock := range map[string]func(tx pgx.Tx) error{
		"one statement": func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), lockRows)
			return err
		},
		"a statement for each": func(tx pgx.Tx) error {
			for row := range 4 {
				if _, err := tx.Exec(t.Context(), lockRow, strconv.Itoa(row)); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, letGo := newHeldRows(t)
			done := make(chan error, 1)
			go func() { done <- db.InTx(t.Context(), lock) }()
			for row := range 4 { // unbounded, it gets the last one
				if ended, err := until(t, db, waitedForOne, 3, done); ended {
					wantBusy(t, name, err)
					return
				}
				letGo[row]()
			}
			wantBusy(t, name, <-done)
		})
	}
}

// TestQueueIsBusy: PostgreSQL lets one transaction wait for a row and all others for that one.
func TestQueueIsBusy(t *testing.T) {
	t.Parallel()
	db, letGo := newHeldRows(t)
	const waiters = 6
	done := make(chan error, waiters)
	for range waiters {
		go func() {
			done <- db.InTx(t.Context(), func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), lockRow, "0")
				return err
			})
		}()
	}
	for left := waiters; left > 0; left-- {
		ended, err := until(t, db, waitedInAll, 6, done)
		if !ended { // in vain for too long: it gets the row
			letGo[0]()
			err = <-done
		}
		wantBusy(t, "a waiter", err)
	}
}

// newHeldRows returns a database with four rows that others have locked, and a function for each
// that unlocks it.
func newHeldRows(t *testing.T) (db *postgres.DB, letGo []func()) {
	t.Helper()
	_, address := storetest.New(t)
	db, err := postgres.Open(t.Context(), address+"&pool_max_conns=12")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	if _, err := db.Exec(t.Context(), insertRows); err != nil {
		t.Fatal(err)
	}
	for row := range 4 {
		tx, err := db.Pool().Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		let := func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }
		t.Cleanup(let)
		if _, err := tx.Exec(t.Context(), lockRow, strconv.Itoa(row)); err != nil {
			t.Fatal(err)
		}
		letGo = append(letGo, let)
	}
	return db, letGo
}

// until waits until a session has waited for some seconds, or a result comes before.
func until(t *testing.T, db *postgres.DB, waited string, seconds float64, done <-chan error) (ended bool, err error) {
	t.Helper()
	for {
		var longest float64
		if err := db.QueryRow(t.Context(), waited).Scan(&longest); err != nil {
			t.Fatal(err)
		}
		if longest >= seconds {
			return false, nil
		}
		select {
		case err := <-done:
			return true, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func wantBusy(t *testing.T, name string, err error) {
	t.Helper()
	if f := fault.Of(err); f.Kind != fault.Unavailable || f.Code != "busy" || f.RetryAfter == 0 {
		t.Errorf("%s: %v", name, err)
	}
}

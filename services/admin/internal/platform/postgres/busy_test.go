package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

const lockOutbox = `LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE`

// TestWaitingForOthersIsBusy: a database that answers is not one that cannot be reached.
func TestWaitingForOthersIsBusy(t *testing.T) {
	t.Parallel()
	db, address := storetest.New(t)
	few, err := postgres.Open(t.Context(), address+"&pool_max_conns=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(few.Close)
	for _, pool := range []*postgres.DB{db, few} {
		held, err := pool.Pool().Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = held.Rollback(context.WithoutCancel(t.Context())) }()
		if pool == db {
			if _, err := held.Exec(t.Context(), lockOutbox); err != nil {
				t.Fatal(err)
			}
		}
	}
	var waiting sync.WaitGroup
	for name, do := range map[string]func() error{
		"a lock in a transaction": func() error {
			return db.InTx(t.Context(), func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), "DELETE FROM outbox")
				return err
			})
		},
		"a lock of a statement": func() error {
			_, err := db.Exec(t.Context(), "DELETE FROM outbox")
			return err
		},
		"a lock of a query": func() error {
			_, err := postgres.Collect[string](t.Context(), db, "outbox", "SELECT kind FROM outbox")
			return err
		},
		"a cancelled statement": func() error {
			return db.InTx(t.Context(), func(tx pgx.Tx) error {
				if _, err := tx.Exec(t.Context(), "SET LOCAL statement_timeout = 1"); err != nil {
					return err
				}
				_, err := tx.Exec(t.Context(), "SELECT pg_sleep(60)")
				return err
			})
		},
		"deadlocks without end": func() error {
			return db.InTx(t.Context(), func(pgx.Tx) error { return &pgconn.PgError{Code: "40P01"} })
		},
		"a connection": func() error {
			return few.ReadTx(t.Context(), func(pgx.Tx) error { return nil })
		},
	} {
		waiting.Go(func() {
			wantBusy(t, name, do())
		})
	}
	waiting.Wait()
}

// TestTimeThatIsUsedUpIsBusy: a transaction that is tried again may have no time left for a
// connection, although some are free.
func TestTimeThatIsUsedUpIsBusy(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantBusy(t, "a connection", db.Acquire(t.Context(), time.Now().Add(-time.Hour)))
}

// TestConnectionsAreReturned: by every way of running a statement, also after an error.
func TestConnectionsAreReturned(t *testing.T) {
	t.Parallel()
	_, address := storetest.New(t)
	db, err := postgres.Open(t.Context(), address+"&pool_max_conns=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	var one int
	for range 3 {
		for _, sql := range []string{"SELECT 1", "SELECT 1 WHERE false", "SELECT 1/0", "SELECT nothing", "SELECT 1 UNION ALL SELECT 2"} {
			_ = db.QueryRow(t.Context(), sql).Scan(&one)
			_ = db.QueryRow(t.Context(), sql).Scan(&one, &one)
			_, _ = db.Exec(t.Context(), sql)
			_, _ = postgres.Collect[int](t.Context(), db, "numbers", sql)
			_ = db.InTx(t.Context(), func(tx pgx.Tx) error { return tx.QueryRow(t.Context(), sql).Scan(&one) })
			_ = db.ReadTx(t.Context(), func(tx pgx.Tx) error { return tx.QueryRow(t.Context(), sql).Scan(&one) })
		}
	}
	if acquired := db.Pool().Stat().AcquiredConns(); acquired != 0 {
		t.Errorf("%d connections are in use", acquired)
	}
}

// TestAUsedUpPoolIsBusy: requests whose time ends while they wait for a connection get that answer,
// and the database still counts as ready.
func TestAUsedUpPoolIsBusy(t *testing.T) {
	t.Parallel()
	_, address := storetest.New(t)
	few, err := postgres.Open(t.Context(), address+"&pool_max_conns=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(few.Close)
	held, err := few.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Rollback(context.WithoutCancel(t.Context())) }()
	ctx, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer end()
	wantBusy(t, "a request", few.ReadTx(ctx, func(pgx.Tx) error { return nil }))
	if err := few.Ping(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
}

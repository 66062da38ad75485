package postgres_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"litfass/migrations"
	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

func TestMigrateTwice(t *testing.T) {
	t.Parallel()
	db, _ := storetest.Empty(t)
	first, err := db.Migrate(t.Context())
	if err != nil || first == 0 {
		t.Fatalf("applied %d: %v", first, err)
	}
	again, err := db.Migrate(t.Context())
	if err != nil || again != 0 {
		t.Fatalf("applied %d again: %v", again, err)
	}
}

func TestMigrationsGoBothWays(t *testing.T) {
	t.Parallel()
	db, _ := storetest.Empty(t)
	connections := stdlib.OpenDBFromPool(db.Pool())
	defer func() { _ = connections.Close() }()
	provider, err := goose.NewProvider(goose.DialectPostgres, connections, migrations.FS)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := provider.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := provider.DownTo(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	var left int
	const count = `
		SELECT count(*)
		FROM pg_class
		JOIN pg_namespace ON pg_namespace.oid = relnamespace
		WHERE nspname = 'public' AND relname NOT LIKE 'goose_db_version%'`
	if err := db.Pool().QueryRow(t.Context(), count).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d relations are left: %v", left, err)
	}
}

func TestInTxTriesAgain(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	for _, retryable := range []error{postgres.ErrRetry, &pgconn.PgError{Code: "40001"}, &pgconn.PgError{Code: "40P01"}} {
		calls := 0
		err := db.InTx(t.Context(), func(tx pgx.Tx) error {
			calls++
			if _, err := tx.Exec(t.Context(), "INSERT INTO outbox (kind, entity_id) VALUES ('event', 'x')"); err != nil {
				return err
			}
			if calls < 3 {
				return retryable
			}
			return nil
		})
		if err != nil || calls != 3 {
			t.Errorf("%v: %d calls, %v", retryable, calls, err)
		}
	}
	var rows int
	if err := db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM outbox").Scan(&rows); err != nil || rows != 3 {
		t.Errorf("%d rows of three committed transactions: %v", rows, err)
	}
}

func TestInTxGivesUp(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	calls := 0
	err := db.InTx(t.Context(), func(pgx.Tx) error { calls++; return postgres.ErrRetry })
	if !errors.Is(err, postgres.ErrRetry) || calls < 2 {
		t.Errorf("%d calls: %v", calls, err)
	}
	calls = 0
	refused := fault.New(fault.Invalid, "", "no")
	err = db.InTx(t.Context(), func(pgx.Tx) error { calls++; return refused })
	if !errors.Is(err, refused) || calls != 1 {
		t.Errorf("%d calls: %v", calls, err)
	}
}

func TestLostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	err := db.InTx(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "SELECT pg_terminate_backend(pg_backend_pid())")
		return err
	})
	if !fault.Is(err, fault.Unavailable) || fault.Of(err).RetryAfter == 0 {
		t.Errorf("got %v", err)
	}
	if err := db.Ping(t.Context()); err != nil {
		t.Errorf("the next connection: %v", err)
	}
}

func TestReadTxWritesNothing(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	err := db.ReadTx(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "DELETE FROM outbox")
		return err
	})
	if err == nil {
		t.Error("a read-only transaction has written")
	}
}

func TestOpenRefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	if _, err := postgres.Open(t.Context(), "postgres://:port"); err == nil {
		t.Error("opened")
	}
}

// TestTimesAreUTC: wherever the machine of the service or of the database stands, times come the
// same, also inside JSON.
func TestTimesAreUTC(t *testing.T) {
	t.Parallel()
	db, _ := storetest.Empty(t)
	const query = "SELECT moment, to_json(moment)::text FROM (VALUES ('2026-11-20 19:30+01'::timestamptz)) AS one (moment)"
	var moment time.Time
	var inJSON string
	if err := db.QueryRow(t.Context(), query).Scan(&moment, &inJSON); err != nil {
		t.Fatal(err)
	}
	if moment.Location() != time.UTC || !strings.Contains(inJSON, "2026-11-20T18:30:00+00:00") {
		t.Errorf("read as %s, in JSON as %s", moment, inJSON)
	}
}

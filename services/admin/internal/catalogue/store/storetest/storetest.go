// Package storetest gives each test a database of its own on the PostgreSQL server at
// TEST_DATABASE_URL, on which databases may be created. Without it the test fails.
package storetest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// Patience is how long a helper waits for the engine before the test fails.
const Patience = 30 * time.Second

// New returns a migrated database with the value sets and no other rows, and its address. It is
// closed and dropped when the test ends.
func New(t testing.TB) (db *postgres.DB, address string) {
	t.Helper()
	template, err := ensureTemplate(server(t))
	if err != nil {
		t.Fatal(err)
	}
	address = create(t, " TEMPLATE "+template)
	return open(t, address), address
}

// Empty returns a database without any schema, and its address. It is closed and dropped when the
// test ends.
func Empty(t testing.TB) (db *postgres.DB, address string) {
	t.Helper()
	address = create(t, "")
	return open(t, address), address
}

// Copy returns a copy of the database at an address, to which no connection may be open, and the
// copy's address, like a database restored from a backup. It is closed and dropped when the test
// ends.
func Copy(t testing.TB, original string) (db *postgres.DB, address string) {
	t.Helper()
	source, err := url.Parse(original)
	if err != nil {
		t.Fatal(err)
	}
	address = create(t, " TEMPLATE "+strings.TrimPrefix(source.Path, "/"))
	return open(t, address), address
}

func server(t testing.TB) string {
	t.Helper()
	server := os.Getenv("TEST_DATABASE_URL")
	if server == "" {
		t.Fatal("TEST_DATABASE_URL is not set: this test needs PostgreSQL, which make test PKG=./services/admin/... starts")
	}
	return server
}

func open(t testing.TB, address string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// create makes a database and returns its address. It copies files rather than pages through the
// buffers: these would have to be written out before the database can be dropped, which takes twice
// as long.
func create(t testing.TB, options string) string {
	t.Helper()
	server := server(t)
	name := "test_" + strings.ToLower(rand.Text())
	if err := run(server, "CREATE DATABASE "+name+options+" STRATEGY FILE_COPY"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run(server, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	address, err := withDatabase(server, name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// withDatabase returns the address of another database of the same server.
func withDatabase(server, name string) (string, error) {
	address, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	address.Path = "/" + name
	return address.String(), nil
}

// run executes statements on the server; it also works in a cleanup, when the test's context has
// ended.
func run(server string, statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

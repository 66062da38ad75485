package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"

	"github.com/jackc/pgx/v5"

	"litfass/migrations"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/catalogue/valueset"
	"litfass/services/admin/internal/platform/postgres"
)

// templateLock is the advisory lock under which a template is made: test programs of several
// packages run at once.
const templateLock = 0x4c697466617373

// ensureTemplate makes the template database once for each state of the schema and returns its
// name. Copying it takes a fraction of the time of migrating; a later test program with the same
// schema finds it ready.
var ensureTemplate = func() func(server string) (string, error) {
	var once sync.Once
	var name string
	var err error
	return func(server string) (string, error) {
		once.Do(func() { name, err = makeTemplate(server) })
		return name, err
	}
}()

func makeTemplate(server string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 4*Patience)
	defer cancel()
	state, err := schemaState()
	if err != nil {
		return "", err
	}
	name := "litfass_template_" + state
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", fmt.Errorf("template database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(templateLock)); err != nil {
		return "", fmt.Errorf("template database: %w", err)
	}
	var exists bool
	const find = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)"
	if err := conn.QueryRow(ctx, find, name).Scan(&exists); err != nil {
		return "", fmt.Errorf("template database: %w", err)
	}
	if exists {
		return name, nil
	}
	return name, buildTemplate(ctx, conn, server, name)
}

// buildTemplate fills the template under another name first, so that a half-made one is never taken
// for a whole one.
func buildTemplate(ctx context.Context, conn *pgx.Conn, server, name string) error {
	draft := name + "_draft"
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + draft + " WITH (FORCE)", "CREATE DATABASE " + draft} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("template database: %w", err)
		}
	}
	address, err := withDatabase(server, draft)
	if err != nil {
		return err
	}
	if err := fill(ctx, address); err != nil {
		return fmt.Errorf("template database: %w", err)
	}
	if _, err := conn.Exec(ctx, "ALTER DATABASE "+draft+" RENAME TO "+name); err != nil {
		return fmt.Errorf("template database: %w", err)
	}
	return nil
}

func fill(ctx context.Context, address string) error {
	db, err := postgres.Open(ctx, address)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Migrate(ctx); err != nil {
		return err
	}
	return db.InTx(ctx, func(tx pgx.Tx) error {
		return store.WriteLookups(ctx, tx, append(valueset.All(), change.Lookup{Name: change.LookupLabels}))
	})
}

// schemaState identifies the contents of a template: the migrations and the value sets.
func schemaState() (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(migrations.FS, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(migrations.FS, path)
		fmt.Fprintln(sum, path, len(content))
		sum.Write(content)
		return err
	})
	if err != nil {
		return "", err
	}
	if err := json.NewEncoder(sum).Encode(valueset.All()); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"litfass/migrations"
)

// Migrate brings the schema to the newest version and returns the number of migrations it applied.
// Several processes may migrate concurrently: they wait for the session's lock of one, and then
// have nothing left to do.
func (db *DB) Migrate(ctx context.Context) (applied int, err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return 0, fmt.Errorf("migration lock: %w", err)
	}
	config := db.pool.Config().ConnConfig
	delete(config.RuntimeParams, lockTimeout) // a backup may hold locks for longer
	connections := stdlib.OpenDB(*config)
	defer func() { _ = connections.Close() }()
	provider, err := goose.NewProvider(goose.DialectPostgres, connections, migrations.FS, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	return len(results), nil
}

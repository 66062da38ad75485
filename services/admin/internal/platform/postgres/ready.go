package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"litfass/migrations"
	"litfass/pkg/chassis/fault"
)

// CheckSchema returns an Unavailable fault while migrations have yet to be applied.
func (db *DB) CheckSchema(ctx context.Context) error {
	connections := stdlib.OpenDBFromPool(db.pool)
	defer connections.Close() // gives borrowed connections back to the pool
	provider, err := goose.NewProvider(goose.DialectPostgres, connections, migrations.FS)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return fmt.Errorf("check migrations: %w", err)
	}
	if pending {
		return fault.New(fault.Unavailable, "", "the schema is not up to date: run admin migrate")
	}
	return nil
}

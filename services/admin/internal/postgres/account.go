package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// QueryRow runs one query outside of a transaction. Like those of InTx, its error is an Unavailable fault when the
// database cannot be reached.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return row{db.pool.QueryRow(ctx, sql, args...)}
}

// Exec runs one statement outside of a transaction. Its error is an Unavailable fault when the database cannot be reached.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	tag, err := db.pool.Exec(ctx, sql, args...)
	return tag, asUnavailable(err)
}

type row struct{ pgx.Row }

// Scan reads the row.
func (r row) Scan(into ...any) error { return asUnavailable(r.Row.Scan(into...)) }

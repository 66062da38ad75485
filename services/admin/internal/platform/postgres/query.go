package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// QueryRow runs one query outside of a transaction. Its error, like InTx's, is an Unavailable fault
// when the database cannot be reached.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return row{db.pool.QueryRow(ctx, sql, args...)}
}

// Exec runs one statement outside of a transaction. Its error is an Unavailable fault when the
// database cannot be reached.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	tag, err := db.pool.Exec(ctx, sql, args...)
	return tag, asUnavailable(err)
}

// Query runs one query outside of a transaction; see Collect. Its error is an Unavailable fault
// when the database cannot be reached.
func (db *DB) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := db.pool.Query(ctx, sql, args...)
	return rows, asUnavailable(err)
}

// Querier is a DB, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Collect runs a query of one column and returns its values, which an error calls what: "public
// events".
func Collect[T any](ctx context.Context, q Querier, what, sql string, args ...any) ([]T, error) {
	return read(ctx, q, pgx.RowTo[T], what, sql, args)
}

// List runs a query and returns its rows as structs with the columns as fields, in order. The list
// is never nil. An error calls the rows what: "sessions".
func List[T any](ctx context.Context, q Querier, what, sql string, args ...any) ([]T, error) {
	return read(ctx, q, pgx.RowToStructByPos[T], what, sql, args)
}

func read[T any](
	ctx context.Context, q Querier, row pgx.RowToFunc[T], what, sql string, args []any,
) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	values, err := pgx.CollectRows(rows, row)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, asUnavailable(err))
	}
	return values, nil
}

// Set returns the values of a column as a set.
func Set[T comparable](values []T) map[T]bool {
	set := make(map[T]bool, len(values))
	for _, value := range values {
		set[value] = true
	}
	return set
}

type row struct{ pgx.Row }

// Scan reads the row.
func (r row) Scan(into ...any) error { return asUnavailable(r.Row.Scan(into...)) }

package postgres

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// QueryRow runs one query outside of a transaction. Its error, like InTx's, is an Unavailable fault
// when the database cannot be reached.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := db.Query(ctx, sql, args...)
	return row{rows, err}
}

// Exec runs one statement outside of a transaction. Its error is an Unavailable fault when the
// database cannot be reached.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	conn, err := db.acquire(ctx, time.Now())
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	defer conn.Release()
	tag, err := conn.Exec(ctx, sql, args...)
	return tag, asUnavailable(err)
}

// Query runs one query outside of a transaction; see Collect. Its error is an Unavailable fault
// when the database cannot be reached.
func (db *DB) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	conn, err := db.acquire(ctx, time.Now())
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		conn.Release()
		return nil, asUnavailable(err)
	}
	return &heldRows{rows, conn}, nil
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

// Pairs runs a query of two columns of texts and returns the second by the first.
func Pairs(ctx context.Context, q Querier, what, sql string, args ...any) (map[string]string, error) {
	pairs := map[string]string{}
	rows, err := q.Query(ctx, sql, args...)
	if err == nil {
		var first, second string
		_, err = pgx.ForEachRow(rows, []any{&first, &second}, func() error {
			pairs[first] = second
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, asUnavailable(err))
	}
	return pairs, nil
}

// Set returns the values of a column as a set.
func Set[T comparable](values []T) map[T]bool {
	set := make(map[T]bool, len(values))
	for _, value := range values {
		set[value] = true
	}
	return set
}

// heldRows release their connection when they are closed.
type heldRows struct {
	pgx.Rows
	conn lease
}

// Next prepares the next row. It closes the rows after the last one.
func (r *heldRows) Next() bool {
	next := r.Rows.Next()
	if !next {
		r.Close()
	}
	return next
}

// Close releases the connection.
func (r *heldRows) Close() {
	r.Rows.Close()
	r.conn.Release() // once: it ignores later calls
}

// row is the first of rows, or the error of their query.
type row struct {
	rows pgx.Rows
	err  error
}

// Scan reads the row.
func (r row) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		return asUnavailable(cmp.Or(r.rows.Err(), pgx.ErrNoRows))
	}
	if err := r.rows.Scan(into...); err != nil {
		return err
	}
	r.rows.Close()
	return asUnavailable(r.rows.Err())
}

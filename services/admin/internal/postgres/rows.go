package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
)

// Stored is an entity as it is stored, with the number of its changes so far.
type Stored[E catalog.Entity] struct {
	Version int64
	Entity  E
}

// Found are stored entities by their keys.
type Found[E catalog.Entity] = map[string]Stored[E]

// readByKey runs a query that gives version and JSON of entities, and returns them by their keys.
func readByKey[E catalog.Entity](ctx context.Context, tx pgx.Tx, sql string, keys []string) (Found[E], error) {
	found := make(Found[E], len(keys))
	err := eachRow(ctx, tx, func(row Stored[E]) error {
		found[row.Entity.Key()] = row
		return nil
	}, sql, keys)
	return found, err
}

// eachRow runs a query that gives version and JSON of entities, and hands them to fn one by one as they arrive.
func eachRow[E catalog.Entity](ctx context.Context, tx pgx.Tx, fn func(Stored[E]) error, sql string, args ...any) error {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row Stored[E]
		if err := rows.Scan(&row.Version, &row.Entity); err != nil {
			return err
		}
		// The one form of what JSON can say in several: moments in UTC, geometries without spaces.
		row.Entity.Normalize()
		if err := fn(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Versions is the version of each written entity by its key: 1 when it was created.
type Versions map[string]int64

// write runs a statement that upserts rows given as JSON and returns key and version of each. stored holds what the caller
// knows to be stored; a row that was created by somebody else since then makes it return ErrRetry.
func write[E catalog.Entity](ctx context.Context, tx pgx.Tx, sql string, rows any, stored Found[E]) (Versions, error) {
	written, err := tx.Query(ctx, sql, rows)
	if err != nil {
		return nil, err
	}
	versions := Versions{}
	var key string
	var version int64
	_, err = pgx.ForEachRow(written, []any{&key, &version}, func() error {
		if _, known := stored[key]; !known && version > 1 {
			return ErrRetry
		}
		versions[key] = version
		return nil
	})
	return versions, err
}

// deleteByKey runs a statement that deletes one entity.
func deleteByKey(ctx context.Context, tx pgx.Tx, sql, key string) error {
	if _, err := tx.Exec(ctx, sql, key); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	return nil
}

// bits is a mask as its column holds it: the bigint of the same bit pattern.
func bits(mask *value.Mask) *int64 {
	if mask == nil {
		return nil
	}
	pattern := int64(*mask) // bit 63 becomes the sign
	return &pattern
}

// Lock is how much of a row a transaction keeps for itself until it ends.
type Lock int

const (
	// ForReference keeps a row from changing while something that shows it is written, so that the change of either one
	// tells the read nodes of both.
	ForReference Lock = iota
	// ForChange keeps others from changing the row or writing something that shows it.
	ForChange
	// ForDelete keeps others from using the row at all.
	ForDelete
)

var lockClauses = map[Lock]string{
	ForReference: "FOR SHARE",
	ForChange:    "FOR NO KEY UPDATE",
	ForDelete:    "FOR UPDATE",
}

// selectKeys select the keys of rows that exist, in the order in which they are locked.
var selectKeys = map[catalog.Kind]string{
	catalog.KindRegion:       "SELECT id FROM region WHERE id = ANY ($1::text[]) ORDER BY id ",
	catalog.KindOrganization: "SELECT uuid::text FROM organization WHERE uuid = ANY ($1::uuid[]) ORDER BY organization.uuid ",
	catalog.KindVenue:        "SELECT uuid::text FROM venue WHERE uuid = ANY ($1::uuid[]) ORDER BY venue.uuid ",
	catalog.KindSpace:        "SELECT uuid::text FROM space WHERE uuid = ANY ($1::uuid[]) ORDER BY space.uuid ",
	catalog.KindEvent:        "SELECT uuid::text FROM event WHERE uuid = ANY ($1::uuid[]) ORDER BY event.uuid ",
}

// LockRows locks the rows of those keys that exist, in the order of their keys, so that two transactions that lock the
// kinds in the order of catalog.Kinds never wait for each other in a circle. It returns the keys that exist.
func LockRows(ctx context.Context, tx pgx.Tx, kind catalog.Kind, lock Lock, keys []string) (map[string]bool, error) {
	rows, err := tx.Query(ctx, selectKeys[kind]+lockClauses[lock], keys)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", kind, err)
	}
	exist := map[string]bool{}
	var key string
	_, err = pgx.ForEachRow(rows, []any{&key}, func() error {
		exist[key] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", kind, err)
	}
	return exist, nil
}

package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalog"
)

// Lock is the strength of a row lock, which is held until the transaction ends.
type Lock int

const (
	// ForReference keeps a row from changing while an entity that refers to it is written: of the
	// two transactions, the one that commits last publishes both states.
	ForReference Lock = iota
	// ForChange keeps others from changing the row or writing an entity that refers to it.
	ForChange
	// ForDelete keeps others from locking the row in any mode.
	ForDelete
)

var lockClauses = map[Lock]string{
	ForReference: "FOR SHARE",
	ForChange:    "FOR NO KEY UPDATE",
	ForDelete:    "FOR UPDATE",
}

// selectKeys select keys and versions of rows that exist, in the order in which they are locked.
var selectKeys = map[catalog.Kind]string{
	catalog.KindRegion:       "SELECT id, version FROM region WHERE id = ANY ($1::text[]) ORDER BY id ",
	catalog.KindOrganization: "SELECT uuid::text, version FROM organization WHERE uuid = ANY ($1::uuid[]) ORDER BY organization.uuid ",
	catalog.KindVenue:        "SELECT uuid::text, version FROM venue WHERE uuid = ANY ($1::uuid[]) ORDER BY venue.uuid ",
	catalog.KindSpace:        "SELECT uuid::text, version FROM space WHERE uuid = ANY ($1::uuid[]) ORDER BY space.uuid ",
	catalog.KindEvent:        "SELECT uuid::text, version FROM event WHERE uuid = ANY ($1::uuid[]) ORDER BY event.uuid ",
}

// Rows are rows of one kind that are to be locked.
type Rows struct {
	Kind catalog.Kind
	Lock Lock
	Keys []string
}

// LockRows locks those rows that exist, one list after the other and each in the order of its keys,
// so that transactions whose lists have the order of catalog.Kinds cannot deadlock. It calls found
// with each row that exists and its version, which stays as long as it is locked.
func LockRows(
	ctx context.Context, tx pgx.Tx, lists []Rows, found func(kind catalog.Kind, key string, version int64),
) error {
	batch := &pgx.Batch{}
	for _, list := range lists {
		batch.Queue(selectKeys[list.Kind]+lockClauses[list.Lock], list.Keys).Query(func(rows pgx.Rows) error {
			var key string
			var version int64
			_, err := pgx.ForEachRow(rows, []any{&key, &version}, func() error {
				found(list.Kind, key, version)
				return nil
			})
			return err
		})
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("lock rows: %w", err)
	}
	return nil
}

// LockRow locks the row of a key, if it exists.
func LockRow(ctx context.Context, tx pgx.Tx, kind catalog.Kind, lock Lock, key string) error {
	return LockRows(ctx, tx, []Rows{{kind, lock, []string{key}}}, func(catalog.Kind, string, int64) {})
}

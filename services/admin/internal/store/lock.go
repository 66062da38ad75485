package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
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

// selectKeys select the keys of rows that exist, in the order in which they are locked.
var selectKeys = map[catalog.Kind]string{
	catalog.KindRegion:       "SELECT id FROM region WHERE id = ANY ($1::text[]) ORDER BY id ",
	catalog.KindOrganization: "SELECT uuid::text FROM organization WHERE uuid = ANY ($1::uuid[]) ORDER BY organization.uuid ",
	catalog.KindVenue:        "SELECT uuid::text FROM venue WHERE uuid = ANY ($1::uuid[]) ORDER BY venue.uuid ",
	catalog.KindSpace:        "SELECT uuid::text FROM space WHERE uuid = ANY ($1::uuid[]) ORDER BY space.uuid ",
	catalog.KindEvent:        "SELECT uuid::text FROM event WHERE uuid = ANY ($1::uuid[]) ORDER BY event.uuid ",
}

// PostgreSQL grants a shared row lock although another transaction waits for a stronger one: while
// its events are written without a break, an organization could never be changed. Advisory locks
// are granted in the order of the requests, so rows that others refer to are locked behind these.
const (
	awaitReference = `
SELECT pg_advisory_xact_lock_shared(7105647, turn)` + turns

	awaitChange = `
SELECT pg_advisory_xact_lock(7105647, turn)` + turns

	turns = `
FROM (
    SELECT DISTINCT hashtext(key) AS turn
    FROM unnest($1::text[]) AS wanted (key)
    ORDER BY turn
) AS ordered`
)

// queue adds to a batch what waits for the turn of locking rows.
func queue(batch *pgx.Batch, kind catalog.Kind, lock Lock, keys []string) {
	switch {
	case kind == catalog.KindRegion, kind == catalog.KindEvent: // nothing refers to them
	case lock == ForReference:
		batch.Queue(awaitReference, keys)
	default:
		batch.Queue(awaitChange, keys)
	}
}

// LockRows locks the rows of those keys that exist, in the order of their keys, so that
// transactions that lock the kinds in the order of catalog.Kinds cannot deadlock. Those who refer
// to a row do not pass those who wait to change it. It returns the keys that exist.
func LockRows(ctx context.Context, tx pgx.Tx, kind catalog.Kind, lock Lock, keys []string) (exist []string, err error) {
	batch := &pgx.Batch{}
	queue(batch, kind, lock, keys)
	batch.Queue(selectKeys[kind]+lockClauses[lock], keys).Query(func(rows pgx.Rows) (err error) {
		exist, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("lock %ss: %w", kind, err)
	}
	return exist, nil
}

const selectOwnersOfVenues = `
SELECT DISTINCT org_uuid::text
FROM venue
WHERE uuid = ANY ($1::uuid[])`

// OwnersOfVenues returns the organizations of the venues that exist.
func OwnersOfVenues(ctx context.Context, tx pgx.Tx, venues []string) ([]string, error) {
	if len(venues) == 0 {
		return nil, nil
	}
	return postgres.Collect[string](ctx, tx, "organizations of venues", selectOwnersOfVenues, venues)
}

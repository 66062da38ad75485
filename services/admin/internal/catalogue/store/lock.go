package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

// Lock is the strength of a row lock, which is held until the transaction ends.
type Lock int

const (
	// ForReference keeps a row from changing while an entity that refers to it is written: of the two
	// transactions, the one that commits last publishes both states.
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
var selectKeys = map[rules.Kind]string{
	rules.KindRegion:       "SELECT id, version FROM region WHERE id = ANY ($1::text[]) ORDER BY id ",
	rules.KindOrganization: "SELECT uuid::text, version FROM organization WHERE uuid = ANY ($1::uuid[]) ORDER BY organization.uuid ",
	rules.KindVenue:        "SELECT uuid::text, version FROM venue WHERE uuid = ANY ($1::uuid[]) ORDER BY venue.uuid ",
	rules.KindSpace:        "SELECT uuid::text, version FROM space WHERE uuid = ANY ($1::uuid[]) ORDER BY space.uuid ",
	rules.KindLabel:        "SELECT key, version FROM label WHERE key = ANY ($1::text[]) ORDER BY label.key ",
	rules.KindSeries:       "SELECT uuid::text, version FROM series WHERE uuid = ANY ($1::uuid[]) ORDER BY series.uuid ",
	rules.KindContributor:  "SELECT uuid::text, version FROM contributor WHERE uuid = ANY ($1::uuid[]) ORDER BY contributor.uuid ",
	rules.KindEvent:        "SELECT uuid::text, version FROM event WHERE uuid = ANY ($1::uuid[]) ORDER BY event.uuid ",
	rules.KindList:         "SELECT uuid::text, version FROM list WHERE uuid = ANY ($1::uuid[]) ORDER BY list.uuid ",
	rules.KindPortal:       "SELECT uuid::text, version FROM portal WHERE uuid = ANY ($1::uuid[]) ORDER BY portal.uuid ",
}

// PostgreSQL grants a shared row lock although another transaction waits for a stronger one: while
// its events are written without a break, an organization could never be changed. Advisory locks
// are granted in the order of the requests, so rows that others refer to are locked after these.
const (
	awaitReference = `
SELECT pg_advisory_xact_lock_shared($1, turn)` + turns

	awaitChange = `
SELECT pg_advisory_xact_lock($1, turn)` + turns

	turns = `
FROM (
    SELECT DISTINCT hashtext(key) AS turn
    FROM unnest($2::text[]) AS wanted (key)
    ORDER BY turn
) AS ordered`
)

// turnsOf are the classes of the advisory locks: one for each kind that others refer to, so that
// they are locked in the order of the kinds as rows are. Other advisory locks have other classes.
var turnsOf = map[rules.Kind]int32{
	rules.KindOrganization: 7_105_650,
	rules.KindVenue:        7_105_651,
	rules.KindSpace:        7_105_652,
	rules.KindLabel:        7_105_653,
	rules.KindSeries:       7_105_654,
	rules.KindContributor:  7_105_655,
}

// queue adds to a batch the statement that waits for the turn of locking rows.
func queue(batch *pgx.Batch, list Rows) {
	class, referred := turnsOf[list.Kind]
	switch {
	case !referred:
	case list.Lock == ForReference:
		batch.Queue(awaitReference, class, list.Keys)
	default:
		batch.Queue(awaitChange, class, list.Keys)
	}
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

// Rows are rows of one kind that are to be locked.
type Rows struct {
	Kind rules.Kind
	Lock Lock
	Keys []string
}

// LockRows locks those rows that exist, one list after the other and each in the order of its keys,
// so that transactions whose lists have the order of rules.Kinds cannot deadlock. Transactions that
// refer to a row do not pass others that wait to change it. It calls found with each row that
// exists and its version, which stays as long as it is locked.
func LockRows(
	ctx context.Context, tx pgx.Tx, lists []Rows, found func(kind rules.Kind, key string, version int64),
) error {
	batch := &pgx.Batch{}
	for _, list := range lists {
		queue(batch, list)
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

const lockDates = `
SELECT uuid::text
FROM event_date
WHERE event_uuid = ANY ($1::uuid[])
ORDER BY uuid
FOR NO KEY UPDATE`

// LockDates keeps box offices from changing the availability of the dates of events, which are
// locked ForChange.
func LockDates(ctx context.Context, tx pgx.Tx, events []string) error {
	_, err := postgres.Collect[string](ctx, tx, "lock dates", lockDates, events)
	return err
}

// LockRow locks the row of a key, if it exists.
func LockRow(ctx context.Context, tx pgx.Tx, kind rules.Kind, lock Lock, key string) error {
	return LockRows(ctx, tx, []Rows{{kind, lock, []string{key}}}, func(rules.Kind, string, int64) {})
}

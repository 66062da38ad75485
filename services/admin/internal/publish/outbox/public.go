package outbox

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// publicIDs select the ids of the public entities, by kind. $1 is the id after which to continue,
// $2 the limit.
var publicIDs = map[change.Kind]string{
	change.KindLookup: `
SELECT name
FROM lookup
WHERE name > $1
ORDER BY name
LIMIT $2`,
	change.KindRegion: `
SELECT id
FROM region
WHERE id > $1
ORDER BY id
LIMIT $2`,
	change.KindOrganization: `
SELECT o.uuid::text
FROM organization o
WHERE o.uuid > $1::text::uuid AND ` + publicOrganization + `
ORDER BY o.uuid
LIMIT $2`,
	change.KindVenue: `
SELECT uuid::text
FROM venue
WHERE uuid > $1::text::uuid AND ` + Approved + `venue.org_uuid)
ORDER BY uuid
LIMIT $2`,
	change.KindContributor: `
SELECT c.uuid::text
FROM contributor c
WHERE c.uuid > $1::text::uuid AND ` + publicContributor + `
ORDER BY c.uuid
LIMIT $2`,
	change.KindEvent: `
SELECT e.uuid::text
FROM event e
WHERE e.uuid > $1::text::uuid AND ` + publicEvent + `
ORDER BY e.uuid
LIMIT $2`,
	change.KindPortal: `
SELECT p.uuid::text
FROM portal p
WHERE p.uuid > $1::text::uuid AND ` + publicPortal + `
ORDER BY p.uuid
LIMIT $2`,
	change.KindSeries: `
SELECT s.uuid::text
FROM series s
WHERE s.uuid > $1::text::uuid AND ` + publicSeries + `
ORDER BY s.uuid
LIMIT $2`,
	change.KindList: `
SELECT l.uuid::text
FROM list l
WHERE l.uuid > $1::text::uuid AND ` + publicList + `
ORDER BY l.uuid
LIMIT $2`,
}

// selectPublicIDs returns up to size ids of public entities of a kind, the first ones above after;
// "" is below all.
func selectPublicIDs(
	ctx context.Context, q postgres.Querier, kind change.Kind, after string, size int,
) ([]string, error) {
	return postgres.Collect[string](ctx, q, "public "+string(kind)+"s", publicIDs[kind], above(kind, after), size)
}

// countPublic counts the public entities of a kind with ids above after.
func countPublic(ctx context.Context, db *postgres.DB, kind change.Kind, after string) (count int, err error) {
	query := "SELECT count(*) FROM (" + publicIDs[kind] + ") AS ids"
	err = db.QueryRow(ctx, query, above(kind, after), nil).Scan(&count) // without a limit
	return count, err
}

// above returns after, or an id below all of the kind for "".
func above(kind change.Kind, after string) string {
	if after == "" && kind != change.KindLookup && kind != change.KindRegion {
		return uuid.Nil.String()
	}
	return after
}

// EachPublic calls fn with the ids of all public entities of a kind, in order, in lists of up to
// size.
func EachPublic(
	ctx context.Context, db *postgres.DB, kind change.Kind, size int, fn func(ids []string) error,
) error {
	for after := ""; ; {
		ids, err := selectPublicIDs(ctx, db, kind, after, size)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			return nil
		}
		if err := fn(ids); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// whichPublic select the public ones among the ids $1, by kind.
var whichPublic = map[change.Kind]string{
	change.KindLookup: `
SELECT name
FROM lookup
WHERE name = ANY ($1)`,
	change.KindRegion: `
SELECT id
FROM region
WHERE id = ANY ($1)`,
	change.KindOrganization: `
SELECT o.uuid::text
FROM organization o
WHERE o.uuid = ANY ($1::text[]::uuid[]) AND ` + publicOrganization,
	change.KindVenue: `
SELECT uuid::text
FROM venue
WHERE uuid = ANY ($1::text[]::uuid[]) AND ` + Approved + `venue.org_uuid)`,
	change.KindContributor: `
SELECT c.uuid::text
FROM contributor c
WHERE c.uuid = ANY ($1::text[]::uuid[]) AND ` + publicContributor,
	change.KindEvent: `
SELECT e.uuid::text
FROM event e
WHERE e.uuid = ANY ($1::text[]::uuid[]) AND ` + publicEvent,
	change.KindPortal: `
SELECT p.uuid::text
FROM portal p
WHERE p.uuid = ANY ($1::text[]::uuid[]) AND ` + publicPortal,
	change.KindSeries: `
SELECT s.uuid::text
FROM series s
WHERE s.uuid = ANY ($1::text[]::uuid[]) AND ` + publicSeries,
	change.KindList: `
SELECT l.uuid::text
FROM list l
WHERE l.uuid = ANY ($1::text[]::uuid[]) AND ` + publicList,
}

// Public returns the ids that are public now.
func Public(ctx context.Context, q postgres.Querier, kind change.Kind, ids []string) (map[string]bool, error) {
	found, err := postgres.Collect[string](ctx, q, "public "+string(kind)+"s", whichPublic[kind], ids)
	return postgres.Set(found), err
}

const selectWaiting = `
SELECT coalesce(bool_or(attempts = 0), false), coalesce(max(last_error), '')
FROM outbox
WHERE kind = $1 AND entity_id = $2`

// PublicState returns the snapshot of one entity, nil if it has none; whether the outbox holds an
// untried row of it at the same moment; and the reason of its last failed attempt, if any.
func PublicState(
	ctx context.Context, db *postgres.DB, ref Ref,
) (snapshot any, pending bool, failure string, err error) {
	err = db.ReadTx(ctx, func(tx pgx.Tx) error {
		snapshots, err := Snapshots(ctx, tx, ref.Kind, []string{ref.ID})
		if err != nil {
			return err
		}
		snapshot = snapshots[ref.ID]
		return tx.QueryRow(ctx, selectWaiting, ref.Kind, ref.ID).Scan(&pending, &failure)
	})
	return snapshot, pending, failure, err
}

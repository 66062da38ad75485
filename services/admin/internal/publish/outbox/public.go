package outbox

import (
	"context"

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
WHERE uuid > $1::text::uuid AND ` + approved + `venue.org_uuid)
ORDER BY uuid
LIMIT $2`,
	change.KindEvent: `
SELECT e.uuid::text
FROM event e
WHERE e.uuid > $1::text::uuid AND ` + publicEvent + `
ORDER BY e.uuid
LIMIT $2`,
}

// firstID sorts before every id of a kind.
func firstID(kind change.Kind) string {
	if kind == change.KindLookup || kind == change.KindRegion {
		return ""
	}
	return "00000000-0000-0000-0000-000000000000"
}

// EachPublic calls fn with the ids of all public entities of a kind, in order, in lists of up to
// size.
func EachPublic(
	ctx context.Context, db *postgres.DB, kind change.Kind, size int, fn func(ids []string) error,
) error {
	for after := firstID(kind); ; {
		ids, err := postgres.Collect[string](ctx, db, "public "+string(kind)+"s", publicIDs[kind], after, size)
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
WHERE uuid = ANY ($1::text[]::uuid[]) AND ` + approved + `venue.org_uuid)`,
	change.KindEvent: `
SELECT e.uuid::text
FROM event e
WHERE e.uuid = ANY ($1::text[]::uuid[]) AND ` + publicEvent,
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

package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/change"
)

// publicIDs select the ids of what is public now, by kind. $1 and $2 are the id to go on behind and how many to give.
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
WHERE uuid > $1::text::uuid
ORDER BY uuid
LIMIT $2`,
	change.KindEvent: `
SELECT e.uuid::text
FROM event e
WHERE e.uuid > $1::text::uuid AND ` + publicEvent + `
ORDER BY e.uuid
LIMIT $2`,
}

// firstID stands before every id of a kind.
func firstID(kind change.Kind) string {
	if kind == change.KindLookup || kind == change.KindRegion {
		return ""
	}
	return "00000000-0000-0000-0000-000000000000"
}

// EachPublic calls fn with the ids of everything of a kind that is public, in order, in lists of up to size.
func (db *DB) EachPublic(ctx context.Context, kind change.Kind, size int, fn func(ids []string) error) error {
	for after := firstID(kind); ; {
		rows, err := db.pool.Query(ctx, publicIDs[kind], after, size)
		if err != nil {
			return fmt.Errorf("list public %ss: %w", kind, err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return fmt.Errorf("list public %ss: %w", kind, err)
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

// whichPublic select those of the ids $1 that are public now, by kind.
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
WHERE uuid = ANY ($1::text[]::uuid[])`,
	change.KindEvent: `
SELECT e.uuid::text
FROM event e
WHERE e.uuid = ANY ($1::text[]::uuid[]) AND ` + publicEvent,
}

// Public returns which of the ids belong to something that is public now.
func (db *DB) Public(ctx context.Context, kind change.Kind, ids []string) (map[string]bool, error) {
	rows, err := db.pool.Query(ctx, whichPublic[kind], ids)
	if err != nil {
		return nil, fmt.Errorf("look up public %ss: %w", kind, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look up public %ss: %w", kind, err)
	}
	public := make(map[string]bool, len(found))
	for _, id := range found {
		public[id] = true
	}
	return public, nil
}

const selectWaiting = `
SELECT coalesce(bool_or(attempts = 0), false), coalesce(max(last_error), '')
FROM outbox
WHERE kind = $1 AND entity_id = $2`

// PublicState returns the snapshot of one entity, nil if it has none; whether the outbox holds an untried row of it at the
// same moment; and the reason why it could not be published, if that was tried.
func (db *DB) PublicState(ctx context.Context, entity Entity) (snapshot any, pending bool, failure string, err error) {
	err = db.ReadTx(ctx, func(tx pgx.Tx) error {
		snapshots, err := Snapshots(ctx, tx, entity.Kind, []string{entity.ID})
		if err != nil {
			return err
		}
		snapshot = snapshots[entity.ID]
		return tx.QueryRow(ctx, selectWaiting, entity.Kind, entity.ID).Scan(&pending, &failure)
	})
	return snapshot, pending, failure, err
}

const lift = `
SELECT setval('catalog_revision', $1)
FROM catalog_revision
WHERE last_value < $1`

// LiftRevision makes the next revision greater than the given one. The margin is for rounds of the relay that take a
// revision between the comparison and the setting.
func (db *DB) LiftRevision(ctx context.Context, above int64) error {
	const margin = 1_000
	if _, err := db.pool.Exec(ctx, lift, above+margin); err != nil {
		return fmt.Errorf("lift the revision: %w", err)
	}
	return nil
}

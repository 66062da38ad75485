package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

const selectStoredLookups = `
SELECT json_build_object(
    'name', name,
    'integer', "integer",
    'items', (
        SELECT coalesce(json_agg(row ORDER BY position), '[]')
        FROM (
            SELECT id, grp AS group, names, nullif(extra, '{}') AS extra, position
            FROM lookup_item
            WHERE lookup = lookup.name
        ) AS row
    )
)
FROM lookup`

// Lookups returns the stored value sets by name.
func Lookups(ctx context.Context, tx pgx.Tx) (map[string]change.Lookup, error) {
	lookups, err := postgres.Collect[change.Lookup](ctx, tx, "lookups", selectStoredLookups)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]change.Lookup, len(lookups))
	for _, lookup := range lookups {
		byName[lookup.Name] = lookup
	}
	return byName, nil
}

const lockLookups = `LOCK TABLE lookup IN SHARE ROW EXCLUSIVE MODE`

// LockLookups blocks other writers of value sets until the transaction ends.
func LockLookups(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, lockLookups); err != nil {
		return fmt.Errorf("lock lookups: %w", err)
	}
	return nil
}

const upsertLookup = `
INSERT INTO lookup (name, "integer")
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET "integer" = excluded."integer"`

const deleteItems = `DELETE FROM lookup_item WHERE lookup = $1`

const insertItems = `
INSERT INTO lookup_item (lookup, id, grp, names, extra, position)
SELECT $1, id, coalesce("group", ''), names, coalesce(extra, '{}'), position - 1
FROM ROWS FROM (
    json_to_recordset($2) AS (id text, "group" text, names jsonb, extra jsonb)
) WITH ORDINALITY AS item (id, "group", names, extra, position)`

// An event may have a type without a genre or with one of the type's genres. The statement fails if
// it would delete a pair that is in use.
const syncGenres = `
WITH possible AS (
    SELECT id::integer AS type_id, 0 AS genre_id
    FROM lookup_item
    WHERE lookup = 'event-types'
    UNION ALL
    SELECT grp::integer, id::integer
    FROM lookup_item
    WHERE lookup = 'event-genres'
), gone AS (
    DELETE FROM event_genre
    WHERE (type_id, genre_id) NOT IN (SELECT type_id, genre_id FROM possible)
)
INSERT INTO event_genre (type_id, genre_id)
SELECT type_id, genre_id
FROM possible
ON CONFLICT DO NOTHING`

// WriteLookups replaces value sets.
func WriteLookups(ctx context.Context, tx pgx.Tx, lookups []change.Lookup) error {
	batch := &pgx.Batch{}
	for _, lookup := range lookups {
		batch.Queue(upsertLookup, lookup.Name, lookup.Integer)
		batch.Queue(deleteItems, lookup.Name)
		batch.Queue(insertItems, lookup.Name, lookup.Items)
	}
	batch.Queue(syncGenres)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("write lookups: %w", err)
	}
	return nil
}

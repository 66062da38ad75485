package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalog"
)

const spaceRows = `
    SELECT
        uuid, venue_uuid, name, description, space_type, building_level, total_capacity, seating_capacity, web_link,
        mask_to_text(accessibility_flags) AS accessibility_flags, accessibility_summary, version
    FROM space`

const selectStoredSpaces = `
SELECT version, row_to_json(row)
FROM (` + spaceRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

// Spaces returns the spaces of those uuids that exist.
func Spaces(ctx context.Context, tx pgx.Tx, uuids []string) (Found[*catalog.Space], error) {
	found, err := readByKey[*catalog.Space](ctx, tx, selectStoredSpaces, uuids)
	if err != nil {
		return nil, fmt.Errorf("read spaces: %w", err)
	}
	return found, nil
}

const selectVenuesOfSpaces = `SELECT uuid::text, venue_uuid::text FROM space WHERE uuid = ANY ($1::uuid[])`

// VenuesOfSpaces returns the venue of each of the spaces that exist.
func VenuesOfSpaces(ctx context.Context, tx pgx.Tx, uuids []string) (map[string]string, error) {
	rows, err := tx.Query(ctx, selectVenuesOfSpaces, uuids)
	if err != nil {
		return nil, fmt.Errorf("read venues of spaces: %w", err)
	}
	venues := map[string]string{}
	var space, venue string
	_, err = pgx.ForEachRow(rows, []any{&space, &venue}, func() error {
		venues[space] = venue
		return nil
	})
	return venues, err
}

const upsertSpaces = `
INSERT INTO space AS stored (
    uuid, venue_uuid, name, description, space_type, building_level, total_capacity, seating_capacity, web_link,
    accessibility_flags, accessibility_summary
)
SELECT
    uuid, venue_uuid, name, description, space_type, building_level, total_capacity, seating_capacity, web_link,
    accessibility_flags, accessibility_summary
FROM json_populate_recordset(NULL::space, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    venue_uuid = excluded.venue_uuid,
    name = excluded.name,
    description = excluded.description,
    space_type = excluded.space_type,
    building_level = excluded.building_level,
    total_capacity = excluded.total_capacity,
    seating_capacity = excluded.seating_capacity,
    web_link = excluded.web_link,
    accessibility_flags = excluded.accessibility_flags,
    accessibility_summary = excluded.accessibility_summary,
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

// spaceRow is a space as its row: the mask as bits.
type spaceRow struct {
	*catalog.Space
	AccessibilityFlags *int64 `json:"accessibility_flags"`
}

// WriteSpaces creates or changes spaces; stored holds those that exist, and the caller has locked their rows.
func WriteSpaces(ctx context.Context, tx pgx.Tx, spaces []*catalog.Space, stored Found[*catalog.Space]) (Versions, error) {
	rows := make([]spaceRow, len(spaces))
	for i, space := range spaces {
		rows[i] = spaceRow{space, bits(space.AccessibilityFlags)}
	}
	versions, err := write(ctx, tx, upsertSpaces, rows, stored)
	if err != nil {
		return nil, fmt.Errorf("write spaces: %w", err)
	}
	return versions, nil
}

const deleteSpace = `DELETE FROM space WHERE uuid = $1::uuid`

// DeleteSpace deletes a space that no event uses.
func DeleteSpace(ctx context.Context, tx pgx.Tx, uuid string) error {
	return deleteByKey(ctx, tx, deleteSpace, uuid)
}

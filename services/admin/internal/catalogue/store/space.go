package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
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

// spaceRow is the row of a space: the mask as bits.
type spaceRow struct {
	*rules.Space
	AccessibilityFlags *int64 `json:"accessibility_flags"`
}

const deleteSpace = `DELETE FROM space WHERE uuid = $1::uuid`

const countUsesOfSpace = `
SELECT 0, 0, count(*), 0, 0, 0
FROM (
    SELECT event.uuid
    FROM space
    JOIN event ON event.venue_uuid = space.venue_uuid AND event.space_uuid = space.uuid
    WHERE space.uuid = $1::uuid
    UNION
    SELECT event_date.event_uuid
    FROM space
    JOIN event_date ON event_date.venue_uuid = space.venue_uuid AND event_date.space_uuid = space.uuid
    WHERE space.uuid = $1::uuid
) AS used`

// Spaces are the rows of spaces. Events use them, for all dates or for one.
var Spaces = Table[*rules.Space]{
	kind: rules.KindSpace, read: selectStoredSpaces, upsert: upsertSpaces, remove: deleteSpace, uses: countUsesOfSpace,
	row: func(s *rules.Space) any { return spaceRow{s, bits(s.AccessibilityFlags)} },
}

const selectVenuesOfSpaces = `SELECT uuid::text, venue_uuid::text FROM space WHERE uuid = ANY ($1::uuid[])`

// VenuesOfSpaces returns the venue of each of the spaces that exist.
func VenuesOfSpaces(ctx context.Context, tx pgx.Tx, uuids []string) (map[string]string, error) {
	return postgres.Pairs(ctx, tx, "venues of spaces", selectVenuesOfSpaces, uuids)
}

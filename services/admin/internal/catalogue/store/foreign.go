package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

const selectForeignParts = `
SELECT uuid::text
FROM event_date
WHERE uuid = ANY ($2::uuid[]) AND event_uuid <> $1::uuid
UNION ALL
SELECT uuid::text
FROM event_date_rule
WHERE uuid = ANY ($2::uuid[]) AND event_uuid <> $1::uuid
UNION ALL
SELECT uuid::text
FROM event_image
WHERE uuid = ANY ($2::uuid[]) AND event_uuid IS DISTINCT FROM $1::uuid
UNION ALL
SELECT uuid::text
FROM event_link
WHERE uuid = ANY ($2::uuid[]) AND event_uuid <> $1::uuid`

// ForeignParts returns the uuids that belong to dates, rules, images or links of other
// events, or to images of series.
func ForeignParts(ctx context.Context, tx pgx.Tx, event string, uuids []string) (map[string]bool, error) {
	found, err := postgres.Collect[string](ctx, tx, "parts of other events", selectForeignParts, event, uuids)
	if err != nil {
		return nil, err
	}
	return postgres.Set(found), nil
}

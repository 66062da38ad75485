package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const selectForeignParts = `
SELECT uuid::text
FROM event_date
WHERE uuid = ANY ($2::uuid[]) AND event_uuid <> $1::uuid
UNION ALL
SELECT uuid::text
FROM event_image
WHERE uuid = ANY ($2::uuid[]) AND event_uuid <> $1::uuid`

// ForeignParts returns those of the uuids that dates or images of other events have.
func ForeignParts(ctx context.Context, tx pgx.Tx, event string, uuids []string) (map[string]bool, error) {
	rows, err := tx.Query(ctx, selectForeignParts, event, uuids)
	if err != nil {
		return nil, fmt.Errorf("look for parts of other events: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look for parts of other events: %w", err)
	}
	foreign := make(map[string]bool, len(found))
	for _, uuid := range found {
		foreign[uuid] = true
	}
	return foreign, nil
}

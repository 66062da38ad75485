package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

const selectImageUUIDs = `
SELECT uuid::text
FROM event_image`

// ImageUUIDs returns the uuids of all images.
func ImageUUIDs(ctx context.Context, tx pgx.Tx) ([]string, error) {
	return postgres.Collect[string](ctx, tx, "images", selectImageUUIDs)
}

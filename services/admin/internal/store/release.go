package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/postgres"
)

const releaseDue = `
UPDATE event
SET release_scheduled = false
WHERE release_scheduled AND release_date <= $1
RETURNING uuid::text`

// ReleaseDue clears the schedule of all events whose release date has passed, which makes them
// public, and returns their uuids.
func ReleaseDue(ctx context.Context, tx pgx.Tx, now time.Time) ([]string, error) {
	return postgres.Collect[string](ctx, tx, "events due for release", releaseDue, now)
}

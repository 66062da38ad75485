package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

const selectDue = `
SELECT uuid::text
FROM event
WHERE release_scheduled AND release_date <= $1`

// DueForRelease returns the uuids of all events whose release date has passed and that are not
// public yet.
func DueForRelease(ctx context.Context, tx pgx.Tx, now time.Time) ([]string, error) {
	return postgres.Collect[string](ctx, tx, "events due for release", selectDue, now)
}

const releaseDue = `
WITH due AS (
    SELECT uuid
    FROM event
    WHERE uuid = ANY ($1::uuid[]) AND release_scheduled AND release_date <= $2
    ORDER BY uuid
    FOR NO KEY UPDATE
)
UPDATE event
SET release_scheduled = false
FROM due
WHERE event.uuid = due.uuid
RETURNING event.uuid::text`

// Release clears the schedule of the events that are still due, which makes them public, and
// returns their uuids. It locks them in the order of their uuids, as LockRows does.
func Release(ctx context.Context, tx pgx.Tx, events []string, now time.Time) ([]string, error) {
	return postgres.Collect[string](ctx, tx, "released events", releaseDue, events, now)
}

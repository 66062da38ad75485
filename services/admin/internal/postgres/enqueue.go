package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const insertOutboxOfVenues = `
INSERT INTO outbox (kind, entity_id)
SELECT 'event', event.uuid
FROM event
JOIN (
    SELECT uuid FROM event WHERE venue_uuid = ANY ($1::uuid[])
    UNION
    SELECT event_uuid FROM event_date WHERE venue_uuid = ANY ($1::uuid[])
) AS used ON used.uuid = event.uuid
WHERE event.release_status NOT IN ('draft', 'review')`

// EnqueueEventsOfVenues is Enqueue for the public events that show one of the venues, for all dates or for one.
func EnqueueEventsOfVenues(ctx context.Context, tx pgx.Tx, venues []string) error {
	return enqueue(ctx, tx, insertOutboxOfVenues, venues)
}

const insertOutboxOfSpaces = `
INSERT INTO outbox (kind, entity_id)
SELECT 'event', event.uuid
FROM event
JOIN (
    SELECT event.uuid
    FROM space
    JOIN event ON event.venue_uuid = space.venue_uuid AND event.space_uuid = space.uuid
    WHERE space.uuid = ANY ($1::uuid[])
    UNION
    SELECT event_date.event_uuid
    FROM space
    JOIN event_date ON event_date.venue_uuid = space.venue_uuid AND event_date.space_uuid = space.uuid
    WHERE space.uuid = ANY ($1::uuid[])
) AS used ON used.uuid = event.uuid
WHERE event.release_status NOT IN ('draft', 'review')`

// EnqueueEventsOfSpaces is Enqueue for the public events that show one of the spaces, for all dates or for one.
func EnqueueEventsOfSpaces(ctx context.Context, tx pgx.Tx, spaces []string) error {
	return enqueue(ctx, tx, insertOutboxOfSpaces, spaces)
}

const insertOutboxOfOrganizations = `
INSERT INTO outbox (kind, entity_id)
SELECT 'venue', uuid::text
FROM venue
WHERE org_uuid = ANY ($1::uuid[])
UNION ALL
SELECT 'event', uuid::text
FROM event
WHERE org_uuid = ANY ($1::uuid[]) AND release_status NOT IN ('draft', 'review')`

// EnqueueUsesOfOrganizations is Enqueue for the venues and the public events of the organizations.
func EnqueueUsesOfOrganizations(ctx context.Context, tx pgx.Tx, organizations []string) error {
	return enqueue(ctx, tx, insertOutboxOfOrganizations, organizations)
}

// enqueue runs a statement for a list of uuids, unless it is empty.
func enqueue(ctx context.Context, tx pgx.Tx, sql string, uuids []string) error {
	if len(uuids) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, sql, uuids); err != nil {
		return fmt.Errorf("write outbox: %w", err)
	}
	return nil
}

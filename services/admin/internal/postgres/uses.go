package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Uses is by how many of each an entity is used.
type Uses struct {
	Organizations, Venues, Events int
}

const countUsesOfOrganization = `
SELECT
    (SELECT count(*) FROM organization WHERE holding_org_uuid = $1::uuid),
    (SELECT count(*) FROM venue WHERE org_uuid = $1::uuid),
    (SELECT count(*) FROM event WHERE org_uuid = $1::uuid)`

// UsesOfOrganization counts what belongs to an organization: held organizations, venues and events.
func UsesOfOrganization(ctx context.Context, tx pgx.Tx, uuid string) (Uses, error) {
	return countUses(ctx, tx, countUsesOfOrganization, uuid)
}

const countUsesOfVenue = `
SELECT 0, 0, count(*)
FROM (
    SELECT uuid FROM event WHERE venue_uuid = $1::uuid
    UNION
    SELECT event_uuid FROM event_date WHERE venue_uuid = $1::uuid
) AS used`

// UsesOfVenue counts the events that take place in a venue, with all dates or with one.
func UsesOfVenue(ctx context.Context, tx pgx.Tx, uuid string) (Uses, error) {
	return countUses(ctx, tx, countUsesOfVenue, uuid)
}

const countUsesOfSpace = `
SELECT 0, 0, count(*)
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

// UsesOfSpace counts the events that take place in a space, with all dates or with one.
func UsesOfSpace(ctx context.Context, tx pgx.Tx, uuid string) (Uses, error) {
	return countUses(ctx, tx, countUsesOfSpace, uuid)
}

func countUses(ctx context.Context, tx pgx.Tx, sql, uuid string) (Uses, error) {
	var uses Uses
	if err := tx.QueryRow(ctx, sql, uuid).Scan(&uses.Organizations, &uses.Venues, &uses.Events); err != nil {
		return Uses{}, fmt.Errorf("count uses: %w", err)
	}
	return uses, nil
}

package outbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The conditions below take the first row that they find by an index. With EXISTS the planner may
// gather all public events and dates of the catalogue instead, for each statement.

// publiclyUsedVenue is SQL for whether a public event or one of its dates uses the venue v.
const publiclyUsedVenue = `coalesce((
        SELECT true
        FROM event e
        WHERE e.venue_uuid = v.uuid AND ` + publicEvent + `
        LIMIT 1
    ), (
        SELECT true
        FROM event_date d
        JOIN event e ON e.uuid = d.event_uuid
        WHERE d.venue_uuid = v.uuid AND ` + publicEvent + `
        LIMIT 1
    ), false)`

// publicOrganization is SQL for whether the organization o has a public event or a venue that a
// public event uses (RULES.md, What is public).
const publicOrganization = Approved + `o.uuid) AND coalesce((
        SELECT true
        FROM event e
        WHERE e.org_uuid = o.uuid AND ` + publicEvent + `
        LIMIT 1
    ), (
        SELECT true
        FROM venue v
        WHERE v.org_uuid = o.uuid AND ` + publiclyUsedVenue + `
        LIMIT 1
    ), false)`

const insertOutboxOfPublicOrganizations = `
INSERT INTO outbox (kind, entity_id)
SELECT 'organization', o.uuid::text
FROM organization o
WHERE o.uuid = ANY ($1::uuid[]) AND ` + publicOrganization

// EnqueuePublicOrganizations enqueues the public ones of the organizations.
func EnqueuePublicOrganizations(ctx context.Context, tx pgx.Tx, organizations []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfPublicOrganizations, organizations)
}

// ownersOfEvents is SQL for whether the stored events belong to the organization o, or use one of
// its venues.
const ownersOfEvents = `o.uuid = ANY (ARRAY(
    SELECT org_uuid
    FROM event
    WHERE uuid = ANY ($1::uuid[])
    UNION
    SELECT org_uuid
    FROM venue
    WHERE uuid = ANY (ARRAY(
        SELECT venue_uuid
        FROM event
        WHERE uuid = ANY ($1::uuid[]) AND venue_uuid IS NOT NULL
        UNION
        SELECT venue_uuid
        FROM event_date
        WHERE event_uuid = ANY ($1::uuid[]) AND venue_uuid IS NOT NULL
    ))
))`

const lockOwnersOfEvents = `
SELECT
FROM organization o
WHERE ` + ownersOfEvents + `
ORDER BY o.uuid
FOR SHARE OF o`

// LockOwnersOfEvents locks the organizations that EnqueueOwnersOfEvents may enqueue, for callers
// that lock the events before they enqueue.
func LockOwnersOfEvents(ctx context.Context, tx pgx.Tx, events []string) error {
	if _, err := tx.Exec(ctx, lockOwnersOfEvents, events); err != nil {
		return fmt.Errorf("lock organizations: %w", err)
	}
	return nil
}

// insertOutboxOfOwnersOfEvents locks the organizations, so that a change of one of them that has
// not been committed yet is published as well: either this statement waits for the change, or the
// change finds the organization public. Callers lock them before the events: a batch that changes
// both takes them in this order.
const insertOutboxOfOwnersOfEvents = `
INSERT INTO outbox (kind, entity_id)
SELECT 'organization', o.uuid::text
FROM organization o
WHERE ` + ownersOfEvents + ` AND ` + publicOrganization + `
ORDER BY o.uuid
FOR SHARE OF o`

// EnqueueOwnersOfEvents enqueues the public ones of the organizations that the stored events belong
// to, or whose venues they use: the events may have made them public.
func EnqueueOwnersOfEvents(ctx context.Context, tx pgx.Tx, events []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfOwnersOfEvents, events)
}

const insertOutboxOfOwners = `
INSERT INTO outbox (kind, entity_id)
SELECT 'organization', uuid::text
FROM organization
WHERE uuid = ANY ($1::uuid[] || ARRAY(SELECT org_uuid FROM venue WHERE uuid = ANY ($2::uuid[])))`

// EnqueueOwners enqueues organizations and the organizations of venues, public or not: they may
// have been public until now.
func EnqueueOwners(ctx context.Context, tx pgx.Tx, organizations, venues []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfOwners, organizations, venues)
}

const insertOutboxOfMovedVenues = `
INSERT INTO outbox (kind, entity_id)
SELECT DISTINCT 'organization', moved.org_uuid::text
FROM unnest($1::uuid[], $2::uuid[]) AS moved (venue_uuid, org_uuid)
JOIN venue v ON v.uuid = moved.venue_uuid
WHERE ` + publiclyUsedVenue

// EnqueueOwnersOfMovedVenues enqueues organizations[i], which venues[i] belonged to before or
// belongs to now, for each venue that a public event uses.
func EnqueueOwnersOfMovedVenues(ctx context.Context, tx pgx.Tx, venues, organizations []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfMovedVenues, venues, organizations)
}

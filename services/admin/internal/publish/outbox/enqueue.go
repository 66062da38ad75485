package outbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
)

const insertOutbox = `
INSERT INTO outbox (kind, entity_id)
SELECT $1, unnest($2::text[])`

// Enqueue adds entities whose public views may have changed: the relay will publish their state.
func Enqueue(ctx context.Context, tx pgx.Tx, kind change.Kind, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return insert(ctx, tx, insertOutbox, kind, ids)
}

// The statements below select every event of a public status, including one whose release date is
// in the future: the relay may release it meanwhile and publish the state from before this
// transaction.

const insertOutboxOfVenues = `
INSERT INTO outbox (kind, entity_id)
SELECT 'event', event.uuid
FROM event
JOIN (
    SELECT uuid FROM event WHERE venue_uuid = ANY ($1::uuid[])
    UNION
    SELECT event_uuid FROM event_date WHERE venue_uuid = ANY ($1::uuid[])
) AS used ON used.uuid = event.uuid
WHERE event_status_is_public(event.release_status)`

// EnqueueEventsOfVenues enqueues the events that show one of the venues, for all dates or for one.
func EnqueueEventsOfVenues(ctx context.Context, tx pgx.Tx, venues []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfVenues, venues)
}

const insertOutboxOfSource = `
INSERT INTO outbox (kind, entity_id)
SELECT 'event', event.uuid
FROM imported_event
JOIN event ON event.uuid = imported_event.event_uuid
WHERE imported_event.org_uuid = $1 AND imported_event.source = $2 AND event_status_is_public(event.release_status)`

// EnqueueEventsOfSource enqueues the events that imports of a source of an organization have
// brought, which show its name.
func EnqueueEventsOfSource(ctx context.Context, tx pgx.Tx, org, source string) error {
	if _, err := tx.Exec(ctx, insertOutboxOfSource, org, source); err != nil {
		return fmt.Errorf("enqueue events of a source: %w", err)
	}
	return nil
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
WHERE event_status_is_public(event.release_status)`

// EnqueueEventsOfSpaces enqueues the events that show one of the spaces, for all dates or for one.
func EnqueueEventsOfSpaces(ctx context.Context, tx pgx.Tx, spaces []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfSpaces, spaces)
}

const insertOutboxOfSeries = `
INSERT INTO outbox (kind, entity_id)
SELECT 'event', event.uuid
FROM event
WHERE uuid IN (SELECT event_uuid FROM series_event WHERE series_uuid = ANY ($1::uuid[]) AND state = 'accepted')
    AND event_status_is_public(event.release_status)`

// EnqueueEventsOfSeries enqueues the events that belong to one of the series.
func EnqueueEventsOfSeries(ctx context.Context, tx pgx.Tx, series []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfSeries, series)
}

const insertOutboxOfContributors = `
INSERT INTO outbox (kind, entity_id)
SELECT 'event', event.uuid
FROM event
WHERE
    uuid IN (SELECT event_uuid FROM event_contributor WHERE contributor_uuid = ANY ($1::uuid[]))
    AND event_status_is_public(release_status)`

// EnqueueEventsOfContributors enqueues the events that name one of the contributors.
func EnqueueEventsOfContributors(ctx context.Context, tx pgx.Tx, contributors []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfContributors, contributors)
}

const insertOutboxOfNaming = `
INSERT INTO outbox (kind, entity_id)
SELECT DISTINCT 'contributor', contributor_uuid::text
FROM event_contributor
WHERE event_uuid = ANY ($1::uuid[])`

// EnqueueContributorsOfEvents enqueues the contributors that the stored events name: the events may
// have made them public.
func EnqueueContributorsOfEvents(ctx context.Context, tx pgx.Tx, events []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfNaming, events)
}

const insertOutboxOfOrganizations = `
INSERT INTO outbox (kind, entity_id)
SELECT 'venue', uuid::text
FROM venue
WHERE org_uuid = ANY ($1::uuid[])
UNION ALL
SELECT 'series', uuid::text
FROM series
WHERE org_uuid = ANY ($1::uuid[])
UNION ALL
SELECT 'event', uuid::text
FROM event
WHERE org_uuid = ANY ($1::uuid[]) AND event_status_is_public(release_status)`

// EnqueueUsesOfOrganizations enqueues the venues, the series and the events of the organizations.
func EnqueueUsesOfOrganizations(ctx context.Context, tx pgx.Tx, organizations []string) error {
	return enqueueFor(ctx, tx, insertOutboxOfOrganizations, organizations)
}

const insertOutboxOfOrganization = `
INSERT INTO outbox (kind, entity_id)
SELECT 'organization', $1::uuid::text
UNION
SELECT 'portal', uuid::text
FROM portal
WHERE org_uuid = $1
UNION
SELECT 'list', uuid::text
FROM list
WHERE org_uuid = $1
UNION
SELECT 'series', uuid::text
FROM series
WHERE org_uuid = $1
UNION
SELECT 'event', event.uuid::text
FROM series
JOIN series_event ON series_event.series_uuid = series.uuid
JOIN event ON event.uuid = series_event.event_uuid
WHERE series.org_uuid = $1 AND event_status_is_public(event.release_status)
UNION
SELECT 'contributor', event_contributor.contributor_uuid::text
FROM event
JOIN event_contributor ON event_contributor.event_uuid = event.uuid
WHERE event.org_uuid = $1
UNION
SELECT 'venue', uuid::text
FROM venue
WHERE org_uuid = $1
UNION
SELECT 'event', uuid::text
FROM event
WHERE org_uuid = $1 AND event_status_is_public(release_status)
UNION
SELECT 'event', event.uuid::text
FROM venue
JOIN event ON event.venue_uuid = venue.uuid
WHERE venue.org_uuid = $1 AND event_status_is_public(event.release_status)
UNION
SELECT 'event', event.uuid::text
FROM venue
JOIN event_date ON event_date.venue_uuid = venue.uuid
JOIN event ON event.uuid = event_date.event_uuid
WHERE venue.org_uuid = $1 AND event_status_is_public(event.release_status)
UNION
SELECT 'organization', venue.org_uuid::text
FROM event
JOIN venue ON venue.uuid = event.venue_uuid
WHERE event.org_uuid = $1 AND event_status_is_public(event.release_status)
UNION
SELECT 'organization', venue.org_uuid::text
FROM event
JOIN event_date ON event_date.event_uuid = event.uuid
JOIN venue ON venue.uuid = event_date.venue_uuid
WHERE event.org_uuid = $1 AND event_status_is_public(event.release_status)`

// EnqueueOrganization enqueues everything of an organization that may be public, the events of
// others that use its venues or belong to its series, and the contributors and organizations that
// its events make public.
func EnqueueOrganization(ctx context.Context, tx pgx.Tx, organization string) error {
	return insert(ctx, tx, insertOutboxOfOrganization, organization)
}

// enqueueFor runs a statement for lists of uuids, unless all of them are empty.
func enqueueFor(ctx context.Context, tx pgx.Tx, sql string, lists ...[]string) error {
	uuids, args := 0, make([]any, len(lists))
	for i, list := range lists {
		uuids, args[i] = uuids+len(list), list
	}
	if uuids == 0 {
		return nil
	}
	return insert(ctx, tx, sql, args...)
}

func insert(ctx context.Context, tx pgx.Tx, sql string, args ...any) error {
	if err := setTraceParent(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, sql, args...); err != nil {
		return fmt.Errorf("write outbox: %w", err)
	}
	return nil
}

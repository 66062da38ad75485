package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

// EventPlace is the organization, the place and the takedown of an event, as its members see them.
type EventPlace struct {
	OrgName   string     `json:"org_name"`
	VenueName value.Text `json:"venue_name"`
	SpaceName value.Text `json:"space_name"`
	// TakenBack is nil for an event that is not.
	TakenBack *rules.Takedown `json:"taken_back"`
	// Unknown are the places of the event and its dates without accessibility flags: a space
	// without flags has the flags of its venue (RULES.md, Dates and places).
	Unknown []PlaceName `json:"unknown"`
	// Unplaced are the venues of the event and its dates without a position.
	Unplaced []PlaceName `json:"unplaced"`
	// Hidden are the venues of other organizations that are not approved: the public does not see
	// them (RULES.md, What is public).
	Hidden []PlaceName `json:"hidden"`
	// Asked are the venues whose owners have not decided yet on a request for the event.
	Asked []PlaceName `json:"asked"`
}

// PlaceName is a space, or a venue as a whole.
type PlaceName struct {
	Kind rules.Kind `json:"kind"`
	UUID string     `json:"uuid"`
	Name string     `json:"name"`
}

const selectEventPlace = `
WITH place AS (
    SELECT venue_uuid, space_uuid
    FROM event
    WHERE uuid = $1
    UNION
    SELECT venue_uuid, space_uuid
    FROM event_date
    WHERE event_uuid = $1
)
SELECT json_build_object(
    'org_name', o.name, 'venue_name', v.name, 'space_name', s.name,
    'taken_back', CASE
        WHEN e.taken_back_at IS NOT NULL
        THEN json_build_object('reason', e.taken_back_reason, 'at', e.taken_back_at)
    END,
    'unknown', (
        SELECT coalesce(json_agg(json_build_object(
            'kind', CASE WHEN ps.uuid IS NULL THEN 'venue' ELSE 'space' END,
            'uuid', coalesce(ps.uuid, pv.uuid), 'name', coalesce(ps.name, pv.name)
        ) ORDER BY coalesce(ps.uuid, pv.uuid)), '[]')
        FROM place
        JOIN venue pv ON pv.uuid = place.venue_uuid
        LEFT JOIN space ps ON ps.uuid = place.space_uuid
        WHERE coalesce(ps.accessibility_flags, pv.accessibility_flags) IS NULL
    ),
    'unplaced', (
        SELECT coalesce(json_agg(DISTINCT jsonb_build_object('kind', 'venue', 'uuid', pv.uuid, 'name', pv.name)), '[]')
        FROM place
        JOIN venue pv ON pv.uuid = place.venue_uuid
        WHERE pv.lat IS NULL
    ),
    'hidden', (
        SELECT coalesce(json_agg(DISTINCT jsonb_build_object('kind', 'venue', 'uuid', pv.uuid, 'name', pv.name)), '[]')
        FROM place
        JOIN venue pv ON pv.uuid = place.venue_uuid AND pv.org_uuid <> e.org_uuid
        JOIN organization_approval a ON a.org_uuid = pv.org_uuid AND a.state <> 'approved'
    ),
    'asked', (
        SELECT coalesce(json_agg(json_build_object('kind', 'venue', 'uuid', pv.uuid, 'name', pv.name) ORDER BY pv.uuid), '[]')
        FROM venue_request r
        JOIN venue pv ON pv.uuid = r.venue_uuid
        WHERE r.event_uuid = e.uuid AND r.state = 'pending'
    )
)
FROM event e
JOIN organization o ON o.uuid = e.org_uuid
LEFT JOIN venue v ON v.uuid = e.venue_uuid
LEFT JOIN space s ON s.uuid = e.space_uuid
WHERE e.uuid = $1`

// ReadEventPlace returns the organization, the place and the takedown of an existing event.
func ReadEventPlace(ctx context.Context, tx pgx.Tx, event string) (place EventPlace, err error) {
	if err := tx.QueryRow(ctx, selectEventPlace, event).Scan(&place); err != nil {
		return place, fmt.Errorf("read place of event: %w", err)
	}
	return place, nil
}

const selectHiddenVenues = `
SELECT json_build_object('kind', 'venue', 'uuid', v.uuid, 'name', v.name)
FROM venue v
JOIN organization_approval a ON a.org_uuid = v.org_uuid AND a.state <> 'approved'
WHERE v.uuid = ANY ($2::uuid[]) AND v.org_uuid <> $1
ORDER BY v.uuid`

// HiddenVenues returns the venues among the given ones that belong to other organizations than org
// and are not shown, because their organization is not approved.
func HiddenVenues(ctx context.Context, q postgres.Querier, org string, venues []string) ([]PlaceName, error) {
	return postgres.Collect[PlaceName](ctx, q, "hidden venues", selectHiddenVenues, org, venues)
}

// Booking is a date in one of the given places: a space, or a venue as a whole. Whole is whether
// the date or the given place has no space.
type Booking struct {
	EventUUID string     `json:"event_uuid"`
	Title     string     `json:"title"`
	VenueUUID string     `json:"venue_uuid"`
	SpaceUUID string     `json:"space_uuid"` // "": the given place is the venue as a whole
	Whole     bool       `json:"whole"`
	Date      rules.Date `json:"date"`
}

// Of other organizations, only public events are shown. Cancelled and deferred dates leave their
// space to others.
const selectBookings = `
WITH place AS (
    SELECT venue_uuid, nullif(space_uuid, '')::uuid AS space_uuid
    FROM unnest($3::uuid[], $4::text[]) AS asked (venue_uuid, space_uuid)
), taken AS (
    SELECT d.event_uuid, place.venue_uuid, place.space_uuid, d.space_uuid AS own_space, d.uuid
    FROM place
    JOIN event_date d ON d.venue_uuid = place.venue_uuid
        AND coalesce(d.space_uuid = place.space_uuid, true)
    UNION ALL
    SELECT d.event_uuid, place.venue_uuid, place.space_uuid, e.space_uuid, d.uuid
    FROM place
    JOIN event e ON e.venue_uuid = place.venue_uuid AND coalesce(e.space_uuid = place.space_uuid, true)
    JOIN event_date d ON d.event_uuid = e.uuid AND d.venue_uuid IS NULL
)
SELECT json_build_object(
    'event_uuid', e.uuid, 'title', e.title, 'venue_uuid', taken.venue_uuid, 'space_uuid', taken.space_uuid,
    'whole', taken.space_uuid IS NULL OR taken.own_space IS NULL,
    'date', json_build_object(
        'uuid', d.uuid, 'start_date', d.start_date, 'start_time', to_char(d.start_time, 'HH24:MI'),
        'end_date', d.end_date, 'end_time', to_char(d.end_time, 'HH24:MI'), 'all_day', d.all_day
    )
)
FROM taken
JOIN event e ON e.uuid = taken.event_uuid
JOIN event_date d ON d.uuid = taken.uuid
WHERE e.uuid IS DISTINCT FROM nullif($1, '')::uuid
    AND (
        e.org_uuid = nullif($2, '')::uuid
        OR event_is_public(e.release_status, e.release_scheduled) AND NOT EXISTS (
            SELECT
            FROM organization_approval a
            WHERE a.state <> 'approved' AND a.org_uuid = e.org_uuid
        )
    )
    AND CASE d.release_status WHEN 'inherited' THEN e.release_status ELSE d.release_status END
        NOT IN ('cancelled', 'deferred')
    AND d.start_date <= $6 AND last_day(d.start_date, d.end_date, d.hours) >= $5
ORDER BY d.start_date, d.start_time NULLS FIRST, d.uuid
LIMIT 1000`

// Bookings returns up to 1,000 dates of other events in places from one day to another: of events
// of the same organization, and of public events of others. Each place is a venue with one of its
// spaces, or with "" for the venue as a whole; a date without a space takes all of them. event and
// org may be "".
func Bookings(
	ctx context.Context, q postgres.Querier, event, org string, venues, spaces []string, from, to string,
) ([]Booking, error) {
	return postgres.Collect[Booking](ctx, q, "dates in spaces", selectBookings, event, org, venues, spaces, from, to)
}

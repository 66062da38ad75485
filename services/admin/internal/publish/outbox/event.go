package outbox

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
)

// placesChangedAt is when a venue or space of the event e or of its dates changed last. Subqueries,
// and not joins, look venues and spaces up by key, even in a plan of before an import filled them.
const placesChangedAt = `(
            SELECT greatest(
                max((SELECT updated_at FROM venue WHERE uuid = used.venue_uuid)),
                max((SELECT updated_at FROM space WHERE uuid = used.space_uuid))
            )
            FROM (
                SELECT e.venue_uuid, e.space_uuid
                UNION
                SELECT venue_uuid, space_uuid
                FROM event_date
                WHERE event_uuid = e.uuid
            ) used
        )`

// seriesOfEvent are the public series that the event e belongs to, in its order, with the parts
// that its dates name; NULL for none.
const seriesOfEvent = `(
            SELECT json_agg(json_build_object(
                'uuid', s.uuid, 'slug', s.slug, 'title', s.title, 'start_date', s.start_date, 'end_date', s.end_date,
                'text_language', s.text_language, 'texts', (
                    SELECT json_object_agg(language, json_build_object('title', text -> 'title') ORDER BY language)
                    FROM jsonb_each(s.texts) AS translation (language, text)
                    WHERE text ? 'title'
                ),
                'parts', (
                    SELECT json_agg(json_build_object('uuid', p.uuid, 'kind', p.kind, 'title', p.title) ORDER BY p.position)
                    FROM series_part p
                    WHERE p.series_uuid = s.uuid
                        AND EXISTS (SELECT FROM event_date WHERE event_uuid = e.uuid AND series_part_uuid = p.uuid)
                )
            ) ORDER BY m.position)
            FROM series_event m
            JOIN series s ON s.uuid = m.series_uuid
            WHERE m.event_uuid = e.uuid AND m.state = 'accepted' AND ` + publicSeries + `
        )`

// partOfDate is the part of a date of the event e, if it is one of a series that is shown.
const partOfDate = `CASE WHEN series_part_uuid IS NOT NULL THEN (
                        SELECT p.uuid
                        FROM series_part p
                        JOIN series_event m ON m.series_uuid = p.series_uuid
                        JOIN series s ON s.uuid = p.series_uuid
                        WHERE p.uuid = series_part_uuid AND m.event_uuid = e.uuid AND m.state = 'accepted' AND ` + publicSeries + `
                    ) END`

// contributorsChangedAt is when a contributor of the event e changed last.
const contributorsChangedAt = `(
            SELECT max(c.updated_at)
            FROM event_contributor n
            JOIN contributor c ON c.uuid = n.contributor_uuid
            WHERE n.event_uuid = e.uuid
        )`

// selectEvents ends within the condition, which may be narrowed.
const selectEvents = `
SELECT row_to_json(snapshot)
FROM (
    SELECT
        e.uuid,
        json_build_object('uuid', o.uuid, 'name', o.name, 'web_link', o.web_link, 'contact_email', o.contact_email,
                          'contact_phone', o.contact_phone) AS organization,
        e.venue_uuid, e.space_uuid, e.title, e.subtitle, e.summary, e.description, e.categories,
        (
            SELECT coalesce(json_agg(json_build_object('type_id', t.type_id, 'genre_id', t.genre_id)
                                     ORDER BY t.position, t.type_id, t.genre_id), '[]')
            FROM event_type t
            WHERE t.event_uuid = e.uuid
        ) AS event_types,
        e.languages, e.tags, e.labels, e.min_age, e.max_age, e.price_type, e.min_price, e.max_price, e.currency, e.ticket_flags,
        mask_to_text(e.visitor_info_flags) AS visitor_info_flags,
        e.participation_info, e.meeting_point, e.max_attendees, e.occasion, e.online_link, e.source_link,
        (
            SELECT s.name
            FROM imported_event i
            JOIN event_source s ON s.org_uuid = i.org_uuid AND s.record = i.source
            WHERE i.event_uuid = e.uuid AND i.org_uuid = e.org_uuid
            ORDER BY s.uuid
            LIMIT 1
        ) AS source_name,
        (
            SELECT i.origin
            FROM imported_event i
            WHERE i.event_uuid = e.uuid AND i.origin IS NOT NULL
            ORDER BY i.imported_at, i.source
            LIMIT 1
        ) AS origin,
        e.release_status, e.status_note, ` + changedAt + `e.status_changed_at` + inUTC + ` AS status_changed_at, e.tariffs,
        e.text_language, e.texts, e.video_link,
        ` + changedAt + `greatest(e.updated_at, e.release_date, ` + placesChangedAt + `, ` + contributorsChangedAt + `)` + inUTC + ` AS changed_at,
        (
            SELECT coalesce(json_agg(json_build_object('type', l.type, 'label', l.label, 'url', l.url)
                                     ORDER BY l.position), '[]')
            FROM event_link l
            WHERE l.event_uuid = e.uuid
        ) AS event_links,
        (
            SELECT coalesce(json_agg(m ORDER BY m.identifier), '[]')
            FROM event_image m
            WHERE m.event_uuid = e.uuid
        ) AS images,
        (
            SELECT coalesce(json_agg(d ORDER BY d.start_date, d.start_time NULLS FIRST, d.uuid), '[]')
            FROM (
                SELECT uuid, slug, start_date, left(start_time::text, 5) AS start_time, end_date,
                    left(end_time::text, 5) AS end_time, left(entry_time::text, 5) AS entry_time, all_day,
                    venue_uuid, space_uuid, release_status, status_note, ticket_link,
                    accessibility_info, hours, ` + partOfDate + ` AS series_part_uuid,
                    availability, remaining_places, on_sale_from, on_sale_until, previous_start, tariffs,
                    ` + changedAt + `status_changed_at` + inUTC + ` AS status_changed_at
                FROM event_date
                WHERE event_uuid = e.uuid
            ) d
        ) AS dates,
        ` + seriesOfEvent + ` AS series,
        (
            SELECT json_agg(json_build_object('uuid', c.uuid, 'role', n.role, 'type', c.type, 'name', c.name, 'note', c.note,
                'web_link', c.web_link, 'wikidata', c.wikidata, 'former_uuids', c.former_uuids) ORDER BY n.position)
            FROM event_contributor n
            JOIN contributor c ON c.uuid = n.contributor_uuid
            WHERE n.event_uuid = e.uuid
        ) AS contributors
    FROM event e
    JOIN organization o ON o.uuid = e.org_uuid
    WHERE e.uuid = ANY ($1::uuid[])`

const (
	selectEventSnapshots = selectEvents + ` AND ` + publicEvent + `
) AS snapshot`

	selectEventPreview = selectEvents + `
) AS snapshot`
)

// selectVenuesOfEvents omits venues of organizations that are not approved, except of the events'
// own ones $2, whose events are only shown in previews.
const selectVenuesOfEvents = `
SELECT row_to_json(snapshot)
FROM (
    SELECT uuid, name, street, house_number, postal_code, city, state, country, lat, lon, timezone, web_link,
        mask_to_text(accessibility_flags) AS accessibility_flags, wikidata_id, osm_id
    FROM venue
    WHERE uuid = ANY ($1::uuid[]) AND (` + Approved + `venue.org_uuid) OR org_uuid = ANY ($2::uuid[]))
) AS snapshot`

const selectSpacesOfEvents = `
SELECT row_to_json(snapshot)
FROM (
    SELECT uuid, venue_uuid, name, description, space_type, building_level, total_capacity, seating_capacity, web_link,
        mask_to_text(accessibility_flags) AS accessibility_flags, accessibility_summary
    FROM space
    WHERE uuid = ANY ($1::uuid[])
) AS snapshot`

// eventSnapshots reads events, then the venues and spaces that they and their dates refer to.
func eventSnapshots(ctx context.Context, tx pgx.Tx, ids []string) (map[string]any, error) {
	events, err := readEvents(ctx, tx, selectEventSnapshots, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]any, len(events))
	for _, event := range events {
		byID[event.UUID] = event
	}
	return byID, nil
}

// Preview returns an event as it would be published, public or not; nil when there is none. It is
// for people who may see the event, never for the stream.
func Preview(ctx context.Context, tx pgx.Tx, event string) (*change.Event, error) {
	found, err := readEvents(ctx, tx, selectEventPreview, []string{event})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// readEvents runs a query of events and adds the places that they refer to.
func readEvents(ctx context.Context, tx pgx.Tx, query string, ids []string) ([]*change.Event, error) {
	events, err := readSnapshots[change.Event](ctx, tx, query, ids)
	if err != nil {
		return nil, err
	}
	var owners []string
	for _, e := range events {
		owners = append(owners, e.Organization.UUID)
	}
	venueIDs, spaceIDs := placesOf(events)
	venues, err := readSnapshots[change.VenueOfEvent](ctx, tx, selectVenuesOfEvents, venueIDs, owners)
	if err != nil {
		return nil, err
	}
	spaces, err := readSnapshots[change.Space](ctx, tx, selectSpacesOfEvents, spaceIDs)
	if err != nil {
		return nil, err
	}
	fillPlaces(events, venues, spaces)
	return events, nil
}

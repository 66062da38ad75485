package store

import "litfass/services/admin/internal/catalogue/rules"

const eventRows = `
    SELECT
        uuid, org_uuid, venue_uuid, space_uuid, title, subtitle, summary, description, categories,
        (
            SELECT coalesce(json_agg(event_type ORDER BY position), '[]')
            FROM event_type
            WHERE event_uuid = event.uuid
        ) AS event_types,
        languages, tags, labels, min_age, max_age, price_type, min_price, max_price, currency, ticket_flags,
        mask_to_text(visitor_info_flags) AS visitor_info_flags, participation_info, meeting_point, max_attendees,
        occasion, online_link, source_link, release_status, release_date, status_note,
        to_char(status_changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS status_changed_at, tariffs, text_language, texts,
        video_link,
        (
            SELECT coalesce(json_agg(event_link ORDER BY position), '[]')
            FROM event_link
            WHERE event_uuid = event.uuid
        ) AS event_links,
        (
            SELECT coalesce(json_agg(event_image ORDER BY identifier <> 'main', identifier), '[]')
            FROM event_image
            WHERE event_uuid = event.uuid
        ) AS images,
        (
            SELECT coalesce(json_agg(row ORDER BY start_date, start_time NULLS FIRST, uuid), '[]')
            FROM (
                SELECT
                    uuid, start_date, to_char(start_time, 'HH24:MI') AS start_time, end_date,
                    to_char(end_time, 'HH24:MI') AS end_time, to_char(entry_time, 'HH24:MI') AS entry_time, all_day,
                    venue_uuid, space_uuid, release_status, status_note, ticket_link, accessibility_info, hours,
                    rule_uuid, recurrence_id, series_part_uuid,
                    availability, remaining_places, availability_version, on_sale_from, on_sale_until, previous_start, tariffs,
                    to_char(status_changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS status_changed_at
                FROM event_date
                WHERE event_uuid = event.uuid
            ) AS row
        ) AS dates,
        (
            SELECT coalesce(json_agg(row ORDER BY uuid), '[]')
            FROM (
                SELECT
                    uuid, start_date, to_char(start_time, 'HH24:MI') AS start_time, end_date,
                    to_char(end_time, 'HH24:MI') AS end_time, all_day, rrule, rdate, exdate
                FROM event_date_rule
                WHERE event_uuid = event.uuid
            ) AS row
        ) AS date_rules,
        (
            SELECT coalesce(json_agg(series_event ORDER BY position), '[]')
            FROM series_event
            WHERE event_uuid = event.uuid
        ) AS series,
        (
            SELECT coalesce(json_agg(json_build_object('uuid', contributor_uuid, 'role', role) ORDER BY position), '[]')
            FROM event_contributor
            WHERE event_uuid = event.uuid
        ) AS contributors,
        version
    FROM event`

const selectStoredEvents = `
SELECT version, row_to_json(row)
FROM (` + eventRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

// upsertEvents skips an event that is taken back and would become public, which its constraint
// refuses: PostgreSQL would log the row.
const upsertEvents = `
INSERT INTO event AS stored (
    uuid, org_uuid, venue_uuid, space_uuid, title, subtitle, summary, description, categories, languages, tags, labels,
    min_age, max_age, price_type, min_price, max_price, currency, ticket_flags, visitor_info_flags,
    participation_info, meeting_point, max_attendees, occasion, online_link, source_link, release_status,
    release_date, release_scheduled, status_note, status_changed_at, tariffs, text_language, texts, video_link
)
SELECT
    uuid, org_uuid, venue_uuid, space_uuid, title, subtitle, summary, description, categories, languages, tags, labels,
    min_age, max_age, price_type, min_price, max_price, currency, ticket_flags, visitor_info_flags,
    participation_info, meeting_point, max_attendees, occasion, online_link, source_link, release_status,
    release_date, event_status_is_public(release_status) AND coalesce(release_date > now(), false), status_note,
    status_changed_at, tariffs, text_language, texts, video_link
FROM json_populate_recordset(NULL::event, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    org_uuid = excluded.org_uuid,
    venue_uuid = excluded.venue_uuid,
    space_uuid = excluded.space_uuid,
    title = excluded.title,
    subtitle = excluded.subtitle,
    summary = excluded.summary,
    description = excluded.description,
    categories = excluded.categories,
    languages = excluded.languages,
    tags = excluded.tags,
    labels = excluded.labels,
    min_age = excluded.min_age,
    max_age = excluded.max_age,
    price_type = excluded.price_type,
    min_price = excluded.min_price,
    max_price = excluded.max_price,
    currency = excluded.currency,
    ticket_flags = excluded.ticket_flags,
    visitor_info_flags = excluded.visitor_info_flags,
    participation_info = excluded.participation_info,
    meeting_point = excluded.meeting_point,
    max_attendees = excluded.max_attendees,
    occasion = excluded.occasion,
    online_link = excluded.online_link,
    source_link = excluded.source_link,
    release_status = excluded.release_status,
    release_date = excluded.release_date,
    release_scheduled = excluded.release_scheduled,
    status_note = excluded.status_note,
    status_changed_at = excluded.status_changed_at,
    tariffs = excluded.tariffs,
    text_language = excluded.text_language,
    texts = excluded.texts,
    video_link = excluded.video_link,
    version = stored.version + 1,
    updated_at = now()
WHERE stored.taken_back_at IS NULL OR NOT event_status_is_public(excluded.release_status)
RETURNING uuid::text, version`

// eventRow is the row of an event: the mask as bits, without the parts that have their own tables.
type eventRow struct {
	*rules.Event
	VisitorInfoFlags *int64 `json:"visitor_info_flags"`

	EventTypes *struct{} `json:"event_types,omitempty"`
	EventLinks *struct{} `json:"event_links,omitempty"`
	Images     *struct{} `json:"images,omitempty"`
	Dates      *struct{} `json:"dates,omitempty"`
	DateRules  *struct{} `json:"date_rules,omitempty"`
	Series     *struct{} `json:"series,omitempty"`
	Named      *struct{} `json:"contributors,omitempty"`
}

const deleteEvent = `DELETE FROM event WHERE uuid = $1::uuid`

// Events are the rows of events with all their parts, arranged (rules.Event.Arrange).
var Events = Table[*rules.Event]{
	kind: rules.KindEvent, read: selectStoredEvents, upsert: upsertEvents, remove: deleteEvent,
	row:   func(e *rules.Event) any { return eventRow{Event: e, VisitorInfoFlags: bits(e.VisitorInfoFlags)} },
	parts: queueParts,
}

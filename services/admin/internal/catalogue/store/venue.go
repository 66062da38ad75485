package store

import "litfass/services/admin/internal/catalogue/rules"

const venueRows = `
    SELECT
        uuid, org_uuid, name, summary, description, contact_email, contact_phone, web_link,
        street, house_number, postal_code, city, state, country, lat, lon, timezone, opened_at, closed_at,
        opening_hours, ticket_info, ticket_link, mask_to_text(accessibility_flags) AS accessibility_flags,
        accessibility_summary, use, hours, wikidata_id, osm_id, version
    FROM venue`

const selectStoredVenues = `
SELECT version, row_to_json(row)
FROM (` + venueRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

const upsertVenues = `
INSERT INTO venue AS stored (
    uuid, org_uuid, name, summary, description, contact_email, contact_phone, web_link,
    street, house_number, postal_code, city, state, country, lat, lon, timezone, opened_at, closed_at,
    opening_hours, ticket_info, ticket_link, accessibility_flags, accessibility_summary, use, hours,
    wikidata_id, osm_id
)
SELECT
    uuid, org_uuid, name, summary, description, contact_email, contact_phone, web_link,
    street, house_number, postal_code, city, state, country, lat, lon, timezone, opened_at, closed_at,
    opening_hours, ticket_info, ticket_link, accessibility_flags, accessibility_summary, use, hours,
    wikidata_id, osm_id
FROM json_populate_recordset(NULL::venue, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    org_uuid = excluded.org_uuid,
    name = excluded.name,
    summary = excluded.summary,
    description = excluded.description,
    contact_email = excluded.contact_email,
    contact_phone = excluded.contact_phone,
    web_link = excluded.web_link,
    street = excluded.street,
    house_number = excluded.house_number,
    postal_code = excluded.postal_code,
    city = excluded.city,
    state = excluded.state,
    country = excluded.country,
    lat = excluded.lat,
    lon = excluded.lon,
    timezone = excluded.timezone,
    opened_at = excluded.opened_at,
    closed_at = excluded.closed_at,
    opening_hours = excluded.opening_hours,
    ticket_info = excluded.ticket_info,
    ticket_link = excluded.ticket_link,
    accessibility_flags = excluded.accessibility_flags,
    accessibility_summary = excluded.accessibility_summary,
    use = excluded.use,
    hours = excluded.hours,
    wikidata_id = excluded.wikidata_id,
    osm_id = excluded.osm_id,
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

// venueRow is the row of a venue: the mask as bits.
type venueRow struct {
	*rules.Venue
	AccessibilityFlags *int64 `json:"accessibility_flags"`
}

const deleteVenue = `DELETE FROM venue WHERE uuid = $1::uuid`

const countUsesOfVenue = `
SELECT 0, 0, count(*), 0, 0, 0
FROM (
    SELECT uuid FROM event WHERE venue_uuid = $1::uuid
    UNION
    SELECT event_uuid FROM event_date WHERE venue_uuid = $1::uuid
) AS used`

// Venues are the rows of venues. Events use them, for all dates or for one. A venue is deleted with
// its spaces.
var Venues = Table[*rules.Venue]{
	kind: rules.KindVenue, read: selectStoredVenues, upsert: upsertVenues, remove: deleteVenue, uses: countUsesOfVenue,
	row: func(v *rules.Venue) any { return venueRow{v, bits(v.AccessibilityFlags)} },
}

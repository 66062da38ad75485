package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalog"
)

const venueRows = `
    SELECT
        uuid, org_uuid, name, summary, description, contact_email, contact_phone, web_link,
        street, house_number, postal_code, city, state, country, lat, lon, timezone, opened_at, closed_at,
        opening_hours, ticket_info, ticket_link, mask_to_text(accessibility_flags) AS accessibility_flags,
        accessibility_summary, version
    FROM venue`

const selectStoredVenues = `
SELECT version, row_to_json(row)
FROM (` + venueRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

// Venues returns the venues of those uuids that exist.
func Venues(ctx context.Context, tx pgx.Tx, uuids []string) (Found[*catalog.Venue], error) {
	found, err := readByKey[*catalog.Venue](ctx, tx, selectStoredVenues, uuids)
	if err != nil {
		return nil, fmt.Errorf("read venues: %w", err)
	}
	return found, nil
}

const upsertVenues = `
INSERT INTO venue AS stored (
    uuid, org_uuid, name, summary, description, contact_email, contact_phone, web_link,
    street, house_number, postal_code, city, state, country, lat, lon, timezone, opened_at, closed_at,
    opening_hours, ticket_info, ticket_link, accessibility_flags, accessibility_summary
)
SELECT
    uuid, org_uuid, name, summary, description, contact_email, contact_phone, web_link,
    street, house_number, postal_code, city, state, country, lat, lon, timezone, opened_at, closed_at,
    opening_hours, ticket_info, ticket_link, accessibility_flags, accessibility_summary
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
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

// venueRow is a venue as its row: the mask as bits.
type venueRow struct {
	*catalog.Venue
	AccessibilityFlags *int64 `json:"accessibility_flags"`
}

// WriteVenues creates or changes venues; stored holds those that exist, and the caller has locked their rows.
func WriteVenues(ctx context.Context, tx pgx.Tx, venues []*catalog.Venue, stored Found[*catalog.Venue]) (Versions, error) {
	rows := make([]venueRow, len(venues))
	for i, venue := range venues {
		rows[i] = venueRow{venue, bits(venue.AccessibilityFlags)}
	}
	versions, err := write(ctx, tx, upsertVenues, rows, stored)
	if err != nil {
		return nil, fmt.Errorf("write venues: %w", err)
	}
	return versions, nil
}

const deleteVenue = `DELETE FROM venue WHERE uuid = $1::uuid`

// DeleteVenue deletes a venue that no event uses, with its spaces,.
func DeleteVenue(ctx context.Context, tx pgx.Tx, uuid string) error {
	return deleteByKey(ctx, tx, deleteVenue, uuid)
}

package outbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// Snapshots are read as JSON with the keys of package change: decoding normalizes numbers and
// absent texts. Every list has a fixed order, so that equal states have equal bytes.

// publicEvent is SQL for whether the event e is public. No data of any other event may leave the
// database (RULES.md, What is public).
const publicEvent = `event_is_public(e.release_status, e.release_scheduled) AND ` + Approved + `e.org_uuid)`

// Approved begins a condition that is true of an organization that does not wait for its approval
// and was not refused; the organization's uuid and a closing parenthesis follow. Nothing of any
// other organization is public.
const Approved = `NOT EXISTS (SELECT FROM organization_approval a WHERE a.state <> 'approved' AND a.org_uuid = `

// changedAt begins the expression of a time in the form of snapshots; the time and inUTC follow. An
// event that waited for its release date changed on that date, not by an edit. It also changes with
// the venues and spaces that it is shown with.
const (
	changedAt = `to_char(`
	inUTC     = ` AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
)

const selectVenueSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT
        v.uuid, v.name, v.street, v.house_number, v.postal_code, v.city, v.state, v.country, v.lat, v.lon, v.timezone,
        v.web_link, v.wikidata_id, v.osm_id,
        json_build_object('uuid', o.uuid, 'name', o.name, 'web_link', o.web_link) AS organization,
        v.summary, v.description, v.contact_email, v.contact_phone, v.opened_at, v.closed_at, v.opening_hours,
        v.ticket_info, v.ticket_link, mask_to_text(v.accessibility_flags) AS accessibility_flags,
        v.accessibility_summary, v.hours,
        ` + changedAt + `greatest(v.updated_at, (SELECT max(updated_at) FROM space WHERE venue_uuid = v.uuid))` + inUTC + ` AS changed_at,
        (
            SELECT coalesce(json_agg(s ORDER BY s.uuid), '[]')
            FROM (
                SELECT uuid, venue_uuid, name, description, space_type, building_level, total_capacity,
                    seating_capacity, web_link, mask_to_text(accessibility_flags) AS accessibility_flags,
                    accessibility_summary
                FROM space
                WHERE venue_uuid = v.uuid
            ) s
        ) AS spaces
    FROM venue v
    JOIN organization o ON o.uuid = v.org_uuid
    WHERE v.uuid = ANY ($1::uuid[]) AND ` + Approved + `v.org_uuid)
) AS snapshot`

const selectOrganizationSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT o.uuid, o.name, o.description, o.legal_form, o.nonprofit, o.holding_org_uuid, o.contact_email,
        o.contact_phone, o.web_link, o.street, o.house_number, o.address_addition, o.postal_code, o.city, o.state,
        o.country, o.lat, o.lon, ` + changedAt + `o.updated_at` + inUTC + ` AS changed_at
    FROM organization o
    WHERE o.uuid = ANY ($1::uuid[]) AND ` + publicOrganization + `
) AS snapshot`

// publicContributor is SQL for whether a public event names the contributor c.
const publicContributor = `coalesce((
        SELECT true
        FROM event_contributor n
        JOIN event e ON e.uuid = n.event_uuid
        WHERE n.contributor_uuid = c.uuid AND ` + publicEvent + `
        LIMIT 1
    ), false)`

const selectContributorSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT c.uuid, c.type, c.name, c.note, c.description, c.web_link, c.wikidata, c.former_uuids,
        ` + changedAt + `c.updated_at` + inUTC + ` AS changed_at
    FROM contributor c
    WHERE c.uuid = ANY ($1::uuid[]) AND ` + publicContributor + `
) AS snapshot`

// publicPortal is SQL for whether the portal p is public: it is the operator's, or its organization
// is approved.
const publicPortal = `(p.org_uuid IS NULL OR ` + Approved + `p.org_uuid))`

const selectPortalSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT p.uuid, p.org_uuid, p.slug, p.name, p.titles, p.languages, p.look, p.filter, p.include, p.exclude,
        ` + changedAt + `p.updated_at` + inUTC + ` AS changed_at
    FROM portal p
    WHERE p.uuid = ANY ($1::uuid[]) AND ` + publicPortal + `
) AS snapshot`

// publicList is SQL for whether the list l is public: its editor says so, and it is the operator's
// or its organization is approved.
const publicList = `(l.public AND (l.org_uuid IS NULL OR ` + Approved + `l.org_uuid)))`

const selectListSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT l.uuid, l.org_uuid, l.slug, l.name, l.description, l.titles, l.entries,
        ` + changedAt + `l.updated_at` + inUTC + ` AS changed_at
    FROM list l
    WHERE l.uuid = ANY ($1::uuid[]) AND ` + publicList + `
) AS snapshot`

// publicSeries is SQL for whether the series s is public: its editor says so, and its organization
// is approved.
const publicSeries = `(s.public AND ` + Approved + `s.org_uuid))`

const selectSeriesSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT s.uuid, json_build_object('uuid', o.uuid, 'name', o.name, 'web_link', o.web_link) AS organization, s.slug, s.title,
        s.subtitle, s.description, s.web_link, s.start_date, s.end_date, s.text_language, s.texts,
        (
            SELECT coalesce(json_agg(p ORDER BY p.position), '[]')
            FROM (
                SELECT uuid, kind, title, description, position
                FROM series_part
                WHERE series_uuid = s.uuid
            ) p
        ) AS parts,
        ` + changedAt + `s.updated_at` + inUTC + ` AS changed_at,
        (SELECT row_to_json(m) FROM event_image m WHERE m.series_uuid = s.uuid) AS image
    FROM series s
    JOIN organization o ON o.uuid = s.org_uuid
    WHERE s.uuid = ANY ($1::uuid[]) AND ` + publicSeries + `
) AS snapshot`

const selectRegionSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT country_slug, state_slug, region_slug, country_name, state_name, name, geometry,
        ` + changedAt + `updated_at` + inUTC + ` AS changed_at
    FROM region
    WHERE id = ANY ($1)
) AS snapshot`

const selectLookupSnapshots = `
SELECT row_to_json(snapshot)
FROM (
    SELECT
        l.name,
        l.integer,
        (
            SELECT coalesce(json_agg(json_build_object('id', i.id, 'group', i.grp, 'names', i.names, 'extra', i.extra)
                                     ORDER BY i.position), '[]')
            FROM (
                SELECT id, grp, names, extra, position
                FROM lookup_item
                WHERE lookup = l.name
                UNION ALL
                SELECT key::text, '', names, '{}', row_number() OVER (ORDER BY key)
                FROM label
                WHERE l.name = 'labels'
            ) i
        ) AS items
    FROM lookup l
    WHERE l.name = ANY ($1)
) AS snapshot`

// Snapshots returns the current public state of the entities that have one, by id.
func Snapshots(ctx context.Context, tx pgx.Tx, kind change.Kind, ids []string) (map[string]any, error) {
	switch kind {
	case change.KindEvent:
		return eventSnapshots(ctx, tx, ids)
	case change.KindVenue:
		return snapshots(ctx, tx, selectVenueSnapshots, ids, func(v *change.Venue) string { return v.UUID })
	case change.KindOrganization:
		return snapshots(ctx, tx, selectOrganizationSnapshots, ids, func(o *change.Organization) string { return o.UUID })
	case change.KindContributor:
		return snapshots(ctx, tx, selectContributorSnapshots, ids, func(c *change.Contributor) string { return c.UUID })
	case change.KindPortal:
		return snapshots(ctx, tx, selectPortalSnapshots, ids, func(p *change.Portal) string { return p.UUID })
	case change.KindSeries:
		return snapshots(ctx, tx, selectSeriesSnapshots, ids, func(s *change.Series) string { return s.UUID })
	case change.KindList:
		return snapshots(ctx, tx, selectListSnapshots, ids, func(l *change.List) string { return l.UUID })
	case change.KindRegion:
		return snapshots(ctx, tx, selectRegionSnapshots, ids, nameRegion)
	case change.KindLookup:
		return snapshots(ctx, tx, selectLookupSnapshots, ids, func(l *change.Lookup) string { return l.Name })
	default:
		return nil, fmt.Errorf("no snapshots of kind %q", kind)
	}
}

// snapshots reads each snapshot that the query finds; id completes a snapshot and returns its id.
func snapshots[T any](
	ctx context.Context, tx pgx.Tx, query string, ids []string, id func(*T) string,
) (map[string]any, error) {
	found, err := readSnapshots[T](ctx, tx, query, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]any, len(found))
	for _, snapshot := range found {
		byID[id(snapshot)] = snapshot
	}
	return byID, nil
}

// readSnapshots reads one JSON object for each row. The ids are the first argument of the query.
func readSnapshots[T any](ctx context.Context, tx pgx.Tx, query string, ids []string, args ...any) ([]*T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return postgres.Collect[*T](ctx, tx, "snapshots", query, append([]any{ids}, args...)...)
}

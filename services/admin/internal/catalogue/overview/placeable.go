package overview

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// Point is a place on the earth, in degrees.
type Point struct{ Lat, Lon float64 }

// VenueFilter selects venues, and orders them by their distance from a point.
type VenueFilter struct {
	Words []string // each is part of the name or of the address
	Near  *Point   // nil: nothing
	Org   string   // the organization of the event; "" for none
}

// placeable are the venues of the allowed organizations, of $5, if that is not "", and, where words
// or a point choose among them, the open and asking ones of all others, in which all of the words
// $6 are found, with the great-circle distance in metres from the point $7, $8 (RULES.md, Search).
// A word is a list of spellings, each on a line, of which one is found.
const placeable = access.Allowed + `, asked AS MATERIALIZED (
    SELECT string_to_array(search_fold(word), E'\n') AS spellings
    FROM unnest($6::text[]) AS word
), placeable AS (
    SELECT
        v.uuid, coalesce(v.org_uuid = nullif($5, '')::uuid, false) AS own,
        v.use = 'ask' AND NOT coalesce(` + mayChoose + `, false) AND NOT EXISTS (
            SELECT
            FROM venue_request r
            WHERE r.venue_uuid = v.uuid
                AND r.org_uuid = nullif($5, '')::uuid
                AND r.state = 'accepted'
                AND r.for_organization
        ) AS asks,
        starts_with(v.search_text, search_fold(($6::text[])[1])) AS begins,
        CASE WHEN v.lat IS NOT NULL AND $7::float8 IS NOT NULL THEN
            2 * 6371008.8 * asin(sqrt(least(1,
                sin(radians(v.lat - $7::float8) / 2) ^ 2
                + cos(radians(v.lat)) * cos(radians($7::float8)) * sin(radians(v.lon - $8::float8) / 2) ^ 2
            )))
        END AS distance
    FROM venue v
    WHERE ` + mayBePlaced + `
        AND NOT EXISTS (
            SELECT
            FROM asked
            WHERE NOT EXISTS (SELECT FROM unnest(asked.spellings) AS spelling WHERE strpos(v.search_text, spelling) > 0)
        )
)`

// mayChoose is the condition that the caller has the right to choose the venue v.
const mayChoose = `v.org_uuid IN (SELECT org_uuid FROM allowed UNION SELECT nullif($5, '')::uuid)`

// mayBePlaced is the condition that an event may be placed in the venue v, if its owner accepts it.
const mayBePlaced = `(
        ` + mayChoose + `
        OR v.use <> 'closed'
            AND (cardinality($6::text[]) > 0 OR $7::float8 IS NOT NULL)
            AND ` + outbox.Approved + `v.org_uuid)
    )`

const countPlaceable = placeable + `
SELECT count(*)
FROM placeable`

const selectPlaceable = placeable + `
SELECT
    v.uuid::text, v.name, o.uuid::text, o.name, p.own, p.asks, coalesce(v.street, ''), coalesce(v.house_number, ''),
    coalesce(v.postal_code, ''), coalesce(v.city, ''), coalesce(v.country, ''), v.lat, v.lon, round(p.distance)::integer,
    (
        SELECT coalesce(json_agg(json_build_object(
            'uuid', s.uuid, 'name', s.name, 'space_type', s.space_type, 'total_capacity', s.total_capacity,
            'seating_capacity', s.seating_capacity
        ) ORDER BY lower(s.name), s.uuid), '[]')
        FROM space s
        WHERE s.venue_uuid = v.uuid
    )
FROM placeable p
JOIN venue v ON v.uuid = p.uuid
JOIN organization o ON o.uuid = v.org_uuid
ORDER BY p.distance NULLS LAST, p.own DESC, p.begins DESC NULLS LAST, lower(v.name), v.uuid
LIMIT $9 OFFSET $10`

// FindVenues returns the venues where the caller may place an event: the venues of organizations
// where they have ChooseVenue and, without a further permission, those of the event's own and, with
// words or a point, the open and asking ones of all organizations. If none has the words, it
// returns those with similar words. The nearest come first; without a point, the venues of the
// event's organization, then venues whose name begins with the first word. An organization that is
// a stranger's is a NotFound fault.
func (s *Service) FindVenues(
	ctx context.Context, filter VenueFilter, page paging.Page,
) (adminapi.FoundVenues, error) {
	shown := adminapi.FoundVenues{
		Venues: []adminapi.FoundVenue{}, Page: adminapi.Page{Limit: page.Limit, Offset: page.Offset},
	}
	who := auth.PrincipalOf(ctx)
	arguments, some := access.AllowedTo(who, permission.ChooseVenue)
	if !some {
		arguments = []any{0, false, "", int64(permission.ChooseVenue)} // nowhere
	}
	var lat, lon *float64
	if filter.Near != nil {
		lat, lon = &filter.Near.Lat, &filter.Near.Lon
	}
	arguments = append(arguments, filter.Org, filter.Words, lat, lon)
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if filter.Org != "" {
			if _, err := access.Require(ctx, tx, who, filter.Org, 0); err != nil {
				return err
			}
		}
		err := tx.QueryRow(ctx, countPlaceable, arguments...).Scan(&shown.TotalCount)
		if err == nil && shown.TotalCount == 0 && len(filter.Words) > 0 {
			if arguments[5], shown.Respelled, err = respell(ctx, tx, arguments, filter.Words); shown.Respelled {
				err = tx.QueryRow(ctx, countPlaceable, arguments...).Scan(&shown.TotalCount)
			}
		}
		if err != nil {
			return fmt.Errorf("count venues: %w", err)
		}
		shown.Venues, err = postgres.List[adminapi.FoundVenue](ctx, tx, "venues", selectPlaceable,
			append(arguments, page.Limit, page.Offset)...)
		return err
	})
	return shown, err
}

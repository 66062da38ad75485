package store

import (
	"context"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

// A degree of latitude is at least 111 km. Longitudes are compared where a degree of them is known
// to be wide enough, and on both sides of the antimeridian.
const selectVenuesAt = `
SELECT row_to_json(row)
FROM (
    SELECT v.uuid, v.name, v.org_uuid, o.name AS org_name, v.street, v.house_number, v.postal_code, v.city, v.country,
        v.lat, v.lon
    FROM venue v
    JOIN organization o ON o.uuid = v.org_uuid
    WHERE v.lat BETWEEN $1 - $3::float8 / 111000 AND $1 + $3::float8 / 111000
        AND (
            abs(v.lon - $2) * 111000 * cos(radians(v.lat)) <= $3::float8 * 1.1
            OR (360 - abs(v.lon - $2)) * 111000 * cos(radians(v.lat)) <= $3::float8 * 1.1
        )
        OR lower(replace(v.postal_code, ' ', '')) = lower(replace(nullif($4, ''), ' ', ''))
        OR lower(v.city) = lower(nullif($5, ''))
    ORDER BY v.uuid
    LIMIT 10000
) AS row`

// VenuesAt returns the venues of all organizations around a location, without their distances: at
// least those within rules.SimilarWithin of its point and those of its postal code and city, and at
// most 10,000.
func VenuesAt(
	ctx context.Context, q postgres.Querier, at rules.Location,
) ([]adminapi.SimilarVenue, error) {
	return postgres.Collect[adminapi.SimilarVenue](ctx, q, "venues at a location", selectVenuesAt,
		at.Lat, at.Lon, rules.SimilarWithin, at.PostalCode, at.City)
}

package store

import (
	"context"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/postgres"
)

// A degree of latitude is at least 111 km. Longitudes are compared where a degree of them is known
// to be wide enough, and on both sides of the antimeridian.
const selectVenuesNear = `
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
    ORDER BY v.uuid
    LIMIT 1000
) AS row`

// VenuesNear returns the venues of all organizations around a point, at least those within the
// given metres and at most 1,000, without their distances.
func VenuesNear(
	ctx context.Context, q postgres.Querier, lat, lon float64, metres int,
) ([]adminapi.SimilarVenue, error) {
	return postgres.Collect[adminapi.SimilarVenue](ctx, q, "venues near a point", selectVenuesNear, lat, lon, metres)
}

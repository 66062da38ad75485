package store

import "litfass/services/admin/internal/catalogue/rules"

const regionRows = `
    SELECT country_slug, state_slug, region_slug, country_name, state_name, name, geometry, version
    FROM region`

const selectStoredRegions = `
SELECT version, row_to_json(row)
FROM (` + regionRows + `
    WHERE id = ANY ($1::text[])
) AS row`

const upsertRegions = `
INSERT INTO region AS stored (country_slug, state_slug, region_slug, country_name, state_name, name, geometry)
SELECT country_slug, state_slug, region_slug, country_name, state_name, name, geometry
FROM json_populate_recordset(NULL::region, $1)
ORDER BY country_slug || '.' || state_slug || '.' || region_slug
ON CONFLICT (id) DO UPDATE SET
    country_name = excluded.country_name,
    state_name = excluded.state_name,
    name = excluded.name,
    geometry = excluded.geometry,
    version = stored.version + 1,
    updated_at = now()
RETURNING id, version`

// Regions are the rows of regions. No other row refers to them, and they are never deleted.
var Regions = Table[*rules.Region]{kind: rules.KindRegion, read: selectStoredRegions, upsert: upsertRegions}

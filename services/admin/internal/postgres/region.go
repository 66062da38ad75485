package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalog"
)

const regionRows = `
    SELECT country_slug, state_slug, region_slug, country_name, state_name, name, geometry, version
    FROM region`

const selectStoredRegions = `
SELECT version, row_to_json(row)
FROM (` + regionRows + `
    WHERE id = ANY ($1::text[])
) AS row`

// Regions returns the regions of those keys that exist.
func Regions(ctx context.Context, tx pgx.Tx, keys []string) (Found[*catalog.Region], error) {
	found, err := readByKey[*catalog.Region](ctx, tx, selectStoredRegions, keys)
	if err != nil {
		return nil, fmt.Errorf("read regions: %w", err)
	}
	return found, nil
}

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

// WriteRegions creates or changes regions; stored holds those that exist, and the caller has locked their rows.
func WriteRegions(ctx context.Context, tx pgx.Tx, regions []*catalog.Region, stored Found[*catalog.Region]) (Versions, error) {
	versions, err := write(ctx, tx, upsertRegions, regions, stored)
	if err != nil {
		return nil, fmt.Errorf("write regions: %w", err)
	}
	return versions, nil
}

const deleteRegion = `DELETE FROM region WHERE id = $1`

// DeleteRegion deletes a region.
func DeleteRegion(ctx context.Context, tx pgx.Tx, key string) error {
	return deleteByKey(ctx, tx, deleteRegion, key)
}

package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

const walkRegions = `
SELECT version, row_to_json(row)
FROM (` + regionRows + `) AS row
ORDER BY country_slug, state_slug, region_slug`

// A holding organization comes before the organizations that it holds.
const walkOrganizations = `
WITH RECURSIVE held AS (
    SELECT uuid, 0 AS depth
    FROM organization
    WHERE holding_org_uuid IS NULL
    UNION ALL
    SELECT organization.uuid, held.depth + 1
    FROM held
    JOIN organization ON organization.holding_org_uuid = held.uuid
)
SELECT row.version, row_to_json(row)
FROM (` + organizationRows + `) AS row
JOIN held ON held.uuid = row.uuid
ORDER BY held.depth, row.uuid`

const walkVenues = `
SELECT version, row_to_json(row)
FROM (` + venueRows + `) AS row
ORDER BY uuid`

const walkSpaces = `
SELECT version, row_to_json(row)
FROM (` + spaceRows + `) AS row
ORDER BY uuid`

const walkLabels = `
SELECT version, row_to_json(row)
FROM (` + labelRows + `) AS row
ORDER BY key`

const walkSeries = `
SELECT version, row_to_json(row)
FROM (` + seriesRows + `) AS row
ORDER BY uuid`

const walkContributors = `
SELECT version, row_to_json(row)
FROM (` + contributorRows + `) AS row
ORDER BY uuid`

const walkEvents = `
SELECT version, row_to_json(row)
FROM (` + eventRows + `) AS row
ORDER BY uuid`

const walkPortals = `
SELECT version, row_to_json(row)
FROM (` + portalRows + `) AS row
ORDER BY uuid`

const walkLists = `
SELECT version, row_to_json(row)
FROM (` + listRows + `) AS row
ORDER BY uuid`

// Walk calls fn with every entity of one snapshot of the catalogue, references first: regions,
// organizations, venues, spaces, labels, series, contributors, events, portals, lists. Entities are
// read one by one as fn takes them. An error of fn ends the walk.
func Walk(ctx context.Context, db *postgres.DB, fn func(rules.Entity) error) error {
	return db.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := walk[*rules.Region](ctx, tx, walkRegions, fn); err != nil {
			return err
		}
		if err := walk[*rules.Organization](ctx, tx, walkOrganizations, fn); err != nil {
			return err
		}
		if err := walk[*rules.Venue](ctx, tx, walkVenues, fn); err != nil {
			return err
		}
		if err := walk[*rules.Space](ctx, tx, walkSpaces, fn); err != nil {
			return err
		}
		if err := walk[*rules.Label](ctx, tx, walkLabels, fn); err != nil {
			return err
		}
		if err := walk[*rules.Series](ctx, tx, walkSeries, fn); err != nil {
			return err
		}
		if err := walk[*rules.Contributor](ctx, tx, walkContributors, fn); err != nil {
			return err
		}
		if err := walk[*rules.Event](ctx, tx, walkEvents, fn); err != nil {
			return err
		}
		if err := walk[*rules.Portal](ctx, tx, walkPortals, fn); err != nil {
			return err
		}
		return walk[*rules.List](ctx, tx, walkLists, fn)
	})
}

func walk[E rules.Entity](ctx context.Context, tx pgx.Tx, sql string, fn func(rules.Entity) error) error {
	if err := eachRow(ctx, tx, func(row Stored[E]) error { return fn(row.Entity) }, sql); err != nil {
		return fmt.Errorf("walk the catalogue: %w", err)
	}
	return nil
}

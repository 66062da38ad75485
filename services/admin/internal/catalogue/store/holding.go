package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// lockHoldings takes a lock of two numbers, whose first one differs from that of limits; the
// relay's lock has one number.
const lockHoldings = `SELECT pg_advisory_xact_lock(7105646, 0)`

// LockHoldings keeps other transactions from setting holding organizations until this one ends: two
// that each write one half of a circle may lock no row in common.
func LockHoldings(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, lockHoldings); err != nil {
		return fmt.Errorf("lock holding organizations: %w", err)
	}
	return nil
}

const selectCircularHoldings = `
WITH RECURSIVE above AS (
    SELECT uuid AS start, holding_org_uuid AS uuid
    FROM organization
    WHERE uuid = ANY ($1::uuid[])
    UNION
    SELECT above.start, organization.holding_org_uuid
    FROM above
    JOIN organization ON organization.uuid = above.uuid
)
SELECT start::text
FROM above
WHERE uuid = start`

// CircularHoldings returns the organizations that are, over any number of steps, their own holding
// organization. Call it after LockHoldings.
func CircularHoldings(ctx context.Context, tx pgx.Tx, uuids []string) ([]string, error) {
	return postgres.Collect[string](ctx, tx, "holding organizations", selectCircularHoldings, uuids)
}

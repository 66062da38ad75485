package outbox

import (
	"context"
	"fmt"

	"litfass/services/admin/internal/postgres"
)

const lift = `
SELECT setval('catalog_revision', $1)
FROM catalog_revision
WHERE last_value < $1`

// LiftRevision makes the next revision greater than the given one. The margin covers rounds of the
// relay that take a revision between the comparison and the update.
func LiftRevision(ctx context.Context, db *postgres.DB, above int64) error {
	const margin = 1_000
	if _, err := db.Exec(ctx, lift, above+margin); err != nil {
		return fmt.Errorf("lift the revision: %w", err)
	}
	return nil
}

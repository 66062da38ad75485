package apikey

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// keepEnded is how long keys are listed that were revoked or have expired.
const keepEnded = 365 * 24 * time.Hour

const deleteEnded = `
DELETE FROM api_key
WHERE least(revoked_at, expires_at) < $1`

// Prune deletes keys that ended long ago.
func Prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	if _, err := tx.Exec(ctx, deleteEnded, now.Add(-keepEnded)); err != nil {
		return fmt.Errorf("prune API keys: %w", err)
	}
	return nil
}

package preview

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const deleteExpired = `
DELETE FROM preview_link
WHERE expires_at < $1`

// Prune deletes expired links.
func Prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	if _, err := tx.Exec(ctx, deleteExpired, now); err != nil {
		return fmt.Errorf("prune preview links: %w", err)
	}
	return nil
}

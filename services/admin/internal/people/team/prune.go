package team

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// keepInvitations is how long invitations are kept that were revoked, or expired unanswered.
const keepInvitations = 90 * 24 * time.Hour

const deleteOldInvitations = `
DELETE FROM invitation
WHERE accepted_at IS NULL AND least(revoked_at, expires_at) < $1`

// Prune deletes invitations that became nothing. Accepted ones stay: they prove that their sender
// writes to people who know them.
func Prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	if _, err := tx.Exec(ctx, deleteOldInvitations, now.Add(-keepInvitations)); err != nil {
		return fmt.Errorf("prune invitations: %w", err)
	}
	return nil
}

package auth

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Retention of rows that no longer have an effect.
const (
	keepAttempts = 24 * time.Hour // longer than the window of any limit
	keepSessions = time.Hour      // after they expired: clocks of nodes may differ

	// KeepTokens is the retention of a one-time token after it expired.
	KeepTokens = 7 * 24 * time.Hour
)

const (
	deleteOldAttempts = `
DELETE FROM attempt
WHERE at < $1`

	deleteOldSessions = `
DELETE FROM session
WHERE expires_at < $1`

	deleteOldTokens = `
DELETE FROM one_time_token
WHERE expires_at < $1`
)

// Prune deletes attempts, sessions with their refresh tokens, and one-time tokens that expired long
// ago.
func Prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	for _, step := range []struct {
		statement string
		before    time.Time
	}{
		{deleteOldAttempts, now.Add(-keepAttempts)},
		{deleteOldSessions, now.Add(-keepSessions)},
		{deleteOldTokens, now.Add(-KeepTokens)},
	} {
		if _, err := tx.Exec(ctx, step.statement, step.before); err != nil {
			return fmt.Errorf("prune: %w", err)
		}
	}
	return nil
}

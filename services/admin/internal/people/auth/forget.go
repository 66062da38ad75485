package auth

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const deleteSessionsOfUser = `
DELETE FROM session
WHERE user_id = $1`

// Forget deletes the sessions and one-time tokens of a user. The attempts that limits count stay
// until they expire: they contain only hashes.
func Forget(ctx context.Context, tx pgx.Tx, userID int) error {
	if err := DeleteTokens(ctx, tx, userID); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, deleteSessionsOfUser, userID); err != nil {
		return fmt.Errorf("delete sessions: %w", err)
	}
	return nil
}

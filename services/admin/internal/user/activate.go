package user

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth"
)

const selectActivation = `
SELECT t.user_id, t.password_hash
FROM one_time_token t
JOIN app_user u ON u.id = t.user_id
WHERE t.hash = $1
    AND t.purpose = 'activate'
    AND t.used_at IS NULL
    AND t.expires_at > $2
    AND u.activated_at IS NULL
    AND u.deactivated_at IS NULL`

const activateUser = `
UPDATE app_user
SET activated_at = $2, password_hash = $3, updated_at = $2, version = version + 1
WHERE id = $1`

// Activate activates an account, or another address of one, with the token from a mail. The faults:
// Unauthenticated for a token that is unknown, used or expired alike; Invalid when it is missing;
// Conflict with code "email_taken" when another account was activated with the address in the
// meantime.
func (s *Service) Activate(ctx context.Context, token string) error {
	var violations fault.Violations
	required(&violations, "token", token)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := lockOwner(ctx, tx, token); err != nil {
			return err
		}
		var userID int
		var hash string
		err := tx.QueryRow(ctx, selectActivation, auth.Digest(token), s.Now()).Scan(&userID, &hash)
		if errors.Is(err, pgx.ErrNoRows) {
			return s.confirmAddress(ctx, tx, token)
		}
		if err != nil {
			return fmt.Errorf("read activation: %w", err)
		}
		return s.activate(ctx, tx, userID, hash)
	})
}

func (s *Service) activate(ctx context.Context, tx pgx.Tx, userID int, hash string) error {
	now := s.Now()
	if _, err := tx.Exec(ctx, activateUser, userID, now, hash); err != nil {
		return fmt.Errorf("activate account: %w", err)
	}
	if err := auth.UseUpTokens(ctx, tx, userID, now, auth.ForActivation); err != nil {
		return err
	}
	before, after := map[string]bool{"active": false}, map[string]bool{"active": true}
	return s.record(ctx, tx, "user.activate", userID, before, after)
}

func errLink() error {
	return fault.New(fault.Unauthenticated, "token_invalid",
		"this link is not valid, was used before, or has expired")
}

// lockTokenOwner serialises the uses of one user's tokens. It is a statement of its own: only the
// next one sees what a transaction committed that held the lock before.
const lockTokenOwner = `
SELECT
FROM app_user
WHERE id = (SELECT user_id FROM one_time_token WHERE hash = $1)
FOR UPDATE`

func lockOwner(ctx context.Context, tx pgx.Tx, token string) error {
	if _, err := tx.Exec(ctx, lockTokenOwner, auth.Digest(token)); err != nil {
		return fmt.Errorf("lock account: %w", err)
	}
	return nil
}

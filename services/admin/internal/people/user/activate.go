package user

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/invisible"
)

const selectActivation = `
SELECT u.id, u.email
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
SET
    activated_at = $2, password_hash = $3, display_name = coalesce(nullif($4, ''), display_name),
    email_verified = true, updated_at = $2, version = version + 1
WHERE id = $1`

// Activate activates an account, or another address of one, with the token from a mail.
//
// An account gets the password that is given here, not the signup's: a stranger may have signed up
// with the address, and only the token proves that its bearer reads the mails to it (RULES.md,
// Accounts). So is its name. Another address of an active account needs no password.
//
// The faults: Invalid with code "token_invalid" for a token that is unknown, used or expired alike,
// and Invalid when it or the password is missing, or the password is refused; the token then stays
// valid. Conflict with code "email_taken" when another account was activated with the address in
// the meantime; Unavailable when too many passwords wait to be hashed.
func (s *Service) Activate(ctx context.Context, with adminapi.Activation) error {
	token, name := with.Token, invisible.Trim(with.DisplayName)
	var violations fault.Violations
	required(&violations, "token", token)
	checkNames(&violations, namedText{"display_name", name})
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return err
	}
	found, waits, err := s.findActivation(ctx, s.DB.QueryRow, token)
	if err != nil {
		return err
	}
	if !waits {
		return s.DB.InTx(ctx, func(tx pgx.Tx) error { return s.confirmAddress(ctx, tx, token) })
	}
	if err := checkPassword("password", with.Password, found.email); err != nil {
		return err
	}
	hash, err := s.Hasher.Hash(ctx, with.Password)
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error { return s.activate(ctx, tx, token, hash, name) })
}

// activation is the account of an activation token.
type activation struct {
	id    int
	email string
}

type queryRow func(ctx context.Context, sql string, args ...any) pgx.Row

// findActivation returns the account that the token activates; waits is false without one.
func (s *Service) findActivation(
	ctx context.Context, query queryRow, token string,
) (found activation, waits bool, err error) {
	err = query(ctx, selectActivation, auth.Digest(token), s.Now()).Scan(&found.id, &found.email)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, false, nil
	}
	if err != nil {
		return found, false, fmt.Errorf("read activation: %w", err)
	}
	return found, true, nil
}

func (s *Service) activate(ctx context.Context, tx pgx.Tx, token, hash, name string) error {
	if err := lockOwner(ctx, tx, token); err != nil {
		return err
	}
	found, waits, err := s.findActivation(ctx, tx.QueryRow, token)
	if err != nil {
		return err
	}
	if !waits { // used in the meantime
		return errLink()
	}
	return s.setActivated(ctx, tx, found.id, hash, name)
}

// setActivated stores and records the activation of an account, and ends its other links to it.
func (s *Service) setActivated(ctx context.Context, tx pgx.Tx, userID int, hash, name string) error {
	now := s.Now()
	if _, err := tx.Exec(ctx, activateUser, userID, now, hash, name); err != nil {
		return fmt.Errorf("activate account: %w", err)
	}
	if err := auth.UseUpTokens(ctx, tx, userID, now, auth.ForActivation); err != nil {
		return err
	}
	before, after := map[string]bool{"active": false}, map[string]bool{"active": true}
	return s.record(ctx, tx, "user.activate", userID, before, after)
}

// errLink is the fault for a mailed token that is unknown, used or expired. It is not
// Unauthenticated: clients would refresh their tokens.
func errLink() error {
	var violations fault.Violations
	violations.Add("token", reason.LinkExpired)
	return violations.Err("token_invalid", "this link does not work any more")
}

// lockTokenOwner serialises the uses of one user's tokens. It is a statement of its own: only the
// next statement sees the changes of a transaction that held the lock before.
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

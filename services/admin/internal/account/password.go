package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
)

// ForgotPassword mails a link that sets a new password, if there is an active account with the address. It does the same
// for every address: it queues a mail, and only when that is composed, later and elsewhere, is looked whether there is
// somebody to write to. So neither the answer nor its time tells anything. The faults: Invalid for what is no address,
// TooMany for too many requests from one address.
func (s *Service) ForgotPassword(ctx context.Context, email, locale string) error {
	normal, valid := NormalizeEmail(email)
	if !valid {
		var violations fault.Violations
		violations.Add("email", "is not an e-mail address")
		return violations.Err(invalidParameters, invalidMessage)
	}
	if err := s.limiter.Count(ctx, s.forgot, "", auth.OriginOf(ctx).Address); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		_, err := mail.Enqueue(ctx, tx, mail.New{
			Recipient: normal, Template: mail.TemplateReset, Locale: locale, At: s.now(),
			Arguments: resetArguments{Chosen: locale != ""},
		})
		return err
	})
}

const selectReset = `
SELECT u.id, u.email, u.locale
FROM one_time_token t
JOIN app_user u ON u.id = t.user_id
WHERE t.hash = $1
    AND t.purpose = 'reset'
    AND t.used_at IS NULL
    AND t.expires_at > $2
    AND u.activated_at IS NOT NULL
    AND u.deactivated_at IS NULL`

const setPassword = `
UPDATE app_user
SET password_hash = $2, email_verified = true, updated_at = $3, version = version + 1
WHERE id = $1`

const revokeOwnKeys = `
UPDATE api_key
SET revoked_at = $2, revoked_by = $1
WHERE user_id = $1 AND revoked_at IS NULL`

// resetter is whose password a token resets.
type resetter struct {
	id            int
	email, locale string
}

// ResetPassword sets a new password with the token from a mail, ends every session of the user, revokes their personal API
// keys, and tells them by mail: this is how somebody takes back an account in which a stranger may have been. The faults:
// Invalid, naming every bad field; for a token that is unknown, used or expired, its code is "token_invalid".
func (s *Service) ResetPassword(ctx context.Context, token, password string) error {
	var violations fault.Violations
	required(&violations, "token", token)
	required(&violations, "new_password", password)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return err
	}
	found, err := s.resetter(ctx, s.db.QueryRow, token)
	if err != nil {
		return err
	}
	if problem := auth.PasswordProblem(password, found.email); problem != "" {
		violations.Add("new_password", "%s", problem)
		return violations.Err(invalidParameters, invalidMessage)
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := lockOwner(ctx, tx, token); err != nil {
			return err
		}
		locked, err := s.resetter(ctx, tx.QueryRow, token)
		if err != nil {
			return err
		}
		return s.changePassword(ctx, tx, locked, hash)
	})
}

type queryRow func(ctx context.Context, sql string, args ...any) pgx.Row

func (s *Service) resetter(ctx context.Context, query queryRow, token string) (resetter, error) {
	var r resetter
	err := query(ctx, selectReset, auth.Digest(token), s.now()).Scan(&r.id, &r.email, &r.locale)
	if errors.Is(err, pgx.ErrNoRows) {
		var violations fault.Violations
		violations.Add("token", "is not valid, was used before, or has expired")
		return r, violations.Err("token_invalid", "this link does not work any more")
	}
	if err != nil {
		return r, fmt.Errorf("read password reset: %w", err)
	}
	return r, nil
}

// changePassword stores a new password and everything that follows from it.
func (s *Service) changePassword(ctx context.Context, tx pgx.Tx, user resetter, hash string) error {
	now := s.now()
	if _, err := tx.Exec(ctx, setPassword, user.id, hash, now); err != nil {
		return fmt.Errorf("store password: %w", err)
	}
	if err := EndLinks(ctx, tx, user.id, now); err != nil {
		return err
	}
	if err := s.sessions.EndAll(ctx, tx, user.id, auth.EndedByPassword); err != nil {
		return err
	}
	revoked, err := tx.Exec(ctx, revokeOwnKeys, user.id, now)
	if err != nil {
		return fmt.Errorf("revoke API keys: %w", err)
	}
	if err := s.limiter.Forgive(ctx, tx, s.login.Action, mailbox(user.email)); err != nil {
		return err
	}
	_, err = mail.Enqueue(ctx, tx, mail.New{
		Recipient: user.email, Template: mail.TemplatePasswordChanged, Locale: user.locale, At: now,
	})
	if err != nil {
		return err
	}
	after := map[string]int64{"revoked_api_keys": revoked.RowsAffected()}
	return s.audit(ctx, tx, "user.reset_password", user.id, nil, after)
}

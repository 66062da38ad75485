package user

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/platform/mail"
)

// ForgotPassword mails a link that sets a new password, if an active account has the address. It
// queues a mail for every address; the account is only looked up when the mail worker composes it.
// So neither the answer nor its duration shows whether there is one. The faults: Invalid for text
// that is not an address, TooMany for too many requests from one network.
func (s *Service) ForgotPassword(ctx context.Context, email, locale string) error {
	normal, valid := mail.NormalizeAddress(email)
	if !valid {
		var violations fault.Violations
		violations.Add("email", reason.NotEmail)
		return violations.Err(invalidParameters, invalidMessage)
	}
	if err := s.Limiter.Count(ctx, s.resets, "", auth.OriginOf(ctx).Address); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		_, _, err := sending.Mail(ctx, tx, sending.Sender{}, mail.New{
			Recipient: normal, Template: mail.TemplateReset, Locale: locale, At: s.Now(),
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

const resetPassword = `
UPDATE app_user
SET password_hash = $2, email_verified = true, updated_at = $3, version = version + 1
WHERE id = $1`

// resetter is the user of a token that resets a password.
type resetter struct {
	id            int
	email, locale string
}

// PasswordReset is the outcome of a reset: how many keys were revoked, and the keys and invitations
// that remain.
type PasswordReset struct {
	RevokedAPIKeys int64 // personal ones
	adminapi.Remaining
}

// ResetPassword sets a new password with the token from a mail, ends every session of the user,
// revokes their personal API keys, and confirms it by mail: this is how a user regains an account
// that a stranger may have used. The result and the mail list the keys and invitations in
// organizations that such a stranger may have created. The faults: Invalid, naming every bad field;
// its code is "token_invalid" for a token that is unknown, used or expired.
func (s *Service) ResetPassword(ctx context.Context, token, password string) (PasswordReset, error) {
	var violations fault.Violations
	required(&violations, "token", token)
	required(&violations, "new_password", password)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return PasswordReset{}, err
	}
	found, err := s.resetter(ctx, s.DB.QueryRow, token)
	if err != nil {
		return PasswordReset{}, err
	}
	if err := checkPassword("new_password", password, found.email); err != nil {
		return PasswordReset{}, err
	}
	hash, err := s.Hasher.Hash(ctx, password)
	if err != nil {
		return PasswordReset{}, err
	}
	var done PasswordReset
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := lockOwner(ctx, tx, token); err != nil {
			return err
		}
		locked, err := s.resetter(ctx, tx.QueryRow, token)
		if err != nil {
			return err
		}
		done, err = s.reset(ctx, tx, locked, hash)
		return err
	})
	return done, err
}

func (s *Service) resetter(ctx context.Context, query queryRow, token string) (resetter, error) {
	var r resetter
	err := query(ctx, selectReset, auth.Digest(token), s.Now()).Scan(&r.id, &r.email, &r.locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, errLink()
	}
	if err != nil {
		return r, fmt.Errorf("read password reset: %w", err)
	}
	return r, nil
}

// reset stores the new password and closes every other way into the account.
func (s *Service) reset(
	ctx context.Context, tx pgx.Tx, user resetter, hash string,
) (done PasswordReset, err error) {
	now := s.Now()
	if _, err := tx.Exec(ctx, resetPassword, user.id, hash, now); err != nil {
		return done, fmt.Errorf("store password: %w", err)
	}
	if err := endLinks(ctx, tx, user.id, now); err != nil {
		return done, err
	}
	if err := s.Sessions.EndAll(ctx, tx, user.id, auth.EndedByPassword); err != nil {
		return done, err
	}
	if done.RevokedAPIKeys, err = apikey.RevokePersonal(ctx, tx, user.id, now); err != nil {
		return done, err
	}
	if done.Remaining, err = remainingOf(ctx, tx, user.id, now); err != nil {
		return done, err
	}
	if err := s.Limiter.Forgive(ctx, tx, s.logins.Action, mailbox(user.email)); err != nil {
		return done, err
	}
	arguments := passwordArguments{Reset: true}
	if err := s.mailPasswordChanged(ctx, tx, user.email, user.locale, arguments); err != nil {
		return done, err
	}
	return done, s.record(ctx, tx, "user.reset_password", user.id, nil, revokedKeys(done.RevokedAPIKeys))
}

// revokedKeys returns the values of a new password in the audit.
func revokedKeys(count int64) map[string]int64 { return map[string]int64{"revoked_api_keys": count} }

// passwordArguments are the arguments of a mail about a new password.
type passwordArguments struct {
	Reset bool `json:"reset"` // the mail also lists Remaining
}

func (s *Service) mailPasswordChanged(
	ctx context.Context, tx pgx.Tx, email, locale string, arguments passwordArguments,
) error {
	_, _, err := sending.Mail(ctx, tx, sending.Sender{}, mail.New{
		Recipient: email, Template: mail.TemplatePasswordChanged, Locale: locale, At: s.Now(),
		Arguments: arguments,
	})
	return err
}

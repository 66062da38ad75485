package profile

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/account"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
)

const updatePassword = `
UPDATE app_user
SET password_hash = $2, updated_at = $3, version = version + 1
WHERE id = $1
RETURNING email, locale`

const endOtherSessions = `
UPDATE session
SET revoked_at = $3, revoked_for = 'password'
WHERE user_id = $1 AND id <> $2 AND revoked_at IS NULL`

// ChangePassword gives the user who is logged in a new password, ends their other logins and every link that could set
// another password or address, and tells them by mail. The faults: Forbidden for an API key and, with code
// "wrong_password", for a wrong password; Invalid, naming every bad field; TooMany like a login.
func (s *Service) ChangePassword(ctx context.Context, password, newPassword string) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	stored, err := s.read(s.DB.QueryRow(ctx, selectProfile, who.UserID))
	if err != nil {
		return err
	}
	if err := checkPasswords(password, newPassword, stored.Email); err != nil {
		return err
	}
	if err := s.Accounts.ConfirmPassword(ctx, password); err != nil {
		return err
	}
	hash, err := s.Hash(ctx, newPassword)
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error { return s.storePassword(ctx, tx, who, hash) })
}

func checkPasswords(password, newPassword, email string) error {
	var violations fault.Violations
	if password == "" {
		violations.Add("password", "is required")
	}
	if newPassword == "" {
		violations.Add("new_password", "is required")
	} else if problem := auth.PasswordProblem(newPassword, email); problem != "" {
		violations.Add("new_password", "%s", problem)
	}
	return violations.Err("invalid_parameters", "some fields are not right")
}

func (s *Service) storePassword(ctx context.Context, tx pgx.Tx, who auth.Principal, hash string) error {
	var email, locale string
	now := s.Now()
	if err := tx.QueryRow(ctx, updatePassword, who.UserID, hash, now).Scan(&email, &locale); err != nil {
		return fmt.Errorf("store password: %w", err)
	}
	if _, err := tx.Exec(ctx, endOtherSessions, who.UserID, who.SessionID, now); err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	if err := account.EndLinks(ctx, tx, who.UserID, now); err != nil {
		return err
	}
	_, err := mail.Enqueue(ctx, tx, mail.New{
		Recipient: email, Template: mail.TemplatePasswordChanged, Locale: locale, At: now,
	})
	if err != nil {
		return err
	}
	return s.audit(ctx, tx, "user.change_password", who.UserID, nil, nil)
}

package user

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
)

const updatePassword = `
UPDATE app_user
SET password_hash = $2, updated_at = $3, version = version + 1
WHERE id = $1
RETURNING email, locale`

// ChangePassword sets a new password of the logged-in user, ends their other sessions and every
// link that could set another password or address, and confirms it by mail. The faults: Forbidden
// for an API key and, with code "wrong_password", for a wrong password; Invalid, naming every bad
// field; TooMany like a login.
func (s *Service) ChangePassword(ctx context.Context, password, newPassword string) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	stored, err := s.readProfile(s.DB.QueryRow(ctx, selectProfile, who.UserID))
	if err != nil {
		return err
	}
	if err := checkPasswords(password, newPassword, stored.Email); err != nil {
		return err
	}
	if err := s.ConfirmPassword(ctx, password); err != nil {
		return err
	}
	hash, err := s.Hasher.Hash(ctx, newPassword)
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error { return s.changePassword(ctx, tx, who, hash) })
}

func checkPasswords(password, newPassword, email string) error {
	var violations fault.Violations
	required(&violations, "password", password)
	if newPassword == "" {
		violations.Add("new_password", "is required")
	} else if problem := auth.PasswordProblem(newPassword, email); problem != "" {
		violations.Add("new_password", "%s", problem)
	}
	return violations.Err(invalidParameters, invalidMessage)
}

func (s *Service) changePassword(ctx context.Context, tx pgx.Tx, who auth.Principal, hash string) error {
	var email, locale string
	now := s.Now()
	if err := tx.QueryRow(ctx, updatePassword, who.UserID, hash, now).Scan(&email, &locale); err != nil {
		return fmt.Errorf("store password: %w", err)
	}
	err := s.Sessions.EndOthers(ctx, tx, who.UserID, who.SessionID, auth.EndedByPassword)
	if err != nil {
		return err
	}
	if err := endLinks(ctx, tx, who.UserID, now); err != nil {
		return err
	}
	if err := s.mailPasswordChanged(ctx, tx, email, locale); err != nil {
		return err
	}
	return s.record(ctx, tx, "user.change_password", who.UserID, nil, nil)
}

package user

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
)

const updatePassword = `
UPDATE app_user
SET password_hash = $2, updated_at = $3, version = version + 1
WHERE id = $1
RETURNING email, locale`

// ChangePassword sets a new password of the logged-in user, ends their other sessions and every
// link that could set another password or address, revokes their personal API keys, and confirms it
// by mail. It returns how many keys it revoked. The faults: Forbidden for an API key and, with code
// "wrong_password", for a wrong password; Invalid, naming every bad field; TooMany like a login.
func (s *Service) ChangePassword(ctx context.Context, password, newPassword string) (revoked int64, err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return 0, err
	}
	stored, err := s.readProfile(s.DB.QueryRow(ctx, selectProfile, who.UserID))
	if err != nil {
		return 0, err
	}
	var violations fault.Violations
	required(&violations, "password", password)
	addPasswordProblem(&violations, "new_password", newPassword, stored.Email)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return 0, err
	}
	if err := s.ConfirmPassword(ctx, password); err != nil {
		return 0, err
	}
	hash, err := s.Hasher.Hash(ctx, newPassword)
	if err != nil {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		revoked, err = s.changePassword(ctx, tx, who, hash)
		return err
	})
	return revoked, err
}

// checkPassword returns an Invalid fault that names the field of a new password, unless the account
// with the address may have it.
func checkPassword(field, password, email string) error {
	var violations fault.Violations
	addPasswordProblem(&violations, field, password, email)
	return violations.Err(invalidParameters, invalidMessage)
}

func addPasswordProblem(violations *fault.Violations, field, password, email string) {
	if password == "" {
		violations.Add(field, reason.Required)
	} else if problem := auth.PasswordProblem(password, email); problem != nil {
		violations.Add(field, problem)
	}
}

func (s *Service) changePassword(
	ctx context.Context, tx pgx.Tx, who auth.Principal, hash string,
) (revoked int64, err error) {
	var email, locale string
	now := s.Now()
	if err := tx.QueryRow(ctx, updatePassword, who.UserID, hash, now).Scan(&email, &locale); err != nil {
		return 0, fmt.Errorf("store password: %w", err)
	}
	err = s.Sessions.EndOthers(ctx, tx, who.UserID, who.SessionID, auth.EndedByPassword)
	if err != nil {
		return 0, err
	}
	if err := endLinks(ctx, tx, who.UserID, now); err != nil {
		return 0, err
	}
	if revoked, err = apikey.RevokePersonal(ctx, tx, who.UserID, now); err != nil {
		return 0, err
	}
	if err := s.mailPasswordChanged(ctx, tx, email, locale, passwordArguments{}); err != nil {
		return 0, err
	}
	return revoked, s.record(ctx, tx, "user.change_password", who.UserID, nil, revokedKeys(revoked))
}

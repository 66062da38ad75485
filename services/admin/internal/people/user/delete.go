package user

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/quota"
)

// Delete deletes the account of the logged-in user and their avatar (GDPR, Article 17). Sessions,
// keys, memberships, invitations, todos and mails go with it. Messages to others stay, without a
// sender, and so do audit entries, without names and addresses. It returns Conflict with code
// "last_owner", naming the organizations that would lose their last owner, and the faults of
// ConfirmPassword.
func (s *Service) Delete(ctx context.Context, avatars *Avatars, password string) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	if err := s.ConfirmPassword(ctx, password); err != nil {
		return err
	}
	var avatar string
	err := s.DB.InTx(ctx, func(tx pgx.Tx) (err error) {
		avatar, err = s.delete(ctx, tx, who.UserID)
		return err
	})
	if err == nil && avatar != "" {
		avatars.discard(ctx, avatar)
	}
	return err
}

const selectLeaving = `
SELECT coalesce(avatar_key, '')
FROM app_user
WHERE id = $1
FOR UPDATE`

// delete deletes the account and returns the key of its avatar, or "". Teams are locked before the
// account, as everywhere.
func (s *Service) delete(ctx context.Context, tx pgx.Tx, userID int) (avatar string, err error) {
	if err := team.LockAll(ctx, tx, userID); err != nil {
		return "", err
	}
	err = tx.QueryRow(ctx, selectLeaving, userID).Scan(&avatar)
	if errors.Is(err, pgx.ErrNoRows) { // by another request of theirs
		return "", fault.New(fault.Unauthenticated, "session_ended", "you are no longer logged in")
	}
	if err != nil {
		return "", fmt.Errorf("read account: %w", err)
	}
	if err := team.RequireNoLastOwner(ctx, tx, userID); err != nil {
		return "", err
	}
	return avatar, s.forget(ctx, tx, userID)
}

// selectAddresses finds the current and former addresses of the user that no other account has.
const selectAddresses = `
SELECT lower(email)
FROM app_user
WHERE id = $1
UNION
SELECT lower(a.before ->> 'email')
FROM audit_entry a
WHERE a.entity_kind = 'user'
    AND a.entity_id = $1::integer::text
    AND a.action = 'user.change_email'
    AND a.before ->> 'email' IS NOT NULL
    AND NOT EXISTS (SELECT FROM app_user u WHERE lower(u.email) = lower(a.before ->> 'email'))`

// forget deletes the account after every row that refers to it. The audit comes last: the other
// steps record entries.
func (s *Service) forget(ctx context.Context, tx pgx.Tx, userID int) error {
	rows, _ := tx.Query(ctx, selectAddresses, userID) // the error comes with the rows
	addresses, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("read addresses: %w", err)
	}
	now := s.Now()
	if err := team.Forget(ctx, tx, userID, addresses, now); err != nil {
		return err
	}
	if err := apikey.Forget(ctx, tx, userID, now); err != nil {
		return err
	}
	if err := inbox.Forget(ctx, tx, userID); err != nil {
		return err
	}
	if err := mail.Forget(ctx, tx, userID, addresses); err != nil {
		return err
	}
	if err := s.Reports.Forget(ctx, tx, addresses); err != nil {
		return err
	}
	if err := auth.Forget(ctx, tx, userID); err != nil {
		return err
	}
	if err := quota.Forget(ctx, tx, strconv.Itoa(userID)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, deleteUser, userID); err != nil {
		return fmt.Errorf("delete account: %w", err)
	}
	if err := s.record(ctx, tx, "user.delete", userID, nil, nil); err != nil {
		return err
	}
	return audit.Forget(ctx, tx, userID, addresses)
}

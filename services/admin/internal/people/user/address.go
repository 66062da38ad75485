package user

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/platform/mail"
)

// addressChange is a requested change of an e-mail address. The addresses are in normal form.
type addressChange struct {
	userID   int
	from, to string
	locale   string
}

const setPendingAddress = `
UPDATE app_user
SET pending_email = $2
WHERE id = $1`

const selectTaken = `
SELECT EXISTS (
    SELECT
    FROM app_user
    WHERE lower(email) = $1 AND (activated_at IS NOT NULL OR deactivated_at IS NOT NULL)
)`

// requestAddress stores a pending address until the link in the mail to it is opened, and informs
// the current address. An earlier pending address is replaced. The user's row must be locked.
//
// The result does not show whether the address has an account. If it has, only the mail differs: it
// contains no link, and points to the existing account. The fault is TooMany, in both cases alike.
func (s *Service) requestAddress(ctx context.Context, tx pgx.Tx, change addressChange) error {
	now := s.Now()
	if err := auth.UseUpTokens(ctx, tx, change.userID, now, auth.ForAddress); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, setPendingAddress, change.userID, change.to); err != nil {
		return fmt.Errorf("store address: %w", err)
	}
	var taken bool
	if err := tx.QueryRow(ctx, selectTaken, change.to).Scan(&taken); err != nil {
		return fmt.Errorf("read account: %w", err)
	}
	template := mail.TemplateConfirmEmail
	if taken {
		template = mail.TemplateEmailTaken
	}
	id, _, err := sending.Mail(ctx, tx, sending.Sender{UserID: change.userID}, mail.New{
		Recipient: change.to, Template: template, Locale: change.locale, At: now,
	})
	if err != nil {
		return err
	}
	err = auth.AddOneTimeToken(ctx, tx, auth.OneTimeToken{
		Purpose: auth.ForAddress, UserID: change.userID, MailID: id,
		CreatedAt: now, ExpiresAt: now.Add(s.Config.ActivationValid),
	})
	if err != nil {
		return err
	}
	return s.mailOldAddress(ctx, tx, mail.TemplateEmailRequested, change)
}

// noticeArguments are the arguments of a mail to an address that may no longer be the user's.
type noticeArguments struct {
	UserID int `json:"user_id"`
}

func (s *Service) mailOldAddress(ctx context.Context, tx pgx.Tx, template string, change addressChange) error {
	_, _, err := sending.Mail(ctx, tx, sending.Sender{}, mail.New{
		Recipient: change.from, Template: template, Locale: change.locale, At: s.Now(),
		Arguments: noticeArguments{change.userID},
	})
	return err
}

const selectPendingAddress = `
SELECT u.id, u.email, u.pending_email, u.locale
FROM one_time_token t
JOIN app_user u ON u.id = t.user_id
WHERE t.hash = $1
    AND t.purpose = 'email'
    AND t.used_at IS NULL
    AND t.expires_at > $2
    AND u.pending_email IS NOT NULL
    AND u.activated_at IS NOT NULL
    AND u.deactivated_at IS NULL`

const updateAddress = `
UPDATE app_user
SET email = $2, email_verified = true, updated_at = $3, version = version + 1
WHERE id = $1`

// emailIndex is the schema's: no two accounts have the same address.
const emailIndex = "app_user_email"

// confirmAddress gives the user the address to which the token was mailed. Their sessions and keys
// stay; links mailed to the previous address become invalid. It returns the faults of Activate.
func (s *Service) confirmAddress(ctx context.Context, tx pgx.Tx, token string) error {
	if err := lockOwner(ctx, tx, token); err != nil {
		return err
	}
	var change addressChange
	err := tx.QueryRow(ctx, selectPendingAddress, auth.Digest(token), s.Now()).
		Scan(&change.userID, &change.from, &change.to, &change.locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return errLink()
	}
	if err != nil {
		return fmt.Errorf("read address: %w", err)
	}
	if err := freeAddress(ctx, tx, change.to); err != nil {
		return err
	}
	return s.changeAddress(ctx, tx, change)
}

func (s *Service) changeAddress(ctx context.Context, tx pgx.Tx, change addressChange) error {
	now := s.Now()
	_, err := tx.Exec(ctx, updateAddress, change.userID, change.to, now)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.ConstraintName == emailIndex {
		return errEmailTaken()
	}
	if err != nil {
		return fmt.Errorf("store address: %w", err)
	}
	if err := endLinks(ctx, tx, change.userID, now); err != nil {
		return err
	}
	if err := s.mailOldAddress(ctx, tx, mail.TemplateEmailChanged, change); err != nil {
		return err
	}
	before, after := map[string]string{"email": change.from}, map[string]string{"email": change.to}
	return s.record(ctx, tx, "user.change_email", change.userID, before, after)
}

func errEmailTaken() error {
	return fault.New(fault.Conflict, "email_taken", "there is already an account with this e-mail address")
}

// An account that was never activated.
const (
	lockUnactivated = `
SELECT id
FROM app_user
WHERE lower(email) = $1 AND activated_at IS NULL AND deactivated_at IS NULL
FOR UPDATE`

	deleteUser = `
DELETE FROM app_user
WHERE id = $1`
)

// freeAddress deletes an account with the address that was never activated. Its signup did not
// prove that the address belongs to its user; the link that is being used does.
func freeAddress(ctx context.Context, tx pgx.Tx, email string) error {
	var id int
	err := tx.QueryRow(ctx, lockUnactivated, email).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("lock account: %w", err)
	}
	if err := auth.DeleteTokens(ctx, tx, id); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, deleteUser, id); err != nil {
		return fmt.Errorf("delete account: %w", err)
	}
	return nil
}

const forgetPendingAddress = `
UPDATE app_user
SET pending_email = NULL
WHERE id = $1 AND pending_email IS NOT NULL`

// endLinks invalidates every link that could set the user's password or address. The caller also
// updates the user, and thereby the version of the row.
func endLinks(ctx context.Context, tx pgx.Tx, userID int, now time.Time) error {
	if err := auth.UseUpTokens(ctx, tx, userID, now, auth.ForReset, auth.ForAddress); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, forgetPendingAddress, userID); err != nil {
		return fmt.Errorf("forget pending address: %w", err)
	}
	return nil
}

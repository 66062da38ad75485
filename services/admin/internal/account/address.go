package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
)

// addressChanges limits how often a user asks for another address, and addressMails how many mails one mailbox gets from
// people who name it: everybody may name a stranger's.
var (
	addressChanges = auth.Limit{Action: "email_change", Most: 10, Window: 24 * time.Hour}
	addressMails   = auth.Limit{Action: "email_change_mail", Most: 5, Window: time.Hour}
)

// AddressChange is another e-mail address that a user asks for. The addresses are in normal form.
type AddressChange struct {
	UserID   int
	From, To string
	Locale   string
}

// LimitAddressChange counts that the user asks for the address. The fault is TooMany, whether or not somebody has it.
func (s *Service) LimitAddressChange(ctx context.Context, userID int, to string) error {
	if err := s.limiter.Count(ctx, addressChanges, strconv.Itoa(userID), netip.Addr{}); err != nil {
		return err
	}
	return s.limiter.Count(ctx, addressMails, mailbox(to), netip.Addr{})
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

const insertAddressToken = `
INSERT INTO one_time_token (purpose, user_id, mail_id, created_at, expires_at)
VALUES ('email', $1, $2, $3, $4)`

// RequestAddress keeps an address until the link is followed that is mailed to it, and tells the address that it would
// replace. It takes the place of one that was asked for before. The user's row must be locked.
//
// Nobody learns here who has an account: with the address of another one the same is done, and only the mail differs. It
// holds no link, and tells its reader of the account that they have.
func (s *Service) RequestAddress(ctx context.Context, tx pgx.Tx, change AddressChange) error {
	now := s.now()
	if err := useUp(ctx, tx, change.UserID, now, "email"); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, setPendingAddress, change.UserID, change.To); err != nil {
		return fmt.Errorf("store address: %w", err)
	}
	var taken bool
	if err := tx.QueryRow(ctx, selectTaken, change.To).Scan(&taken); err != nil {
		return fmt.Errorf("read account: %w", err)
	}
	template := mail.TemplateConfirmEmail
	if taken {
		template = mail.TemplateEmailTaken
	}
	id, err := mail.Enqueue(ctx, tx, mail.New{Recipient: change.To, Template: template, Locale: change.Locale, At: now})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, insertAddressToken, change.UserID, id, now, now.Add(s.config.ActivationValid))
	if err != nil {
		return fmt.Errorf("store link: %w", err)
	}
	return s.tellOldAddress(ctx, tx, mail.TemplateEmailRequested, change)
}

// noticeArguments are kept with a queued mail to an address that need not be its reader's any more.
type noticeArguments struct {
	UserID int `json:"user_id"`
}

func (s *Service) tellOldAddress(ctx context.Context, tx pgx.Tx, template string, change AddressChange) error {
	_, err := mail.Enqueue(ctx, tx, mail.New{
		Recipient: change.From, Template: template, Locale: change.Locale, At: s.now(),
		Arguments: noticeArguments{change.UserID},
	})
	return err
}

// issueAddressToken finds nothing once the address was given up, or another one was asked for.
const issueAddressToken = `
UPDATE one_time_token t
SET hash = $2, expires_at = $3
FROM app_user u
WHERE t.mail_id = $1
    AND t.purpose = 'email'
    AND t.used_at IS NULL
    AND u.id = t.user_id
    AND u.pending_email = $4
    AND u.deactivated_at IS NULL`

// issueAddress gives the link of a queued mail its secret, which it returns.
func (s *Service) issueAddress(ctx context.Context, tx pgx.Tx, queued mail.Queued) (token string, err error) {
	token = auth.NewSecret()
	until := s.now().Add(s.config.ActivationValid)
	tag, err := tx.Exec(ctx, issueAddressToken, queued.ID, auth.Digest(token), until, queued.Recipient)
	if err != nil {
		return "", fmt.Errorf("issue link: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return "", mail.ErrNobody
	}
	return token, nil
}

func (s *Service) composeAddress(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	token, err := s.issueAddress(ctx, tx, queued)
	return mail.Content{Link: s.Link(pageActivate, token), Valid: s.config.ActivationValid}, err
}

// composeTaken issues a secret that nobody gets to know, so that the address waits as long as one that is free.
func (s *Service) composeTaken(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	if _, err := s.issueAddress(ctx, tx, queued); err != nil {
		return mail.Content{}, err
	}
	return s.composeNotice(ctx, tx, queued)
}

const selectNamed = `
SELECT coalesce(display_name, first_name, ''), locale
FROM app_user
WHERE id = $1`

// composeOldAddress is for the mails to the address that another one replaces, or would replace.
func (s *Service) composeOldAddress(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	content := mail.Content{Link: s.Link("/", "")}
	if queued.Template == mail.TemplateEmailRequested {
		content.Link = s.Link(pageForgot, "")
	}
	var arguments noticeArguments
	if err := json.Unmarshal(queued.Arguments, &arguments); err != nil {
		return content, fmt.Errorf("arguments of mail: %w", err)
	}
	err := tx.QueryRow(ctx, selectNamed, arguments.UserID).Scan(&content.Name, &content.Locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return content, mail.ErrNobody
	}
	if err != nil {
		return content, fmt.Errorf("read reader: %w", err)
	}
	return content, nil
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

// emailIndex is the schema's: no two accounts have one address.
const emailIndex = "app_user_email"

// confirmAddress makes the address the user's whose mail held the token. Logins and keys of the user stay, links that were
// mailed to the address before end. The faults are those of Activate. The user's row must be locked.
func (s *Service) confirmAddress(ctx context.Context, tx pgx.Tx, token string) error {
	var change AddressChange
	now := s.now()
	err := tx.QueryRow(ctx, selectPendingAddress, auth.Digest(token), now).
		Scan(&change.UserID, &change.From, &change.To, &change.Locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return errLink()
	}
	if err != nil {
		return fmt.Errorf("read address: %w", err)
	}
	if err := freeAddress(ctx, tx, change.To); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, updateAddress, change.UserID, change.To, now)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.ConstraintName == emailIndex {
		return fault.New(fault.Conflict, "email_taken", "there is already an account with this e-mail address")
	}
	if err != nil {
		return fmt.Errorf("store address: %w", err)
	}
	if err := EndLinks(ctx, tx, change.UserID, now); err != nil {
		return err
	}
	if err := s.tellOldAddress(ctx, tx, mail.TemplateEmailChanged, change); err != nil {
		return err
	}
	before, after := map[string]string{"email": change.From}, map[string]string{"email": change.To}
	return s.audit(ctx, tx, "user.change_email", change.UserID, before, after)
}

func errLink() error {
	return fault.New(fault.Unauthenticated, "token_invalid", "this link is not valid, was used before, or has expired")
}

// An account that was never activated, and its links.
const (
	lockUnactivated = `
SELECT id
FROM app_user
WHERE lower(email) = $1 AND activated_at IS NULL AND deactivated_at IS NULL
FOR UPDATE`

	deleteLinks = `
DELETE FROM one_time_token
WHERE user_id = $1`

	deleteUnactivated = `
DELETE FROM app_user
WHERE id = $1`
)

// freeAddress deletes an account that waits to be activated: whoever has signed up with the address has not proved that
// they read its mails, and somebody else has.
func freeAddress(ctx context.Context, tx pgx.Tx, email string) error {
	var id int
	err := tx.QueryRow(ctx, lockUnactivated, email).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("lock account: %w", err)
	}
	for _, statement := range []string{deleteLinks, deleteUnactivated} {
		if _, err := tx.Exec(ctx, statement, id); err != nil {
			return fmt.Errorf("delete account: %w", err)
		}
	}
	return nil
}

const forgetPendingAddress = `
UPDATE app_user
SET pending_email = NULL
WHERE id = $1 AND pending_email IS NOT NULL`

// EndLinks makes every link worthless that could still set the user's password or give them another address. The caller
// stores the user as well, and with that the row's new version.
func EndLinks(ctx context.Context, tx pgx.Tx, userID int, now time.Time) error {
	if err := useUp(ctx, tx, userID, now, "reset", "email"); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, forgetPendingAddress, userID); err != nil {
		return fmt.Errorf("give up address: %w", err)
	}
	return nil
}

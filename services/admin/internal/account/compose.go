package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
)

// The pages of the application that mails lead to.
const (
	pageActivate = "/app/activate/account"
	pageReset    = "/app/reset-password"
	pageForgot   = "/app/forgot-password"
)

// Compose is the mail.Composer of this package's mails. The secret of a link is made here and leaves in the mail alone.
func (s *Service) Compose(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	switch queued.Template {
	case mail.TemplateActivate:
		return s.composeActivation(ctx, tx, queued)
	case mail.TemplateReset:
		return s.composeReset(ctx, tx, queued)
	case mail.TemplateConfirmEmail:
		return s.composeAddress(ctx, tx, queued)
	case mail.TemplateEmailTaken:
		return s.composeTaken(ctx, tx, queued)
	case mail.TemplateEmailRequested, mail.TemplateEmailChanged:
		return s.composeOldAddress(ctx, tx, queued)
	case mail.TemplatePasswordChanged, mail.TemplateAccountExists:
		return s.composeNotice(ctx, tx, queued)
	default:
		return mail.Content{}, fmt.Errorf("no account mail is called %s", queued.Template)
	}
}

// Link returns an address of the application. It never depends on a request.
func (s *Service) Link(page, token string) string {
	if token == "" {
		return s.config.AppURL + page
	}
	return s.config.AppURL + page + "?token=" + url.QueryEscape(token)
}

const issueActivation = `
UPDATE one_time_token
SET hash = $2, expires_at = $3
WHERE mail_id = $1 AND purpose = 'activate' AND used_at IS NULL`

func (s *Service) composeActivation(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	token, valid := auth.NewSecret(), s.config.ActivationValid
	tag, err := tx.Exec(ctx, issueActivation, queued.ID, auth.Digest(token), s.now().Add(valid))
	if err != nil {
		return mail.Content{}, fmt.Errorf("issue activation: %w", err)
	}
	if tag.RowsAffected() == 0 { // activated by another mail in the meantime
		return mail.Content{}, mail.ErrNobody
	}
	return mail.Content{Link: s.Link(pageActivate, token), Valid: valid}, nil
}

// resetArguments are kept with a queued mail.
type resetArguments struct {
	Chosen bool `json:"chosen"` // the request chose the language; else it is the user's own
}

const selectReader = `
SELECT id, coalesce(display_name, first_name, ''), locale
FROM app_user
WHERE lower(email) = lower($1) AND activated_at IS NOT NULL AND deactivated_at IS NULL`

const countResets = `
SELECT count(*)
FROM one_time_token
WHERE user_id = $1 AND purpose = 'reset' AND created_at > $2::timestamptz - interval '1 hour' AND mail_id IS DISTINCT FROM $3`

// issueReset gives a mail that is tried again a new secret.
const issueReset = `
INSERT INTO one_time_token (purpose, user_id, mail_id, hash, created_at, expires_at)
VALUES ('reset', $1, $2, $3, $4, $5)
ON CONFLICT (mail_id) DO UPDATE
SET hash = excluded.hash, expires_at = excluded.expires_at`

func (s *Service) composeReset(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	var arguments resetArguments
	if err := json.Unmarshal(queued.Arguments, &arguments); err != nil {
		return mail.Content{}, fmt.Errorf("arguments of mail: %w", err)
	}
	userID, content, err := s.reader(ctx, tx, queued.Recipient)
	if err != nil {
		return content, err
	}
	var sent int
	if err := tx.QueryRow(ctx, countResets, userID, s.now(), queued.ID).Scan(&sent); err != nil {
		return content, fmt.Errorf("count resets: %w", err)
	}
	if sent >= resetMailsAnHour {
		return content, mail.ErrNobody
	}
	if arguments.Chosen {
		content.Locale = queued.Locale
	}
	token := auth.NewSecret()
	content.Link, content.Valid = s.Link(pageReset, token), s.config.ResetValid
	now := s.now()
	_, err = tx.Exec(ctx, issueReset, userID, queued.ID, auth.Digest(token), now, now.Add(content.Valid))
	if err != nil {
		return content, fmt.Errorf("issue reset: %w", err)
	}
	return content, nil
}

// composeNotice is for mails that lead to a new password, should their reader want one.
func (s *Service) composeNotice(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	_, content, err := s.reader(ctx, tx, queued.Recipient)
	content.Link = s.Link(pageForgot, "")
	return content, err
}

// reader returns the active user with the address, or mail.ErrNobody.
func (s *Service) reader(ctx context.Context, tx pgx.Tx, email string) (userID int, content mail.Content, err error) {
	err = tx.QueryRow(ctx, selectReader, email).Scan(&userID, &content.Name, &content.Locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, content, mail.ErrNobody
	}
	if err != nil {
		return 0, content, fmt.Errorf("read reader: %w", err)
	}
	return userID, content, nil
}

package user

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
)

// The pages of the console that links in mails open.
const (
	pageActivate = "/activate"
	pageConfirm  = "/confirm"
	pageReset    = "/reset"
	pageForgot   = "/forgot"
)

// Compose is the mail.Composer of this package's mails. The secret of a link is made here and
// exists only in the mail.
func (s *Service) Compose(ctx context.Context, tx pgx.Tx, queued mail.Job) (mail.Content, error) {
	switch queued.Template {
	case mail.TemplateActivate:
		token, err := s.issue(ctx, tx, auth.ForActivation, queued)
		return mail.Content{Link: s.Link(pageActivate, token), Valid: s.Config.ActivationValid}, err
	case mail.TemplateReset:
		return s.composeReset(ctx, tx, queued)
	case mail.TemplateConfirmEmail:
		token, err := s.issueAddress(ctx, tx, queued)
		return mail.Content{Link: s.Link(pageConfirm, token), Valid: s.Config.ActivationValid}, err
	case mail.TemplateEmailTaken:
		// the secret is not sent; the address stays pending for as long as one without an account
		if _, err := s.issueAddress(ctx, tx, queued); err != nil {
			return mail.Content{}, err
		}
		return s.composeNotice(ctx, tx, queued)
	case mail.TemplateEmailRequested, mail.TemplateEmailChanged:
		return s.composeOldAddress(ctx, tx, queued)
	case mail.TemplatePasswordChanged:
		return s.composePassword(ctx, tx, queued)
	case mail.TemplateAccountExists:
		return s.composeNotice(ctx, tx, queued)
	default:
		return mail.Content{}, fmt.Errorf("no account mail is called %s", queued.Template)
	}
}

// Link returns the address of a page of the console. It does not depend on the request.
func (s *Service) Link(page, token string) string {
	if token == "" {
		return s.Config.AppURL + page
	}
	return s.Config.AppURL + page + "?token=" + url.QueryEscape(token)
}

// issue returns the secret of a queued mail's token. The error is mail.ErrDropped when the token
// was used or replaced in the meantime.
func (s *Service) issue(
	ctx context.Context, tx pgx.Tx, purpose auth.Purpose, queued mail.Job,
) (token string, err error) {
	expires := s.Now().Add(s.Config.ActivationValid)
	token, err = auth.IssueOneTimeToken(ctx, tx, purpose, queued.ID, expires)
	if errors.Is(err, auth.ErrTokenUsed) {
		return "", mail.ErrDropped
	}
	return token, err
}

// resetArguments are the arguments of a mail with a link that resets a password.
type resetArguments struct {
	Chosen bool `json:"chosen"` // the request chose the language; else it is the user's
}

func (s *Service) composeReset(ctx context.Context, tx pgx.Tx, queued mail.Job) (mail.Content, error) {
	var arguments resetArguments
	if err := json.Unmarshal(queued.Arguments, &arguments); err != nil {
		return mail.Content{}, fmt.Errorf("arguments of mail: %w", err)
	}
	userID, content, err := s.recipient(ctx, tx, queued.Recipient)
	if err != nil {
		return content, err
	}
	if arguments.Chosen {
		content.Locale = queued.Locale
	}
	token, now := auth.NewSecret(), s.Now()
	content.Link, content.Valid = s.Link(pageReset, token), s.Config.ResetValid
	return content, auth.AddOneTimeToken(ctx, tx, auth.OneTimeToken{
		Purpose: auth.ForReset, UserID: userID, MailID: queued.ID, Secret: token,
		CreatedAt: now, ExpiresAt: now.Add(content.Valid),
	})
}

const selectRequested = `
SELECT EXISTS (
    SELECT
    FROM one_time_token t
    JOIN app_user u ON u.id = t.user_id
    WHERE t.mail_id = $1 AND u.pending_email = $2 AND u.deactivated_at IS NULL
)`

// issueAddress returns the secret of a mail to a requested address. The error is mail.ErrDropped
// once the request was withdrawn, or replaced by one for another address.
func (s *Service) issueAddress(ctx context.Context, tx pgx.Tx, queued mail.Job) (token string, err error) {
	var requested bool
	err = tx.QueryRow(ctx, selectRequested, queued.ID, queued.Recipient).Scan(&requested)
	if err != nil {
		return "", fmt.Errorf("read request: %w", err)
	}
	if !requested {
		return "", mail.ErrDropped
	}
	return s.issue(ctx, tx, auth.ForAddress, queued)
}

const selectNamed = `
SELECT coalesce(display_name, first_name, ''), locale
FROM app_user
WHERE id = $1`

// composeOldAddress composes the mails to a current address, after the request for another one and
// after the change. After the change it cannot be used to log in, so its link leads to the public
// pages, which have the imprint.
func (s *Service) composeOldAddress(
	ctx context.Context, tx pgx.Tx, queued mail.Job,
) (mail.Content, error) {
	content := mail.Content{Link: s.PublicURL + "/"}
	if queued.Template == mail.TemplateEmailRequested {
		content.Link = s.Link(pageForgot, "")
	}
	var arguments noticeArguments
	if err := json.Unmarshal(queued.Arguments, &arguments); err != nil {
		return content, fmt.Errorf("arguments of mail: %w", err)
	}
	err := tx.QueryRow(ctx, selectNamed, arguments.UserID).Scan(&content.Name, &content.Locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return content, mail.ErrDropped
	}
	if err != nil {
		return content, fmt.Errorf("read recipient: %w", err)
	}
	return content, nil
}

// composePassword also lists the keys and invitations that a reset did not revoke.
func (s *Service) composePassword(ctx context.Context, tx pgx.Tx, queued mail.Job) (mail.Content, error) {
	var arguments passwordArguments
	if err := json.Unmarshal(queued.Arguments, &arguments); err != nil {
		return mail.Content{}, fmt.Errorf("arguments of mail: %w", err)
	}
	userID, content, err := s.recipient(ctx, tx, queued.Recipient)
	content.Link = s.Link(pageForgot, "")
	if err != nil || !arguments.Reset {
		return content, err
	}
	remaining, err := remainingOf(ctx, tx, userID, s.Now())
	content.Remaining = mailRemaining(remaining)
	return content, err
}

// composeNotice composes a mail whose link leads to the page for a forgotten password.
func (s *Service) composeNotice(ctx context.Context, tx pgx.Tx, queued mail.Job) (mail.Content, error) {
	_, content, err := s.recipient(ctx, tx, queued.Recipient)
	content.Link = s.Link(pageForgot, "")
	return content, err
}

const selectRecipient = `
SELECT id, coalesce(display_name, first_name, ''), locale
FROM app_user
WHERE lower(email) = lower($1) AND activated_at IS NOT NULL AND deactivated_at IS NULL`

// recipient returns the active user with the address, or mail.ErrDropped.
func (s *Service) recipient(
	ctx context.Context, tx pgx.Tx, email string,
) (userID int, content mail.Content, err error) {
	err = tx.QueryRow(ctx, selectRecipient, email).Scan(&userID, &content.Name, &content.Locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, content, mail.ErrDropped
	}
	if err != nil {
		return 0, content, fmt.Errorf("read recipient: %w", err)
	}
	return userID, content, nil
}

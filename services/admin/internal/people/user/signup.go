package user

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/platform/mail"
)

// Signup creates an account, which the link in a mail to its address activates. The faults:
// Invalid, naming every field; TooMany for too many requests, valid or not, from one network or
// with one address.
//
// The result does not show whether the address has an account. If it has, only the mail differs: it
// points to the existing account.
//
// Signing up again before the activation sends another mail, up to the bound of package sending;
// further signups get the same answer. The password is checked but not
// stored: a stranger may have signed up with the address, so the account gets the password that is
// entered with the link from the mail (Activate).
func (s *Service) Signup(ctx context.Context, email, password, locale string) error {
	email, invalid := checkNewAccount(email, password)
	if err := s.Limiter.Count(ctx, s.signups, mailbox(email), auth.OriginOf(ctx).Address); err != nil {
		return err
	}
	if invalid != nil {
		return invalid
	}
	locale = language.Nearest(locale)
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		userID, taken, err := s.pendingUser(ctx, tx, email, locale)
		switch {
		case err != nil:
			return err
		case taken: // its owner learns of the signup
			_, sent, err := sending.Mail(ctx, tx, sending.Sender{}, mail.New{
				Recipient: email, Template: mail.TemplateAccountExists, Locale: locale, At: s.Now(),
			})
			if err != nil || !sent {
				return err
			}
			return recordByOther(ctx, tx, s.Now(), "user.signup_again", userID, nil, nil)
		}
		if sent, err := s.mailActivation(ctx, tx, userID, email, locale); err != nil || !sent {
			return err
		}
		return s.record(ctx, tx, "user.signup", userID, nil, nil)
	})
}

// checkNewAccount returns the normal form of the address, or an Invalid fault that names every bad
// field.
func checkNewAccount(email, password string) (string, error) {
	var violations fault.Violations
	normal, valid := mail.NormalizeAddress(email)
	switch {
	case email == "":
		violations.Add("email", reason.Required)
	case !valid:
		violations.Add("email", reason.NotEmail)
	}
	addPasswordProblem(&violations, "password", password, normal)
	return normal, violations.Err(invalidParameters, invalidMessage)
}

const insertUser = `
INSERT INTO app_user (email, locale, created_at, updated_at)
VALUES ($1, $2, $3, $3)
ON CONFLICT (lower(email)) DO NOTHING
RETURNING id`

const selectUserByEmail = `
SELECT id, activated_at IS NOT NULL OR deactivated_at IS NOT NULL
FROM app_user
WHERE lower(email) = $1
FOR UPDATE`

// pendingUser returns the account with the address, which it creates if necessary. taken is true
// for one that was activated before.
func (s *Service) pendingUser(
	ctx context.Context, tx pgx.Tx, email, locale string,
) (id int, taken bool, err error) {
	err = tx.QueryRow(ctx, insertUser, email, locale, s.Now()).Scan(&id)
	if err == nil || !errors.Is(err, pgx.ErrNoRows) {
		return id, false, err
	}
	if err := tx.QueryRow(ctx, selectUserByEmail, email).Scan(&id, &taken); err != nil {
		return 0, false, fmt.Errorf("read account: %w", err)
	}
	return id, taken, nil
}

func (s *Service) mailActivation(
	ctx context.Context, tx pgx.Tx, userID int, email, locale string,
) (sent bool, err error) {
	now := s.Now()
	id, sent, err := sending.Mail(ctx, tx, sending.Sender{}, mail.New{
		Recipient: email, Template: mail.TemplateActivate, Locale: locale, At: now,
	})
	if err != nil || !sent {
		return false, err
	}
	return true, auth.AddOneTimeToken(ctx, tx, auth.OneTimeToken{
		Purpose: auth.ForActivation, UserID: userID, MailID: id,
		CreatedAt: now, ExpiresAt: now.Add(s.Config.ActivationValid),
	})
}

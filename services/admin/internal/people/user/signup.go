package user

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
)

// signupMails limits the mails that one mailbox gets from signups with its address. Further signups
// get the same answer and send no mail.
var signupMails = auth.Limit{Action: "signup_mail", Max: 5, Window: time.Hour}

// Signup creates an account, which the link in a mail to its address activates. The faults:
// Invalid, naming every field; TooMany for too many requests, valid or not, from one network or
// with one address.
//
// The result does not show whether the address has an account. If it has, only the mail differs: it
// points to the existing account.
//
// Signing up again before the activation sends another mail. The password is checked but not
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
	err := s.Limiter.Count(ctx, signupMails, mailbox(email), netip.Addr{})
	if fault.Is(err, fault.TooMany) {
		return nil
	}
	if err != nil {
		return err
	}
	locale = language.Nearest(locale)
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		userID, taken, err := s.pendingUser(ctx, tx, email, locale)
		switch {
		case err != nil:
			return err
		case taken: // its owner learns of the signup
			_, err := mail.Enqueue(ctx, tx, mail.New{
				Recipient: email, Template: mail.TemplateAccountExists, Locale: locale, At: s.Now(),
			})
			if err != nil {
				return err
			}
			return recordByOther(ctx, tx, s.Now(), "user.signup_again", userID, nil, nil)
		}
		if err := s.mailActivation(ctx, tx, userID, email, locale); err != nil {
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
) error {
	now := s.Now()
	id, err := mail.Enqueue(ctx, tx, mail.New{
		Recipient: email, Template: mail.TemplateActivate, Locale: locale, At: now,
	})
	if err != nil {
		return err
	}
	return auth.AddOneTimeToken(ctx, tx, auth.OneTimeToken{
		Purpose: auth.ForActivation, UserID: userID, MailID: id,
		CreatedAt: now, ExpiresAt: now.Add(s.Config.ActivationValid),
	})
}

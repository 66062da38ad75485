package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/pkg/language"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
)

// Signup makes an account that waits to be activated by the link that is mailed to its address. The faults: Invalid, naming
// every field; TooMany for too many signups from one network or with one address.
//
// Nobody learns here who has an account: with an address that has one, the outcome and the work are the same, a password
// hash and a queued mail, and only the mail differs. It tells its reader of the account that they have.
//
// Whoever signs up again before activating gets another mail. Each mail activates the password of its own signup, so that
// a stranger who signs up with somebody's address does not choose the password of the account that its owner activates.
func (s *Service) Signup(ctx context.Context, email, password, locale string) error {
	email, err := checkNewAccount(email, password)
	if err != nil {
		return err
	}
	if err := s.limiter.Count(ctx, s.signup, "", auth.OriginOf(ctx).Address); err != nil {
		return err
	}
	if err := s.limiter.Count(ctx, signupMails, mailbox(email), netip.Addr{}); err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	locale = language.Nearest(locale)
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		userID, taken, err := s.pendingUser(ctx, tx, email, locale)
		switch {
		case err != nil:
			return err
		case taken:
			return s.mailExisting(ctx, tx, userID, email, locale)
		}
		if err := s.mailActivation(ctx, tx, userID, email, locale, hash); err != nil {
			return err
		}
		return s.audit(ctx, tx, "user.signup", userID, nil, nil)
	})
}

// checkNewAccount returns the normal form of the address, or an Invalid fault that names every bad field.
func checkNewAccount(email, password string) (string, error) {
	var violations fault.Violations
	normal, valid := NormalizeEmail(email)
	switch {
	case email == "":
		violations.Add("email", "is required")
	case !valid:
		violations.Add("email", "is not an e-mail address")
	}
	if password == "" {
		violations.Add("password", "is required")
	} else if problem := auth.PasswordProblem(password, normal); problem != "" {
		violations.Add("password", "%s", problem)
	}
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

// pendingUser returns the account with the address, new or not. It is taken unless it waits to be activated.
func (s *Service) pendingUser(ctx context.Context, tx pgx.Tx, email, locale string) (id int, taken bool, err error) {
	err = tx.QueryRow(ctx, insertUser, email, locale, s.now()).Scan(&id)
	if err == nil || !errors.Is(err, pgx.ErrNoRows) {
		return id, false, err
	}
	if err := tx.QueryRow(ctx, selectUserByEmail, email).Scan(&id, &taken); err != nil {
		return 0, false, fmt.Errorf("read account: %w", err)
	}
	return id, taken, nil
}

// mailExisting tells the owner of an account that somebody, perhaps themselves, signed up with their address.
func (s *Service) mailExisting(ctx context.Context, tx pgx.Tx, userID int, email, locale string) error {
	_, err := mail.Enqueue(ctx, tx, mail.New{
		Recipient: email, Template: mail.TemplateAccountExists, Locale: locale, At: s.now(),
	})
	if err != nil {
		return err
	}
	return s.unattributed(ctx, tx, "user.signup_again", userID, nil, nil)
}

const insertActivation = `
INSERT INTO one_time_token (purpose, user_id, mail_id, password_hash, created_at, expires_at)
VALUES ('activate', $1, $2, $3, $4, $5)`

func (s *Service) mailActivation(ctx context.Context, tx pgx.Tx, userID int, email, locale, hash string) error {
	now := s.now()
	id, err := mail.Enqueue(ctx, tx, mail.New{Recipient: email, Template: mail.TemplateActivate, Locale: locale, At: now})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, insertActivation, userID, id, hash, now, now.Add(s.config.ActivationValid))
	if err != nil {
		return fmt.Errorf("store activation: %w", err)
	}
	return nil
}

const selectActivation = `
SELECT t.user_id, t.password_hash
FROM one_time_token t
JOIN app_user u ON u.id = t.user_id
WHERE t.hash = $1
    AND t.purpose = 'activate'
    AND t.used_at IS NULL
    AND t.expires_at > $2
    AND u.activated_at IS NULL
    AND u.deactivated_at IS NULL`

const activateUser = `
UPDATE app_user
SET activated_at = $2, password_hash = $3, updated_at = $2, version = version + 1
WHERE id = $1`

// Activate activates what the mail was about that held the token: an account, or another address of one. The fault is
// Unauthenticated, for a token that is unknown, used or expired alike; Invalid when it is missing; Conflict with code
// "email_taken" when another account was activated with the address in the meantime.
func (s *Service) Activate(ctx context.Context, token string) error {
	var violations fault.Violations
	required(&violations, "token", token)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		var userID int
		var hash string
		now := s.now()
		if err := lockOwner(ctx, tx, token); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, selectActivation, auth.Digest(token), now).Scan(&userID, &hash)
		if errors.Is(err, pgx.ErrNoRows) {
			return s.confirmAddress(ctx, tx, token)
		}
		if err != nil {
			return fmt.Errorf("read activation: %w", err)
		}
		if _, err := tx.Exec(ctx, activateUser, userID, now, hash); err != nil {
			return fmt.Errorf("activate account: %w", err)
		}
		if err := useUp(ctx, tx, userID, now, "activate"); err != nil {
			return err
		}
		after := map[string]bool{"active": true}
		return s.audit(ctx, tx, "user.activate", userID, map[string]bool{"active": false}, after)
	})
}

// lockTokenOwner puts those who use the tokens of one user in order. It is a statement of its own: only the next one sees
// what a transaction has committed that held the lock until now.
const lockTokenOwner = `
SELECT
FROM app_user
WHERE id = (SELECT user_id FROM one_time_token WHERE hash = $1)
FOR UPDATE`

func lockOwner(ctx context.Context, tx pgx.Tx, token string) error {
	if _, err := tx.Exec(ctx, lockTokenOwner, auth.Digest(token)); err != nil {
		return fmt.Errorf("lock account: %w", err)
	}
	return nil
}

const useUpTokens = `
UPDATE one_time_token
SET used_at = $3
WHERE user_id = $1 AND purpose = ANY ($2) AND used_at IS NULL`

// useUp makes every token of the purposes that the user still has worthless.
func useUp(ctx context.Context, tx pgx.Tx, userID int, now time.Time, purposes ...string) error {
	if _, err := tx.Exec(ctx, useUpTokens, userID, purposes, now); err != nil {
		return fmt.Errorf("use up tokens: %w", err)
	}
	return nil
}

package user

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
)

// Identity is the part of a profile that a login returns.
type Identity struct {
	UserID      int
	DisplayName string
	FirstName   string
	LastName    string
	Locale      string
	Theme       string
}

// Login is the user who logged in, with their tokens.
type Login struct {
	Identity
	auth.Grant
}

// candidate is the account with the address of a login; the zero value when there is none.
type candidate struct {
	Identity
	hash string
}

// Login checks the password and opens a session (RULES.md, Accounts). An unknown address, a wrong
// password, and an account that is not active get the same answer after the same work, one password
// hash: an Unauthenticated fault with code "invalid_credentials". TooMany after too many attempts,
// successful or not, at the account or from the address; Unavailable when too many passwords wait
// to be checked.
func (s *Service) Login(ctx context.Context, email, password string) (Login, error) {
	var violations fault.Violations
	required(&violations, "email", email)
	required(&violations, "password", password)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return Login{}, err
	}
	email, _ = mail.NormalizeAddress(email) // no account has the address ""
	attempt, err := s.Limiter.Take(ctx, s.logins, mailbox(email), auth.OriginOf(ctx).Address)
	if err != nil {
		return Login{}, err
	}
	found, err := s.check(ctx, email, password)
	if err := s.settle(ctx, attempt, err); err != nil {
		return Login{}, err
	}
	return s.open(ctx, found, password)
}

// mailbox returns the key under which attempts at the account with this address are counted,
// whether or not it exists. A malformed address has none.
func mailbox(email string) string {
	if email == "" {
		return ""
	}
	return "mailto:" + email
}

// settle ends an attempt with the outcome err, which it returns: the attempt counts unless the
// service was too busy to check the password.
func (s *Service) settle(ctx context.Context, attempt auth.Attempt, err error) error {
	ctx = context.WithoutCancel(ctx)
	if fault.Is(err, fault.Unavailable) {
		return errors.Join(err, s.Limiter.Cancel(ctx, attempt))
	}
	return errors.Join(err, s.Limiter.Settle(ctx, attempt))
}

const selectCandidate = `
SELECT
    id, coalesce(display_name, ''), coalesce(first_name, ''), coalesce(last_name, ''),
    locale, theme, password_hash
FROM app_user
WHERE lower(email) = $1 AND activated_at IS NOT NULL AND deactivated_at IS NULL`

// check returns the account if the password is right. It computes one hash, whether or not the
// account exists.
func (s *Service) check(ctx context.Context, email, password string) (candidate, error) {
	c, err := s.findCandidate(ctx, email)
	if err != nil {
		return c, err
	}
	right, err := s.Hasher.Verify(ctx, c.hash, password)
	if err != nil {
		return c, err
	}
	if !right {
		return c, errCredentials()
	}
	return c, nil
}

func (s *Service) findCandidate(ctx context.Context, email string) (c candidate, err error) {
	err = s.DB.QueryRow(ctx, selectCandidate, email).
		Scan(&c.UserID, &c.DisplayName, &c.FirstName, &c.LastName, &c.Locale, &c.Theme, &c.hash)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return c, fmt.Errorf("read account: %w", err)
	}
	return c, nil
}

func errCredentials() error {
	return fault.New(fault.Unauthenticated, "invalid_credentials",
		"the e-mail address or the password is wrong")
}

// lockCandidate finds the account if the password hash that was checked is still valid: the
// password may have been changed, or the account deactivated, in the meantime.
const lockCandidate = `
SELECT
FROM app_user
WHERE id = $1 AND password_hash = $2 AND deactivated_at IS NULL
FOR NO KEY UPDATE`

const rehash = `
UPDATE app_user
SET password_hash = $2
WHERE id = $1`

// open stores the session of a login. A hash with outdated parameters is replaced while the
// password is at hand.
func (s *Service) open(ctx context.Context, c candidate, password string) (Login, error) {
	hash := c.hash
	if s.Hasher.Outdated(c.hash) {
		var err error
		if hash, err = s.Hasher.Hash(ctx, password); err != nil {
			return Login{}, err
		}
	}
	grant, err := s.Sessions.Grant(ctx, c.UserID)
	if err != nil {
		return Login{}, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, lockCandidate, c.UserID, c.hash)
		if err != nil {
			return fmt.Errorf("lock account: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return errCredentials()
		}
		if hash != c.hash {
			if _, err := tx.Exec(ctx, rehash, c.UserID, hash); err != nil {
				return fmt.Errorf("store password: %w", err)
			}
		}
		return s.store(ctx, tx, grant)
	})
	return Login{c.Identity, grant}, err
}

// store stores the outcome of a successful login.
func (s *Service) store(ctx context.Context, tx pgx.Tx, grant auth.Grant) error {
	if err := s.Sessions.Open(ctx, tx, grant, auth.OriginOf(ctx).UserAgent); err != nil {
		return err
	}
	if err := touch(ctx, tx, grant.UserID, s.Now()); err != nil {
		return err
	}
	return s.record(ctx, tx, "user.login", grant.UserID, nil, nil)
}

const setLastActive = `
UPDATE app_user
SET last_active_at = $2
WHERE id = $1`

// touch stores when the user was last active.
func touch(ctx context.Context, tx pgx.Tx, userID int, at time.Time) error {
	if _, err := tx.Exec(ctx, setLastActive, userID, at); err != nil {
		return fmt.Errorf("store last activity: %w", err)
	}
	return nil
}

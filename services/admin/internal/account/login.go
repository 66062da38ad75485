package account

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/auth"
)

// Profile is what a login tells of its user.
type Profile struct {
	UserID      int
	DisplayName string
	FirstName   string
	LastName    string
	Locale      string
	Theme       string
}

// Login is who logged in, with their tokens.
type Login struct {
	Profile
	auth.Grant
}

// candidate is the account that somebody tries to log in to; the zero one when there is none.
type candidate struct {
	Profile
	hash string
}

// Login checks the password and opens a session (decisions.md, Accounts). An unknown address, a wrong password, and an
// account that is not activated or was deactivated get the same answer after the same work, one password hash: an
// Unauthenticated fault with code "invalid_credentials". TooMany after too many failures of the account or the address;
// Unavailable when too many passwords wait to be checked.
func (s *Service) Login(ctx context.Context, email, password string) (Login, error) {
	var violations fault.Violations
	required(&violations, "email", email)
	required(&violations, "password", password)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return Login{}, err
	}
	email, _ = NormalizeEmail(email) // what is no address is nobody's
	attempt, err := s.limiter.Take(ctx, s.login, mailbox(email), auth.OriginOf(ctx).Address)
	if err != nil {
		return Login{}, err
	}
	found, err := s.check(ctx, email, password)
	if err != nil {
		return Login{}, s.lost(ctx, attempt, err)
	}
	login, err := s.open(ctx, attempt, found, password)
	if err != nil {
		return Login{}, s.lost(ctx, attempt, err)
	}
	return login, nil
}

// mailbox is what an account is limited by: its address in normal form, whether or not there is such an account.
func mailbox(email string) string { return "mailto:" + email }

// lost notes that an attempt ended in err: wrong credentials count, being busy does not.
func (s *Service) lost(ctx context.Context, attempt auth.Attempt, err error) error {
	ctx = context.WithoutCancel(ctx)
	if fault.Is(err, fault.Unavailable) {
		return errors.Join(err, s.limiter.Cancelled(ctx, attempt))
	}
	return errors.Join(err, s.limiter.Failed(ctx, attempt))
}

const selectCandidate = `
SELECT id, coalesce(display_name, ''), coalesce(first_name, ''), coalesce(last_name, ''), locale, theme, password_hash
FROM app_user
WHERE lower(email) = $1 AND activated_at IS NOT NULL AND deactivated_at IS NULL`

// check returns the account if the password is right. It hashes once, whatever it finds.
func (s *Service) check(ctx context.Context, email, password string) (candidate, error) {
	var c candidate
	err := s.db.QueryRow(ctx, selectCandidate, email).
		Scan(&c.UserID, &c.DisplayName, &c.FirstName, &c.LastName, &c.Locale, &c.Theme, &c.hash)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return c, fmt.Errorf("read account: %w", err)
	}
	right, err := s.hasher.Verify(ctx, c.hash, password)
	if err != nil {
		return c, err
	}
	if !right {
		return c, errCredentials()
	}
	return c, nil
}

func errCredentials() error {
	return fault.New(fault.Unauthenticated, "invalid_credentials", "the e-mail address or the password is wrong")
}

// lockCandidate makes sure that the account is still what the password was checked against: a new password or a
// deactivation may have come in between.
const lockCandidate = `
SELECT
FROM app_user
WHERE id = $1 AND password_hash = $2 AND deactivated_at IS NULL
FOR NO KEY UPDATE`

const rehash = `
UPDATE app_user
SET password_hash = $2
WHERE id = $1`

// open stores the session of a login. A hash with parameters of old is replaced while its password is at hand.
func (s *Service) open(ctx context.Context, attempt auth.Attempt, c candidate, password string) (Login, error) {
	hash := c.hash
	if s.hasher.Outdated(c.hash) {
		var err error
		if hash, err = s.hasher.Hash(ctx, password); err != nil {
			return Login{}, err
		}
	}
	grant, err := s.sessions.Grant(ctx, c.UserID)
	if err != nil {
		return Login{}, err
	}
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
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
		if err := s.limiter.Succeeded(ctx, tx, attempt); err != nil {
			return err
		}
		if err := s.sessions.Open(ctx, tx, grant, auth.OriginOf(ctx).UserAgent); err != nil {
			return err
		}
		return s.audit(ctx, tx, "user.login", c.UserID, nil, nil)
	})
	return Login{c.Profile, grant}, err
}

// audit records what a user did to their own account.
func (s *Service) audit(ctx context.Context, tx pgx.Tx, action string, userID int, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.now(), Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID), ActorID: userID,
		Before: before, After: after,
	})
}

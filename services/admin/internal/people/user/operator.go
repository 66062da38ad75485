package user

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

// NewUser is an account to create by the operator.
type NewUser struct {
	Email         string
	Password      string
	DisplayName   string
	FirstName     string
	LastName      string
	Locale        string // the nearest language is stored
	PlatformAdmin bool
}

const insertActiveUser = `
INSERT INTO app_user (
    email, password_hash, display_name, first_name, last_name, locale, is_platform_admin,
    activated_at, created_at, updated_at
)
VALUES ($1, $2, nullif($3, ''), nullif($4, ''), nullif($5, ''), $6, $7, $8, $8, $8)
ON CONFLICT (lower(email)) DO NOTHING
RETURNING id`

// CreateUser makes an account that is active at once, and returns its id. The faults: Invalid,
// naming every bad field; Conflict with code "email_taken".
func (s *Service) CreateUser(ctx context.Context, user NewUser) (id int, err error) {
	email, err := checkNewUser(user)
	if err != nil {
		return 0, err
	}
	hash, err := s.Hasher.Hash(ctx, user.Password)
	if err != nil {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		now := s.Now()
		err := tx.QueryRow(ctx, insertActiveUser, email, hash, user.DisplayName, user.FirstName,
			user.LastName, language.Nearest(user.Locale), user.PlatformAdmin, now).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return errEmailTaken()
		}
		if err != nil {
			return fmt.Errorf("store account: %w", err)
		}
		return recordByOther(ctx, tx, now, "user.create", id, nil, recordedUser(user.PlatformAdmin))
	})
	return id, err
}

// recordedUser returns the values of a new account in the audit.
func recordedUser(admin bool) map[string]any {
	return map[string]any{"active": true, "platform_admin": admin}
}

func checkNewUser(user NewUser) (email string, err error) {
	email, err = checkNewAccount(user.Email, user.Password)
	violations := fault.Violations(nil)
	if err != nil {
		violations = fault.Of(err).Violations
	}
	checkNames(&violations, namedText{"display_name", user.DisplayName},
		namedText{"first_name", user.FirstName}, namedText{"last_name", user.LastName})
	return email, violations.Err(invalidParameters, invalidMessage)
}

const setPlatformAdmin = `
UPDATE app_user
SET is_platform_admin = $2, updated_at = $3, version = version + 1
WHERE id = $1`

// Promote makes a user a platform administrator, or no longer one. Only the command line does this
// (RULES.md, Rights). The faults: NotFound for an unknown address; Conflict for promoting an
// account that is not active: any reader of its mails could activate it.
func (s *Service) Promote(ctx context.Context, email string, admin bool) error {
	return s.withAccount(ctx, email, func(tx pgx.Tx, user accountState) error {
		if admin && !user.active {
			return fault.New(fault.Conflict, "user_not_active", "this account is not active")
		}
		now := s.Now()
		if _, err := tx.Exec(ctx, setPlatformAdmin, user.id, admin, now); err != nil {
			return fmt.Errorf("store account: %w", err)
		}
		action := "user.promote"
		if !admin {
			action = "user.demote"
		}
		before, after := map[string]bool{"platform_admin": user.admin}, map[string]bool{"platform_admin": admin}
		return recordByOther(ctx, tx, now, action, user.id, before, after)
	})
}

// Deactivate locks a user out: their sessions, personal API keys and links end at once and for
// good; the invitations that they sent and the organization keys that they made have no effect
// meanwhile. With active they may log in again. It also deactivates the last owner of an
// organization, since a stolen account must not wait: see Ownerless. An unknown address is a
// NotFound fault.
func (s *Service) Deactivate(ctx context.Context, email string, active bool) error {
	return s.withAccount(ctx, email, func(tx pgx.Tx, user accountState) error {
		return s.setActive(ctx, tx, user, active, "")
	})
}

// Ownerless is an organization without an active owner: until a platform administrator makes
// another member owner, or an owner is reactivated, no member can delete it or make owners.
type Ownerless struct{ UUID, Name string }

const selectOwnerless = `
SELECT o.uuid::text, o.name
FROM app_user u
JOIN membership m ON m.user_id = u.id AND m.role = 'owner'
JOIN organization o ON o.uuid = m.org_uuid
WHERE lower(u.email) = $1
    AND NOT EXISTS (
        SELECT
        FROM membership other
        JOIN app_user owner ON owner.id = other.user_id
        WHERE other.org_uuid = o.uuid AND other.role = 'owner' AND owner.deactivated_at IS NULL
    )
ORDER BY lower(o.name), o.uuid`

// Ownerless returns the organizations of the user that have no active owner, by name.
func (s *Service) Ownerless(ctx context.Context, email string) ([]Ownerless, error) {
	email, _ = mail.NormalizeAddress(email)
	var found []Ownerless
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		found, err = postgres.List[Ownerless](ctx, tx, "owners", selectOwnerless, email)
		return err
	})
	return found, err
}

// accountState is the part of an account that operators and platform administrators change.
type accountState struct {
	id                         int
	admin, active, deactivated bool
}

const (
	stateColumns = `
SELECT id, is_platform_admin, activated_at IS NOT NULL AND deactivated_at IS NULL, deactivated_at IS NOT NULL
FROM app_user`

	selectState = stateColumns + `
WHERE lower(email) = $1
FOR UPDATE`

	selectStateByID = stateColumns + `
WHERE id = $1
FOR UPDATE`
)

func (s *Service) withAccount(
	ctx context.Context, email string, change func(tx pgx.Tx, user accountState) error,
) error {
	email, _ = mail.NormalizeAddress(email)
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		user, err := readState(ctx, tx, selectState, email)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "user_not_found", "there is no account with this e-mail address")
		}
		if err != nil {
			return err
		}
		return change(tx, user)
	})
}

// readState returns the account that the query selects, locked, or pgx.ErrNoRows.
func readState(ctx context.Context, tx pgx.Tx, query string, argument any) (user accountState, err error) {
	err = tx.QueryRow(ctx, query, argument).Scan(&user.id, &user.admin, &user.active, &user.deactivated)
	if err != nil {
		return user, fmt.Errorf("read account: %w", err)
	}
	return user, nil
}

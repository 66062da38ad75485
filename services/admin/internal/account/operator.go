package account

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/pkg/language"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/auth"
)

// NewUser is an account that the operator makes.
type NewUser struct {
	Email         string
	Password      string
	DisplayName   string
	FirstName     string
	LastName      string
	Locale        string // brought to the nearest language
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

// CreateUser makes an account that is active at once, and returns its id. The faults: Invalid, naming every bad field;
// Conflict with code "email_taken".
func (s *Service) CreateUser(ctx context.Context, user NewUser) (id int, err error) {
	email, err := checkNewUser(user)
	if err != nil {
		return 0, err
	}
	hash, err := s.hasher.Hash(ctx, user.Password)
	if err != nil {
		return 0, err
	}
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, insertActiveUser, email, hash, user.DisplayName, user.FirstName, user.LastName,
			language.Nearest(user.Locale), user.PlatformAdmin, s.now()).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.Conflict, "email_taken", "there is already an account with this e-mail address")
		}
		if err != nil {
			return fmt.Errorf("store account: %w", err)
		}
		return s.unattributed(ctx, tx, "user.create", id, nil, map[string]any{"active": true, "platform_admin": user.PlatformAdmin})
	})
	return id, err
}

func checkNewUser(user NewUser) (email string, err error) {
	email, err = checkNewAccount(user.Email, user.Password)
	violations := fault.Violations(nil)
	if err != nil {
		violations = fault.Of(err).Violations
	}
	names := []struct{ field, text string }{
		{"display_name", user.DisplayName}, {"first_name", user.FirstName}, {"last_name", user.LastName},
	}
	for _, name := range names {
		if problem := NameProblem(name.text); problem != "" {
			violations.Add(name.field, "%s", problem)
		}
	}
	return email, violations.Err(invalidParameters, invalidMessage)
}

// nameMaxLength is that of the schema's columns.
const nameMaxLength = 500

// NameProblem says why a name of a person cannot be stored, or returns "". Anything that can be shown in one line is a
// name; what it looks like in HTML is the matter of whoever shows it.
func NameProblem(name string) string {
	switch {
	case utf8.RuneCountInString(name) > nameMaxLength:
		return "must have at most " + strconv.Itoa(nameMaxLength) + " characters"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "must be text without control characters"
	default:
		return ""
	}
}

const setPlatformAdmin = `
UPDATE app_user
SET is_platform_admin = $2, updated_at = $3, version = version + 1
WHERE id = $1`

// Promote makes a user a platform administrator, or no longer one. Only the command line does this (decisions.md, Who may
// do what). The faults: NotFound for an unknown address; Conflict for promoting an account that is not active, of which
// nobody knows yet in whose hands it will be.
func (s *Service) Promote(ctx context.Context, email string, admin bool) error {
	return s.operate(ctx, email, func(tx pgx.Tx, user operated) error {
		if admin && !user.active {
			return fault.New(fault.Conflict, "user_not_active", "this account is not active")
		}
		if _, err := tx.Exec(ctx, setPlatformAdmin, user.id, admin, s.now()); err != nil {
			return fmt.Errorf("store account: %w", err)
		}
		before, after := map[string]bool{"platform_admin": user.admin}, map[string]bool{"platform_admin": admin}
		action := "user.promote"
		if !admin {
			action = "user.demote"
		}
		return s.unattributed(ctx, tx, action, user.id, before, after)
	})
}

const setDeactivated = `
UPDATE app_user
SET deactivated_at = CASE WHEN $2 THEN coalesce(deactivated_at, $3) END, updated_at = $3, version = version + 1
WHERE id = $1`

// Deactivate shuts a user out: their sessions, personal API keys and links end at once and for good; the invitations that
// they have sent and the keys of organizations that they have made rest. With active they may log in again. It also shuts
// out the last owner of an organization, since a stolen account must not wait: see Ownerless. An unknown address is a NotFound fault.
func (s *Service) Deactivate(ctx context.Context, email string, active bool) error {
	return s.operate(ctx, email, func(tx pgx.Tx, user operated) error {
		if _, err := tx.Exec(ctx, setDeactivated, user.id, !active, s.now()); err != nil {
			return fmt.Errorf("store account: %w", err)
		}
		if err := s.sessions.EndAll(ctx, tx, user.id, auth.EndedByDeactivation); err != nil {
			return err
		}
		if err := EndLinks(ctx, tx, user.id, s.now()); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, revokeOwnKeys, user.id, s.now()); err != nil {
			return fmt.Errorf("revoke API keys: %w", err)
		}
		before, after := map[string]bool{"active": user.active}, map[string]bool{"active": active}
		action := "user.deactivate"
		if active {
			action = "user.reactivate"
		}
		return s.unattributed(ctx, tx, action, user.id, before, after)
	})
}

// Ownerless is an organization without an owner who can log in: until a platform administrator makes somebody else owner,
// or its owner is let in again, nobody can delete it or make owners.
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

// Ownerless returns the organizations of the user that are ownerless, by name.
func (s *Service) Ownerless(ctx context.Context, email string) ([]Ownerless, error) {
	email, _ = NormalizeEmail(email)
	var found []Ownerless
	err := s.db.ReadTx(ctx, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, selectOwnerless, email) // the error comes with the rows
		var err error
		found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Ownerless])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for owners: %w", err)
	}
	return found, nil
}

// operated is the user that the operator speaks of.
type operated struct {
	id            int
	admin, active bool
}

const selectOperated = `
SELECT id, is_platform_admin, activated_at IS NOT NULL AND deactivated_at IS NULL
FROM app_user
WHERE lower(email) = $1
FOR UPDATE`

func (s *Service) operate(ctx context.Context, email string, change func(tx pgx.Tx, user operated) error) error {
	email, _ = NormalizeEmail(email)
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		var user operated
		err := tx.QueryRow(ctx, selectOperated, email).Scan(&user.id, &user.admin, &user.active)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "user_not_found", "there is no account with this e-mail address")
		}
		if err != nil {
			return fmt.Errorf("read account: %w", err)
		}
		return change(tx, user)
	})
}

// unattributed records what was done to an account by nobody who is known: the operator, since the command line has no user,
// or somebody who has only named its address.
func (s *Service) unattributed(ctx context.Context, tx pgx.Tx, action string, userID int, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.now(), Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID), Before: before, After: after,
	})
}

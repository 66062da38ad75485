// Package people makes the accounts of the demo.
package people

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/demo"
	"litfass/services/admin/internal/permission"
	"litfass/services/admin/internal/postgres"
)

// The reasons why Make makes nobody.
var (
	ErrNotAlone       = errors.New("somebody has an account already: demo people are made in an empty place alone")
	ErrNoOrganization = errors.New("their organization is missing: fill in the demo catalogue first, with the command demo")
)

// Options are what Make needs.
type Options struct {
	DB   *postgres.DB
	Hash func(ctx context.Context, password string) (string, error) // auth.Hasher.Hash
	Now  func() time.Time
}

const selectOthers = `
SELECT EXISTS (
    SELECT
    FROM app_user
    WHERE lower(email) <> ALL ($1::text[])
)`

const selectOrganization = `
SELECT name
FROM organization
WHERE uuid = $1`

// Make makes demo.People with a password, all of them or none, and returns the name of their organization. Those who exist
// get the password, and their roles back. The errors ErrNotAlone and ErrNoOrganization say why there can be none.
func Make(ctx context.Context, o Options, password string) (organization string, err error) {
	hashes := make([]string, len(demo.People))
	for i := range hashes { // each with a salt of its own
		if hashes[i], err = o.Hash(ctx, password); err != nil {
			return "", err
		}
	}
	err = o.DB.InTx(ctx, func(tx pgx.Tx) error {
		if organization, err = place(ctx, tx); err != nil {
			return err
		}
		for i, person := range demo.People {
			if err := settle(ctx, tx, o.Now(), person, hashes[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return organization, err
}

// place returns the name of the organization if the demo may have people.
func place(ctx context.Context, tx pgx.Tx) (organization string, err error) {
	emails := make([]string, len(demo.People))
	for i, person := range demo.People {
		emails[i] = person.Email
	}
	var others bool
	if err := tx.QueryRow(ctx, selectOthers, emails).Scan(&others); err != nil {
		return "", fmt.Errorf("look for accounts: %w", err)
	}
	if others {
		return "", ErrNotAlone
	}
	err = tx.QueryRow(ctx, selectOrganization, demo.PeopleOrganization()).Scan(&organization)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNoOrganization
	}
	if err != nil {
		return "", fmt.Errorf("read organization: %w", err)
	}
	return organization, nil
}

const upsertUser = `
INSERT INTO app_user (
    email, password_hash, display_name, first_name, last_name, locale, is_platform_admin, activated_at, created_at, updated_at
)
VALUES ($1, $2, $3 || ' ' || $4, $3, $4, $5, $6, $7, $7, $7)
ON CONFLICT (lower(email)) DO UPDATE
SET password_hash = excluded.password_hash, is_platform_admin = excluded.is_platform_admin,
    activated_at = coalesce(app_user.activated_at, excluded.activated_at), deactivated_at = NULL,
    updated_at = excluded.updated_at, version = app_user.version + 1
RETURNING id`

const upsertMember = `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions, joined_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)
ON CONFLICT ON CONSTRAINT membership_once_per_organization DO UPDATE
SET role = excluded.role, permissions = excluded.permissions, updated_at = excluded.updated_at,
    version = membership.version + 1
RETURNING uuid::text`

// settle makes one person's account and membership.
func settle(ctx context.Context, tx pgx.Tx, now time.Time, person demo.Person, hash string) error {
	var id int
	err := tx.QueryRow(ctx, upsertUser, person.Email, hash, person.FirstName, person.LastName, person.Locale,
		person.PlatformAdmin, now).Scan(&id)
	if err != nil {
		return fmt.Errorf("store account: %w", err)
	}
	err = audit.Record(ctx, tx, audit.Entry{
		At: now, Action: "user.create", EntityKind: "user", EntityID: strconv.Itoa(id),
		After: map[string]any{"active": true, "platform_admin": person.PlatformAdmin},
	})
	if err != nil || person.Role == "" {
		return err
	}
	member, err := uuid.NewV7()
	if err != nil {
		return err
	}
	set, _ := permission.Of(person.Role)
	var membership string
	err = tx.QueryRow(ctx, upsertMember, member, demo.PeopleOrganization(), id, person.Role, int64(set), now).Scan(&membership)
	if err != nil {
		return fmt.Errorf("store member: %w", err)
	}
	return audit.Record(ctx, tx, audit.Entry{
		At: now, Action: "member.join", EntityKind: "membership", EntityID: membership, OrgUUID: demo.PeopleOrganization(),
		After: map[string]any{"user_id": id, "role": person.Role, "permissions": strconv.FormatInt(int64(set), 10)},
	})
}

// Package people makes the accounts of the demo.
package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/app/demo"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/postgres"
)

// The reasons why Make makes no accounts.
var (
	ErrNotAlone = errors.New(
		"there are other accounts already: demo accounts are only made in a database without any")
	ErrNoOrganization = errors.New(
		"their organization is missing: fill in the demo catalogue first, with the command demo")
)

// Options are the dependencies of Make.
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

// Make creates the accounts of demo.People with a password, all or none, and returns the name of
// their organization. Existing accounts get the password and their original roles. The errors are
// ErrNotAlone and ErrNoOrganization.
func Make(ctx context.Context, o Options, password string) (organization string, err error) {
	hashes := make([]string, len(demo.People))
	for i := range hashes { // each with its own salt
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

// place returns the name of the organization, or the reason why the demo accounts may not be made.
func place(ctx context.Context, tx pgx.Tx) (organization string, err error) {
	emails := make([]string, len(demo.People))
	for i, person := range demo.People {
		emails[i] = person.Email
	}
	var others bool
	if err := tx.QueryRow(ctx, selectOthers, emails).Scan(&others); err != nil {
		return "", fmt.Errorf("read accounts: %w", err)
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

// settle creates or resets one person's account and membership.
func settle(ctx context.Context, tx pgx.Tx, now time.Time, person demo.Person, hash string) error {
	id, err := user.Put(ctx, tx, now, user.Person{
		Email: person.Email, PasswordHash: hash, FirstName: person.FirstName, LastName: person.LastName,
		Locale: person.Locale, PlatformAdmin: person.PlatformAdmin,
	})
	if err != nil || person.Role == "" {
		return err
	}
	set, _ := permission.Of(person.Role)
	return team.Put(ctx, tx, now, demo.PeopleOrganization(), id, set)
}

package profile

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/pkg/language"
	"litfass/pkg/value"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/account"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/version"
)

// Change is what somebody changes of their profile. A nil field stays as it is, an empty one is cleared.
type Change struct {
	Email       *string
	DisplayName *string
	FirstName   *string
	LastName    *string
	Locale      *string
	Theme       *string
	Password    string // confirms another e-mail address
}

// Change changes the profile of the user who is logged in, and returns what it has become. The faults: Forbidden for an
// API key; Invalid, naming every bad field; Stale when the version is not an expected one.
//
// Another e-mail address is another way into the account, so it needs the password: Invalid without, Forbidden with a wrong
// one. It waits as PendingEmail until the link is followed that is mailed to it (account.Service.Activate); the address of
// now is told. The outcome is the same for one that another account has: nobody learns here who has an account. TooMany for
// too many wrong passwords, changes, or mails to one address.
func (s *Service) Change(ctx context.Context, expected version.Expected, change Change) (Stored, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return Stored{}, err
	}
	var violations fault.Violations
	change.Check(&violations)
	if err := violations.Err("invalid_parameters", "some fields are not right"); err != nil {
		return Stored{}, err
	}
	confirmed, err := s.confirmEmail(ctx, who, expected, change)
	if err != nil {
		return Stored{}, err
	}
	var after Stored
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.read(tx.QueryRow(ctx, selectProfileForUpdate, who.UserID))
		if err != nil {
			return err
		}
		if err := expected.Check("profile", before.Version); err != nil {
			return err
		}
		after = before
		change.apply(&after.Profile)
		moving := change.Email != nil && *change.Email != before.Email
		switch {
		case moving && !confirmed: // the address has changed in the meantime
			return errUnconfirmed()
		case moving:
			return s.move(ctx, tx, before, &after, *change.Email)
		case after == before:
			return nil
		}
		return s.store(ctx, tx, before, &after)
	})
	return after, err
}

// Check brings the fields to the form in which they are stored, and records what is wrong with them.
func (c *Change) Check(violations *fault.Violations) {
	for _, name := range []struct {
		field string
		text  *string
	}{{"display_name", c.DisplayName}, {"first_name", c.FirstName}, {"last_name", c.LastName}} {
		if name.text == nil {
			continue
		}
		*name.text = strings.TrimSpace(*name.text)
		if problem := account.NameProblem(*name.text); problem != "" {
			violations.Add(name.field, "%s", problem)
		}
	}
	if c.Email != nil {
		normal, valid := account.NormalizeEmail(*c.Email)
		if !valid {
			violations.Add("email", "is not an e-mail address")
		}
		c.Email = &normal
	}
	oneOf(violations, "locale", c.Locale, language.Codes...)
	oneOf(violations, "theme", c.Theme, "light", "dark")
}

func oneOf(violations *fault.Violations, field string, text *string, known ...string) {
	if text == nil {
		return
	}
	for _, one := range known {
		if *text == one {
			return
		}
	}
	violations.Add(field, "must be one of %s", strings.Join(known, ", "))
}

// confirmEmail checks the password if the change names another address, and reports whether it did. Each such change counts.
func (s *Service) confirmEmail(
	ctx context.Context, who auth.Principal, expected version.Expected, change Change,
) (bool, error) {
	if change.Email == nil {
		return false, nil
	}
	stored, err := s.read(s.DB.QueryRow(ctx, selectProfile, who.UserID))
	if err != nil || stored.Email == *change.Email {
		return false, err
	}
	if err := expected.Check("profile", stored.Version); err != nil {
		return false, err
	}
	if err := s.Accounts.ConfirmPassword(ctx, change.Password); err != nil {
		return false, err
	}
	return true, s.Accounts.LimitAddressChange(ctx, who.UserID, *change.Email)
}

func errUnconfirmed() error {
	var violations fault.Violations
	violations.Add("password", "is required to change the e-mail address")
	return violations.Err("invalid_parameters", "some fields are not right")
}

func (c *Change) apply(p *Profile) {
	set := func(into *value.Text, text *string) {
		if text != nil {
			*into = value.Text(*text)
		}
	}
	set(&p.DisplayName, c.DisplayName)
	set(&p.FirstName, c.FirstName)
	set(&p.LastName, c.LastName)
	for _, field := range []struct{ into, text *string }{{&p.Locale, c.Locale}, {&p.Theme, c.Theme}} {
		if field.text != nil {
			*field.into = *field.text
		}
	}
}

// move stores the profile with an address that waits for its link to be followed. Asking for the same one again sends
// another link.
func (s *Service) move(ctx context.Context, tx pgx.Tx, before Stored, after *Stored, email string) error {
	after.PendingEmail = value.Text(email)
	err := s.Accounts.RequestAddress(ctx, tx, account.AddressChange{
		UserID: before.UserID, From: before.Email, To: email, Locale: after.Locale,
	})
	if err != nil {
		return err
	}
	return s.store(ctx, tx, before, after)
}

const updateProfile = `
UPDATE app_user
SET display_name = nullif($2, ''), first_name = nullif($3, ''), last_name = nullif($4, ''), locale = $5, theme = $6,
    updated_at = $7, version = version + 1
WHERE id = $1
RETURNING version`

func (s *Service) store(ctx context.Context, tx pgx.Tx, before Stored, after *Stored) error {
	err := tx.QueryRow(ctx, updateProfile, after.UserID, string(after.DisplayName), string(after.FirstName),
		string(after.LastName), after.Locale, after.Theme, s.Now()).Scan(&after.Version)
	if err != nil {
		return fmt.Errorf("store profile: %w", err)
	}
	return s.audit(ctx, tx, "user.update", after.UserID, before.Profile, after.Profile)
}

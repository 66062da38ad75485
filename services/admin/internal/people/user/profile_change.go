package user

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/invisible"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/version"
)

// ProfileChange is a change of a profile. A nil field is left unchanged, an empty one is cleared.
type ProfileChange struct {
	Email       *string
	DisplayName *string
	FirstName   *string
	LastName    *string
	Locale      *string
	Theme       *string
	Password    string // confirms another e-mail address
}

// ChangeProfile changes the profile of the logged-in user and returns the stored one. The faults:
// Forbidden for an API key; Invalid, naming every bad field; Stale when the version is not an
// expected one.
//
// Another e-mail address gives access to the account, so it needs the password: Invalid without,
// Forbidden with a wrong one. It is the PendingEmail until the link in the mail to it is opened
// (Activate); the current address is informed. The result does not show whether the address has an
// account. TooMany for too many wrong passwords, changes, or mails to one address.
func (s *Service) ChangeProfile(
	ctx context.Context, expected version.Expected, change ProfileChange,
) (StoredProfile, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return StoredProfile{}, err
	}
	var violations fault.Violations
	change.Check(&violations)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return StoredProfile{}, err
	}
	confirmed, err := s.confirmEmail(ctx, who, expected, change)
	if err != nil {
		return StoredProfile{}, err
	}
	var after StoredProfile
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.readProfile(tx.QueryRow(ctx, selectProfileForUpdate, who.UserID))
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
			var violations fault.Violations
			violations.Add("password", reason.PasswordRequired)
			return violations.Err(invalidParameters, invalidMessage)
		case moving:
			after.PendingEmail = value.Text(*change.Email) // the same one again sends another link
			err := s.requestAddress(ctx, tx, addressChange{
				userID: before.UserID, from: before.Email, to: *change.Email, locale: after.Locale,
			})
			if err != nil {
				return err
			}
		case after == before:
			return nil
		}
		return s.storeProfile(ctx, tx, before, &after)
	})
	return after, err
}

// Check normalizes the fields and adds violations for invalid ones.
func (c *ProfileChange) Check(violations *fault.Violations) {
	for _, name := range []struct {
		field string
		text  *string
	}{{"display_name", c.DisplayName}, {"first_name", c.FirstName}, {"last_name", c.LastName}} {
		if name.text != nil {
			*name.text = invisible.Trim(*name.text)
			checkNames(violations, namedText{name.field, *name.text})
		}
	}
	if c.Email != nil {
		normal, valid := mail.NormalizeAddress(*c.Email)
		if !valid {
			violations.Add("email", reason.NotEmail)
		}
		c.Email = &normal
	}
	oneOf(violations, "locale", c.Locale, language.Codes...)
	oneOf(violations, "theme", c.Theme, "auto", "light", "dark")
}

func oneOf(violations *fault.Violations, field string, text *string, known ...string) {
	if text != nil && !slices.Contains(known, *text) {
		violations.Add(field, reason.NotOneOf(known))
	}
}

// confirmEmail checks the password if the change has a new address, and reports whether it did.
func (s *Service) confirmEmail(
	ctx context.Context, who auth.Principal, expected version.Expected, change ProfileChange,
) (bool, error) {
	if change.Email == nil {
		return false, nil
	}
	stored, err := s.readProfile(s.DB.QueryRow(ctx, selectProfile, who.UserID))
	if err != nil || stored.Email == *change.Email {
		return false, err
	}
	if err := expected.Check("profile", stored.Version); err != nil {
		return false, err
	}
	if err := s.ConfirmPassword(ctx, change.Password); err != nil {
		return false, err
	}
	return true, nil
}

func (c *ProfileChange) apply(p *adminapi.Profile) {
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

const updateProfile = `
UPDATE app_user
SET
    display_name = nullif($2, ''), first_name = nullif($3, ''), last_name = nullif($4, ''), locale = $5,
    theme = $6, updated_at = $7, version = version + 1
WHERE id = $1
RETURNING version`

func (s *Service) storeProfile(
	ctx context.Context, tx pgx.Tx, before StoredProfile, after *StoredProfile,
) error {
	err := tx.QueryRow(ctx, updateProfile, after.UserID, string(after.DisplayName), string(after.FirstName),
		string(after.LastName), after.Locale, after.Theme, s.Now()).Scan(&after.Version)
	if err != nil {
		return fmt.Errorf("store profile: %w", err)
	}
	return s.record(ctx, tx, "user.update", after.UserID, before.Profile, after.Profile)
}

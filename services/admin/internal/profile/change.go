package profile

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/account"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
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
// one. It counts at once. The address that it replaces is told by mail, and links that were sent there to set a password
// stop working. The new address is not verified first: whoever really owns it can take the account over with a new
// password, so there is nothing to gain from naming a stranger's. One that another account has is a Conflict with code
// "email_taken", which a signup would tell as well.
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
	confirmed, err := s.confirmEmail(ctx, who, change)
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
		if after == before {
			return nil
		}
		if after.Email != before.Email && !confirmed { // changed by somebody else in the meantime
			return errUnconfirmed()
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
	oneOf(violations, "locale", c.Locale, "de", "en", "da")
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

// confirmEmail checks the password if the change names another address, and reports whether it did.
func (s *Service) confirmEmail(ctx context.Context, who auth.Principal, change Change) (bool, error) {
	if change.Email == nil {
		return false, nil
	}
	stored, err := s.read(s.DB.QueryRow(ctx, selectProfile, who.UserID))
	if err != nil || stored.Email == *change.Email {
		return false, err
	}
	return true, s.Confirm(ctx, change.Password)
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
	for _, field := range []struct{ into, text *string }{{&p.Email, c.Email}, {&p.Locale, c.Locale}, {&p.Theme, c.Theme}} {
		if field.text != nil {
			*field.into = *field.text
		}
	}
}

const updateProfile = `
UPDATE app_user
SET email = $2::text, email_verified = email_verified AND lower(email) = lower($2::text), display_name = nullif($3, ''),
    first_name = nullif($4, ''), last_name = nullif($5, ''), locale = $6, theme = $7, updated_at = $8, version = version + 1
WHERE id = $1
RETURNING version`

// emailIndex is the schema's: no two accounts have one address.
const emailIndex = "app_user_email"

func (s *Service) store(ctx context.Context, tx pgx.Tx, before Stored, after *Stored) error {
	err := tx.QueryRow(ctx, updateProfile, after.UserID, after.Email, string(after.DisplayName), string(after.FirstName),
		string(after.LastName), after.Locale, after.Theme, s.Now()).Scan(&after.Version)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.ConstraintName == emailIndex {
		return fault.New(fault.Conflict, "email_taken", "there is already an account with this e-mail address")
	}
	if err != nil {
		return fmt.Errorf("store profile: %w", err)
	}
	if after.Email != before.Email {
		if err := s.leaveAddress(ctx, tx, before); err != nil {
			return err
		}
	}
	return s.audit(ctx, tx, "user.update", after.UserID, before.Profile, after.Profile)
}

// leaveAddress is what follows for an address that is no longer the user's.
func (s *Service) leaveAddress(ctx context.Context, tx pgx.Tx, before Stored) error {
	if err := s.useUpResets(ctx, tx, before.UserID); err != nil {
		return err
	}
	_, err := mail.Enqueue(ctx, tx, mail.New{
		Recipient: before.Email, Template: mail.TemplateEmailChanged, Locale: before.Locale, At: s.Now(),
		Arguments: mailArguments{UserID: before.UserID},
	})
	return err
}

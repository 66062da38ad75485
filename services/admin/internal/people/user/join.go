package user

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/invisible"
)

// Invitation returns the open invitation of a mailed token. The fault is Invalid with code
// "token_invalid" for every other token alike, and when it is missing.
func (s *Service) Invitation(ctx context.Context, token string) (adminapi.MailedInvitation, error) {
	var violations fault.Violations
	required(&violations, "token", token)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return adminapi.MailedInvitation{}, err
	}
	return team.Mailed(ctx, s.DB, token, s.Now())
}

// Joined is a new account with its first login and the membership that the invitation made.
type Joined struct {
	Login
	Membership adminapi.Accepted
}

// Join makes the person to whom an invitation was mailed a member with a new account, and logs them
// in. Its address is that of the invitation, and verified: only the mail has the token. An account
// with the address that was never activated becomes theirs, as with the link of its own mail
// (RULES.md, Accounts).
//
// The faults: Invalid with code "token_invalid" as for Invitation, and Invalid when the password is
// missing or refused, or the name is; the token then stays valid. Conflict with code
// "account_exists" for an address whose account was activated; Unavailable when too many passwords
// wait to be hashed.
func (s *Service) Join(ctx context.Context, with adminapi.InvitedAccount, locale string) (Joined, error) {
	name := invisible.Trim(with.DisplayName)
	var violations fault.Violations
	required(&violations, "token", with.Token)
	checkNames(&violations, namedText{"display_name", name})
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return Joined{}, err
	}
	invited, err := team.Mailed(ctx, s.DB, with.Token, s.Now())
	if err != nil {
		return Joined{}, err
	}
	if invited.HasAccount {
		return Joined{}, errHasAccount()
	}
	if err := checkPassword("password", with.Password, invited.Email); err != nil {
		return Joined{}, err
	}
	hash, err := s.Hasher.Hash(ctx, with.Password)
	if err != nil {
		return Joined{}, err
	}
	var joined Joined
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		joined.Membership, err = team.Join(ctx, tx, with.Token, s.Now(), func(email string) (int, error) {
			return s.admit(ctx, tx, email, hash, name, language.Nearest(locale))
		})
		return err
	})
	if err != nil {
		return Joined{}, err
	}
	found, err := s.findCandidate(ctx, invited.Email)
	if err != nil {
		return Joined{}, err
	}
	joined.Login, err = s.open(ctx, found, with.Password)
	return joined, err
}

func errHasAccount() error {
	return fault.New(fault.Conflict, "account_exists", "this address has an account already; log in to accept the invitation")
}

// admit makes an active account with a verified address, and returns its id.
func (s *Service) admit(ctx context.Context, tx pgx.Tx, email, hash, name, locale string) (int, error) {
	userID, taken, err := s.pendingUser(ctx, tx, email, locale)
	if err != nil {
		return 0, err
	}
	if taken {
		return 0, errHasAccount()
	}
	return userID, s.setActivated(ctx, tx, userID, hash, name)
}

package user

import (
	"context"
	"fmt"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

const selectOwnHash = `
SELECT email, password_hash
FROM app_user
WHERE id = $1`

// ConfirmPassword checks the password of the logged-in user before a change that cannot be undone.
// The faults: Invalid when it is missing, Forbidden with code "wrong_password" when it is wrong
// (RULES.md, Responses), Forbidden for an API key, TooMany for too many wrong passwords. Those are
// counted together with logins, so that guessing here does not circumvent that limit.
func (s *Service) ConfirmPassword(ctx context.Context, password string) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	var violations fault.Violations
	required(&violations, "password", password)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return err
	}
	var email, hash string
	if err := s.DB.QueryRow(ctx, selectOwnHash, who.UserID).Scan(&email, &hash); err != nil {
		return fmt.Errorf("read account: %w", err)
	}
	attempt, err := s.Limiter.Take(ctx, s.logins, mailbox(email), auth.OriginOf(ctx).Address)
	if err != nil {
		return err
	}
	right, err := s.Hasher.Verify(ctx, hash, password)
	if err == nil && !right {
		err = fault.New(fault.Forbidden, "wrong_password", "the password is wrong")
	}
	if err != nil {
		return s.settle(ctx, attempt, err)
	}
	return s.Limiter.Cancel(ctx, attempt)
}

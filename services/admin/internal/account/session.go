package account

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
)

// Refresh spends a refresh token for a new pair of tokens (decisions.md, Accounts). The fault is Unauthenticated; a token
// that was spent before also ends the session that it belongs to.
func (s *Service) Refresh(ctx context.Context, refresh string) (auth.Grant, error) {
	next, err := s.sessions.Continue(ctx, refresh)
	if err != nil {
		return auth.Grant{}, err
	}
	var reused bool
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		reused, err = s.sessions.Rotate(ctx, tx, refresh, next)
		if err != nil || !reused {
			return err
		}
		after := map[string]string{"session": next.SessionID, "ended_for": string(auth.EndedByReuse)}
		return s.audit(ctx, tx, "user.reuse_refused", next.UserID, nil, after)
	})
	if err != nil {
		return auth.Grant{}, err
	}
	if reused {
		return auth.Grant{}, fault.New(fault.Unauthenticated, "token_reused",
			"this token was used before; for safety the login has ended")
	}
	return next, nil
}

// Logout ends the session of the request. The fault is Forbidden for an API key, which has no session.
func (s *Service) Logout(ctx context.Context) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := s.sessions.End(ctx, tx, who.SessionID, auth.EndedByLogout); err != nil {
			return err
		}
		return s.audit(ctx, tx, "user.logout", who.UserID, nil, nil)
	})
}

const selectOwnHash = `
SELECT email, password_hash
FROM app_user
WHERE id = $1`

// ConfirmPassword checks the password of the user who is logged in, before something that cannot be undone. The faults:
// Invalid when it is missing, Forbidden with code "wrong_password" when it is wrong (decisions.md, Responses), Forbidden
// for an API key, TooMany for too many failures here and at logins together: guessing here is no way around their limit.
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
	if err := s.db.QueryRow(ctx, selectOwnHash, who.UserID).Scan(&email, &hash); err != nil {
		return fmt.Errorf("read account: %w", err)
	}
	attempt, err := s.limiter.Take(ctx, s.login, mailbox(email), auth.OriginOf(ctx).Address)
	if err != nil {
		return err
	}
	if err := s.confirmed(ctx, hash, password); err != nil {
		return s.lost(ctx, attempt, err)
	}
	return s.db.InTx(ctx, func(tx pgx.Tx) error { return s.limiter.Succeeded(ctx, tx, attempt) })
}

func (s *Service) confirmed(ctx context.Context, hash, password string) error {
	right, err := s.hasher.Verify(ctx, hash, password)
	if err != nil {
		return err
	}
	if !right {
		return fault.New(fault.Forbidden, "wrong_password", "the password is wrong")
	}
	return nil
}

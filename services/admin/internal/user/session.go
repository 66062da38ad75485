package user

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
)

// Refresh exchanges a refresh token for a new pair of tokens (decisions.md, Accounts). The fault is
// Unauthenticated; a token that was spent before also ends its session.
func (s *Service) Refresh(ctx context.Context, refresh string) (auth.Grant, error) {
	next, err := s.Sessions.Continue(ctx, refresh)
	if err != nil {
		return auth.Grant{}, err
	}
	var reused bool
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		reused, err = s.Sessions.Rotate(ctx, tx, refresh, next)
		switch {
		case err != nil:
			return err
		case !reused:
			return touch(ctx, tx, next.UserID, s.Now())
		}
		after := map[string]string{"session": next.SessionID, "ended_for": string(auth.EndedByReuse)}
		return s.record(ctx, tx, "user.reuse_refused", next.UserID, nil, after)
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

// Logout ends the session of the request. The fault is Forbidden for an API key, which has no
// session.
func (s *Service) Logout(ctx context.Context) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := s.Sessions.End(ctx, tx, who.SessionID, auth.EndedByLogout); err != nil {
			return err
		}
		return s.record(ctx, tx, "user.logout", who.UserID, nil, nil)
	})
}

package user

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
)

// Refresh exchanges a refresh token for a new pair of tokens (RULES.md, Accounts). The fault is
// Unauthenticated; a token that was used before also ends its session, except within a short grace
// period.
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

// ListSessions returns the open sessions of the logged-in user. The fault is Forbidden for an API
// key.
func (s *Service) ListSessions(ctx context.Context, page paging.Page) (shown adminapi.Sessions, err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return adminapi.Sessions{}, err
	}
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		shown, err = s.Sessions.List(ctx, tx, who, page)
		return err
	})
	return shown, err
}

// EndSession ends one session of the logged-in user, which may be that of the request. The faults:
// Forbidden for an API key; NotFound for a session that is another user's or has ended.
func (s *Service) EndSession(ctx context.Context, sessionID string) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		ended, err := s.Sessions.EndOwn(ctx, tx, who.UserID, sessionID)
		if err != nil {
			return err
		}
		if !ended {
			return fault.New(fault.NotFound, "session_not_found", "there is no such session")
		}
		after := map[string]string{"session": sessionID, "ended_for": string(auth.EndedByLogout)}
		return s.record(ctx, tx, "user.end_session", who.UserID, nil, after)
	})
}

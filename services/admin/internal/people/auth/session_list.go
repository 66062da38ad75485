package auth

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const openToUser = `
FROM session
WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2`

const countSessions = `
SELECT count(*)` + openToUser

const selectSessions = `
SELECT id::text, coalesce(user_agent, ''), created_at, used_at, expires_at, id::text = $3` + openToUser + `
ORDER BY used_at DESC, id DESC
LIMIT $4 OFFSET $5`

// List returns the principal's open sessions.
func (s *Sessions) List(ctx context.Context, tx pgx.Tx, who Principal, page paging.Page) (adminapi.Sessions, error) {
	shown := adminapi.Sessions{Sessions: []adminapi.Session{}, Page: page.Answer()}
	now := s.now()
	if err := tx.QueryRow(ctx, countSessions, who.UserID, now).Scan(&shown.TotalCount); err != nil {
		return shown, fmt.Errorf("count sessions: %w", err)
	}
	var err error
	shown.Sessions, err = postgres.List[adminapi.Session](ctx, tx, "sessions", selectSessions,
		who.UserID, now, who.SessionID, page.Limit, page.Offset)
	return shown, err
}

const endSessionOfUser = `
UPDATE session
SET revoked_at = $3, revoked_for = 'logout'
WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3`

// EndOwn ends one open session of the user and reports whether there was one.
func (s *Sessions) EndOwn(ctx context.Context, tx pgx.Tx, userID int, sessionID string) (bool, error) {
	tag, err := tx.Exec(ctx, endSessionOfUser, userID, sessionID, s.now())
	if err != nil {
		return false, fmt.Errorf("end session: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

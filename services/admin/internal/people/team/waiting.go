package team

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// openToUser selects the invitations that the user $1 may answer at the time $2: those to their
// address, if it is verified.
const openToUser = `
FROM invitation i
JOIN app_user me ON lower(me.email) = lower(i.email)
JOIN organization o ON o.uuid = i.org_uuid
JOIN app_user u ON u.id = i.invited_by
WHERE me.id = $1
    AND me.email_verified
    AND i.accepted_at IS NULL
    AND i.revoked_at IS NULL
    AND i.expires_at > $2
    AND ` + vouched

// CountWaiting counts the invitations that the user $1 may answer at the time $2.
const CountWaiting = `
SELECT count(*)` + openToUser

const selectWaiting = `
SELECT i.uuid::text, o.uuid::text, o.name, i.role, ` + shownName + `, i.created_at, i.expires_at` + openToUser + `
ORDER BY i.created_at DESC, i.uuid DESC
LIMIT $3 OFFSET $4`

// Waiting returns the open invitations to the address of the logged-in user, including older ones
// than the account; none if the address is not verified. The fault is Forbidden for an API key.
func (s *Service) Waiting(ctx context.Context, page paging.Page) (adminapi.WaitingInvitations, error) {
	who := auth.PrincipalOf(ctx)
	shown := adminapi.WaitingInvitations{Invitations: []adminapi.WaitingInvitation{}, Page: page.Answer()}
	if err := access.RequireLogin(who); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		now := s.Now()
		err := tx.QueryRow(ctx, CountWaiting, who.UserID, now).Scan(&shown.TotalCount)
		if err != nil {
			return fmt.Errorf("count invitations: %w", err)
		}
		shown.Invitations, err = postgres.List[adminapi.WaitingInvitation](ctx, tx, "invitations", selectWaiting,
			who.UserID, now, page.Limit, page.Offset)
		return err
	})
	return shown, err
}

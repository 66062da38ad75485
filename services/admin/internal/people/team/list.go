package team

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const countTeam = `
SELECT
    (SELECT count(*) FROM membership WHERE org_uuid = $1),
    (SELECT count(*) FROM invitation WHERE org_uuid = $1 AND accepted_at IS NULL AND revoked_at IS NULL)`

const selectMembers = `
SELECT
    m.uuid::text, m.uuid::text, u.id, u.email, coalesce(u.display_name, ''), coalesce(u.first_name, ''),
    coalesce(u.last_name, ''),
    CASE
        WHEN u.avatar_key IS NOT NULL AND u.deactivated_at IS NULL THEN $4 || '/api/user/' || u.id || '/avatar/64'
        ELSE ''
    END,
    m.role, m.permissions, u.last_active_at, m.joined_at
FROM membership m
JOIN app_user u ON u.id = m.user_id
WHERE m.org_uuid = $1
ORDER BY m.joined_at, m.uuid
LIMIT $2 OFFSET $3`

const selectInvitations = `
SELECT
    i.uuid::text, i.email, i.role, i.permissions, ` + shownName + `,
    i.created_at, i.expires_at, i.expires_at <= $4 OR NOT ` + vouched + `
FROM invitation i
JOIN app_user u ON u.id = i.invited_by
WHERE i.org_uuid = $1 AND i.accepted_at IS NULL AND i.revoked_at IS NULL
ORDER BY i.created_at DESC, i.uuid DESC
LIMIT $2 OFFSET $3`

// List returns the members and open invitations of the organization. The faults: NotFound for a
// stranger, Forbidden without ManageTeam.
func (s *Service) List(ctx context.Context, org string, page paging.Page) (adminapi.Team, error) {
	shown := adminapi.Team{Members: []adminapi.Member{}, Invitations: []adminapi.Invitation{}, Page: page.Answer()}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, permission.ManageTeam); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, countTeam, org).Scan(&shown.TotalCount, &shown.InvitationCount)
		if err != nil {
			return fmt.Errorf("count team: %w", err)
		}
		shown.Members, err = postgres.List[adminapi.Member](ctx, tx, "members", selectMembers,
			org, page.Limit, page.Offset, s.PublicURL)
		if err != nil {
			return err
		}
		shown.Invitations, err = postgres.List[adminapi.Invitation](ctx, tx, "invitations", selectInvitations,
			org, page.Limit, page.Offset, s.Now())
		return err
	})
	return shown, err
}

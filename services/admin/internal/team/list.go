package team

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/paging"
	"litfass/services/admin/internal/permission"
	"litfass/services/admin/internal/postgres"
)

// Member is a member in the list of a team.
type Member struct {
	UUID         string          `json:"uuid"`
	MemberUUID   string          `json:"member_uuid"` // the same, as known clients read it
	UserID       int             `json:"user_id"`
	Email        string          `json:"email"`
	DisplayName  *string         `json:"display_name"`
	FirstName    *string         `json:"first_name"`
	LastName     *string         `json:"last_name"`
	AvatarURL    *string         `json:"avatar_url"` // 64 pixels
	Role         permission.Role `json:"role"`
	Permissions  value.Mask      `json:"permissions"`
	LastActiveAt *time.Time      `json:"last_active_at"`
	JoinedAt     time.Time       `json:"joined_at"`
}

// Invitation is an open invitation. Expired is also one whose inviter lost the permissions that
// they offered. Inviting again renews it.
type Invitation struct {
	UUID        string          `json:"uuid"`
	Email       string          `json:"email"`
	Role        permission.Role `json:"role"`
	Permissions value.Mask      `json:"permissions"`
	InvitedBy   *string         `json:"invited_by"` // a name; null when the inviter has none
	InvitedAt   time.Time       `json:"invited_at"`
	ExpiresAt   time.Time       `json:"expires_at"`
	Expired     bool            `json:"expired"`
}

// Team is a page of the members, in the order in which they joined, and of the open invitations,
// the newest first.
type Team struct {
	Members         []Member     `json:"members"`
	Invitations     []Invitation `json:"invitations"`
	TotalCount      int          `json:"total_count"` // of the members
	InvitationCount int          `json:"invitation_count"`
	paging.Page
}

const countTeam = `
SELECT
    (SELECT count(*) FROM membership WHERE org_uuid = $1),
    (SELECT count(*) FROM invitation WHERE org_uuid = $1 AND accepted_at IS NULL AND revoked_at IS NULL)`

const selectMembers = `
SELECT
    m.uuid::text, m.uuid::text, u.id, u.email, u.display_name, u.first_name, u.last_name,
    CASE WHEN u.avatar_key IS NOT NULL AND u.deactivated_at IS NULL THEN $4 || '/api/user/' || u.id || '/avatar/64' END,
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
func (s *Service) List(ctx context.Context, org string, page paging.Page) (Team, error) {
	shown := Team{Members: []Member{}, Invitations: []Invitation{}, Page: page}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, permission.ManageTeam); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, countTeam, org).Scan(&shown.TotalCount, &shown.InvitationCount)
		if err != nil {
			return fmt.Errorf("count team: %w", err)
		}
		shown.Members, err = postgres.List[Member](ctx, tx, "members", selectMembers,
			org, page.Limit, page.Offset, s.PublicURL)
		if err != nil {
			return err
		}
		shown.Invitations, err = postgres.List[Invitation](ctx, tx, "invitations", selectInvitations,
			org, page.Limit, page.Offset, s.Now())
		return err
	})
	return shown, err
}

package adminapi

import (
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
)

// Team is a page of the members, in the order in which they joined, and of the open invitations,
// the newest first. The page counts the members.
type Team struct {
	Members         []Member     `json:"members"`
	Invitations     []Invitation `json:"invitations"`
	InvitationCount int          `json:"invitation_count"`
	Page
}

// Member is a member in the list of a team.
type Member struct {
	UUID         string          `json:"uuid"`        // of the membership
	MemberUUID   string          `json:"member_uuid"` // the same, as known clients read it
	UserID       int             `json:"user_id"`
	Email        string          `json:"email"`
	DisplayName  value.Text      `json:"display_name"`
	FirstName    value.Text      `json:"first_name"`
	LastName     value.Text      `json:"last_name"`
	AvatarURL    value.Text      `json:"avatar_url"` // 64 pixels
	Role         permission.Role `json:"role"`
	Permissions  value.Mask      `json:"permissions"`
	LastActiveAt *time.Time      `json:"last_active_at"`
	JoinedAt     time.Time       `json:"joined_at"`
}

// Rights are the role and permissions of a member.
type Rights struct {
	UUID        string          `json:"uuid"` // of the membership
	UserID      int             `json:"user_id"`
	DisplayName value.Text      `json:"user_display_name"`
	Role        permission.Role `json:"role"`
	Permissions value.Mask      `json:"permissions"`
}

// WrittenRights is the answer to changing the rights of a member.
type WrittenRights struct {
	Done
	Rights
}

// Offered are permissions in a body: by the name of a role, or one by one.
type Offered struct {
	Role        permission.Role `json:"role,omitempty"`
	Permissions *value.Mask     `json:"permissions,omitempty"`
}

// Membership is an organization that the user is a member of, with their own rights in it.
type Membership struct {
	UUID        string          `json:"uuid"` // the memberId of paths
	OrgUUID     string          `json:"org_uuid"`
	OrgName     string          `json:"org_name"`
	Role        permission.Role `json:"role"`
	Permissions value.Mask      `json:"permissions"`
	JoinedAt    time.Time       `json:"joined_at"`
	LastOwner   bool            `json:"last_owner"` // the only active owner, who cannot leave
}

// Memberships is a page of the user's memberships, by the name of the organization.
type Memberships struct {
	Memberships []Membership `json:"memberships"`
	Page
}

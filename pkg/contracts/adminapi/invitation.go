package adminapi

import (
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
)

// NewInvitation is the body that invites a person into a team; without a role and permissions as a
// viewer.
type NewInvitation struct {
	Email string `json:"email"`
	Offered
}

// InvitationToken is the body that accepts an invitation with the token from the mail.
type InvitationToken struct {
	Token string `json:"token"`
}

// Invitation is an open invitation as the team sees it. Expired is also one whose inviter lost the
// permissions that they offered. Inviting again renews it.
type Invitation struct {
	UUID        string          `json:"uuid"`
	Email       string          `json:"email"`
	Role        permission.Role `json:"role"`
	Permissions value.Mask      `json:"permissions"`
	InvitedBy   value.Text      `json:"invited_by"` // a name; null when the inviter has none
	InvitedAt   time.Time       `json:"invited_at"`
	ExpiresAt   time.Time       `json:"expires_at"`
	Expired     bool            `json:"expired"`
}

// WrittenInvitation is the answer to an invitation, or to renewing one.
type WrittenInvitation struct {
	Done
	Invitation
}

// WaitingInvitation is an open invitation as the invited person sees it.
type WaitingInvitation struct {
	UUID      string          `json:"uuid"`
	OrgUUID   string          `json:"org_uuid"`
	OrgName   string          `json:"org_name"`
	Role      permission.Role `json:"role"`
	InvitedBy value.Text      `json:"invited_by"` // a name; null when the inviter has none
	InvitedAt time.Time       `json:"invited_at"`
	ExpiresAt time.Time       `json:"expires_at"`
}

// WaitingInvitations is a page of the invitations that wait for the user.
type WaitingInvitations struct {
	Invitations []WaitingInvitation `json:"invitations"`
	Page
}

// MailedInvitation is an open invitation as the bearer of its mailed token sees it, who may have no
// account.
type MailedInvitation struct {
	WaitingInvitation
	Email      string `json:"email"`
	HasAccount bool   `json:"has_account"` // the address has one that was activated: log in to accept
}

// InvitedAccount is the body with which a person without an account accepts an invitation. The
// token proves the address.
type InvitedAccount struct {
	Token       string `json:"token"`
	Password    string `json:"password"`
	DisplayName string `json:"display_name,omitempty"` // "" for none
}

// InvitedLogin is the answer to it: the new account is a member and logged in.
type InvitedLogin struct {
	LoginResult
	Membership Accepted `json:"membership"`
}

// Accepted is a membership that an invitation has made.
type Accepted struct {
	OrgUUID     string          `json:"org_uuid"`
	OrgName     string          `json:"org_name"`
	UUID        string          `json:"uuid"` // of the membership
	Role        permission.Role `json:"role"`
	Permissions value.Mask      `json:"permissions"`
}

// AcceptedInvitation is the answer to accepting an invitation.
type AcceptedInvitation struct {
	Done
	Accepted
}

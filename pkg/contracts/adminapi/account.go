package adminapi

import (
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
)

// Credentials are the body of a signup and of a login.
type Credentials struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// Activation is the body that activates an account with the token from a mail, or makes another
// address that of the account; then the password and the name are ignored.
type Activation struct {
	Token       string `json:"token"`
	Password    string `json:"password,omitempty"`
	DisplayName string `json:"display_name,omitempty"` // "" for none
}

// Address is the body that asks for a mail with which a forgotten password is replaced.
type Address struct {
	Email string `json:"email"`
}

// NewPassword is the body that sets a password with the token from a mail.
type NewPassword struct {
	Token       string `json:"token"`
	NewPassword string `json:"new_password"`
}

// ChangedPassword is the body that sets a password with the one before.
type ChangedPassword struct {
	Password    string `json:"password"`
	NewPassword string `json:"new_password"`
}

// RefreshToken is the body that exchanges a refresh token for a new pair of tokens.
type RefreshToken struct {
	RefreshToken string `json:"refresh_token"`
}

// TokenPair are the tokens of a session. The refresh token is exchanged for a new pair once.
type TokenPair struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	ExpiresIn    int    `json:"expires_in"` // seconds until the access token expires
}

// LoginResult is the answer to a login (RULES.md, Accounts). Absent names are "". Older clients
// compare the message with "login successful".
type LoginResult struct {
	Done
	UserID      int    `json:"user_id"`
	DisplayName string `json:"display_name"`
	FirstName   string `json:"first_name"`
	LastName    string `json:"last_name"`
	Locale      string `json:"locale"`
	Theme       string `json:"theme"`
	TokenPair
}

// Refreshed is the answer to a refresh: the refresh token that was sent is spent.
type Refreshed struct {
	Done
	TokenPair
}

// PasswordChanged is the answer to changing a password: all other sessions have ended.
type PasswordChanged struct {
	Done
	RevokedAPIKeys int `json:"revoked_api_keys"` // how many personal ones
}

// PasswordReset is the answer to setting a password with the token from a mail: how many keys it
// revoked, and the keys and invitations that still give access to organizations.
type PasswordReset struct {
	Done
	RevokedAPIKeys int `json:"revoked_api_keys"` // how many personal ones
	Remaining
}

// Remaining lists the keys and invitations made by a user that give others access to organizations.
// A password reset leaves and names them, because they may be an intruder's work (RULES.md,
// Accounts).
type Remaining struct {
	OrganizationKeys []RemainingKey        `json:"organization_api_keys"`
	Invitations      []RemainingInvitation `json:"open_invitations"`
}

// RemainingKey is an API key of an organization that the user made and that is valid.
type RemainingKey struct {
	UUID        string     `json:"uuid"`
	Name        string     `json:"name"`
	Prefix      string     `json:"prefix"`
	OrgUUID     string     `json:"org_uuid"`
	OrgName     string     `json:"org_name"`
	Permissions value.Mask `json:"permissions"`
	CreatedAt   time.Time  `json:"created_at"`
	ExpiresAt   *time.Time `json:"expires_at"`
	LastUsedAt  *time.Time `json:"last_used_at"`
}

// RemainingInvitation is an invitation that the user sent and that can still be accepted.
type RemainingInvitation struct {
	UUID      string          `json:"uuid"`
	OrgUUID   string          `json:"org_uuid"`
	OrgName   string          `json:"org_name"`
	Email     string          `json:"email"`
	Role      permission.Role `json:"role"`
	InvitedAt time.Time       `json:"invited_at"`
	ExpiresAt time.Time       `json:"expires_at"`
}

// Session is a session of the user that has not ended.
type Session struct {
	UUID      string     `json:"uuid"`
	UserAgent value.Text `json:"user_agent"` // of the client that logged in
	CreatedAt time.Time  `json:"created_at"`
	UsedAt    time.Time  `json:"used_at"` // the last login or refresh
	ExpiresAt time.Time  `json:"expires_at"`
	Current   bool       `json:"current"` // the session of this request
}

// Sessions is a page of the user's open sessions, the most recently used first.
type Sessions struct {
	Sessions []Session `json:"sessions"`
	Page
}

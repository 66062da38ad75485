package adminapi

import "litfass/pkg/contracts/value"

// Profile is a user's account as the user sees it.
type Profile struct {
	UserID       int        `json:"user_id"`
	Email        string     `json:"email"`
	PendingEmail value.Text `json:"pending_email"` // replaces Email once the link mailed to it is opened
	DisplayName  value.Text `json:"display_name"`
	FirstName    value.Text `json:"first_name"`
	LastName     value.Text `json:"last_name"`
	Locale       string     `json:"locale"`
	Theme        string     `json:"theme"`
	AvatarURL    value.Text `json:"avatar_url"` // absolute, of 64 pixels
	IsAdmin      bool       `json:"is_admin"`   // a platform administrator; granted only on the command line
}

// WrittenProfile is the answer to changing a profile or settings.
type WrittenProfile struct {
	Done
	Profile
}

// Settings are the body that changes both language and theme.
type Settings struct {
	Locale string `json:"locale"`
	Theme  string `json:"theme"`
}

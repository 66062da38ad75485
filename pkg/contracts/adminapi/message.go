package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// The contexts of a new message.
const (
	ToOrganization = "organization"
	ToUser         = "user"
)

// NewMessage is the body that writes to an organization or a user.
type NewMessage struct {
	Context   string `json:"context"`    // one of the constants above
	ContextID any    `json:"context_id"` // the uuid of the organization or the number of the user
	Subject   string `json:"subject"`
	Message   string `json:"message"`
}

// Reply is the body that answers a message; without a subject it gets that of the message.
type Reply struct {
	Subject string `json:"subject"`
	Message string `json:"message"`
}

// Message is a message as its recipient reads it.
type Message struct {
	ID              int        `json:"id"`
	FromUserID      *int       `json:"from_user_id"` // null: the account was deleted, or no user sent it
	FromDisplayName value.Text `json:"from_display_name"`
	OrgUUID         value.Text `json:"org_uuid"` // the organization that was written to; null for the user in person
	ReplyTo         *int       `json:"reply_to"` // the message that it answers, which the reader sent
	CreatedAt       time.Time  `json:"created_at"`
	IsRead          bool       `json:"is_read"`
	Subject         string     `json:"subject"`
	Message         string     `json:"message"`
	Link            value.Text `json:"link"` // path of the page of the console that it is about; null for none
}

// Messages is a page of the user's messages, the newest first. UnreadCount is that of all.
type Messages struct {
	Messages    []Message `json:"messages"`
	UnreadCount int       `json:"unread_count"`
	Page
}

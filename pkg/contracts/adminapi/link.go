package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// Link is a link of an event.
type Link struct {
	UUID string `json:"uuid"`
	LinkFields
}

// LinkFields are the writable fields of a link.
type LinkFields struct {
	Type  string     `json:"type"` // a key of the choosable link types
	Label value.Text `json:"label"`
	URL   string     `json:"url"`
}

// WrittenLink is the answer to adding or changing a link.
type WrittenLink struct {
	Done
	Link
	EventUUID string `json:"event_uuid"`
	Warned
}

// PreviewLink is the answer to making a link that shows an event before it is public. The URL
// cannot be read again later.
type PreviewLink struct {
	Done
	UUID      string    `json:"uuid"`
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
}

// PreviewLinks are the valid preview links of an event, the oldest first.
type PreviewLinks struct {
	PreviewLinks []PreviewLinkEntry `json:"preview_links"`
}

// PreviewLinkEntry is a preview link in a list. It ends at ExpiresAt, or earlier with the right of
// its maker to edit the event (RULES.md, Rights).
type PreviewLinkEntry struct {
	UUID      string     `json:"uuid"`
	Maker     value.Text `json:"maker"`   // a member's name, or e-mail address; null for others
	APIKey    value.Text `json:"api_key"` // the name of the key that made it; null if a person did
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt time.Time  `json:"expires_at"`
}

// RevokedPreviewLinks is the answer to revoking the preview links of an event.
type RevokedPreviewLinks struct {
	Done
	Revoked int `json:"revoked"` // how many there were
}

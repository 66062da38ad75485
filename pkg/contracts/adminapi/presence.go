package adminapi

import "litfass/pkg/contracts/value"

// Presence is which version of an event is stored, and who else has the event open (RULES.md,
// Rights).
type Presence struct {
	ETag   string          `json:"etag"`   // of the event, as when it is read
	People []PresentPerson `json:"people"` // without the caller
}

// PresentPerson is a member who has an event open.
type PresentPerson struct {
	Name value.Text `json:"name"` // null: the account has none
}

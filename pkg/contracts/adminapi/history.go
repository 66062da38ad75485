package adminapi

import (
	"encoding/json"
	"time"

	"litfass/pkg/contracts/value"
)

// EventHistory is a page of the history of an event, newest first.
type EventHistory struct {
	Entries []HistoryEntry `json:"entries"`
	Page
}

// HistoryEntry is one write. Before and After hold the changed fields under their names in the
// event; for dates, links and images only the elements that differ. A long text is a Passage. A
// long list lacks its last elements, which the field "more" counts. Either is null when it would be
// empty, such as Before of a new event.
type HistoryEntry struct {
	ID        int             `json:"id"`
	At        time.Time       `json:"at"`
	ActorName value.Text      `json:"actor_name"` // null: no member, no name, or an API key of the organization
	Own       bool            `json:"own"`        // the caller's own
	WithKey   bool            `json:"with_key"`   // made with an API key
	Action    string          `json:"action"`     // such as event.update
	Before    json.RawMessage `json:"before"`
	After     json.RawMessage `json:"after"`
}

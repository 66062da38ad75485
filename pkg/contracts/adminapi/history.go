package adminapi

import (
	"encoding/json"
	"time"

	"litfass/pkg/contracts/value"
)

// EventHistory is a page of what was done to an event, the newest first.
type EventHistory struct {
	Entries []HistoryEntry `json:"entries"`
	Page
}

// HistoryEntry is one write. Before and After hold the fields that it changed, under the names that
// the event has them; of dates, links and images those that differ. Either is null where it has
// nothing to show, such as Before of a new event.
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

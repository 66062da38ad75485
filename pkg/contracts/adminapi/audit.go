package adminapi

import (
	"encoding/json"
	"time"

	"litfass/pkg/contracts/value"
)

// AuditEntry is an entry of an organization's audit log. Without an actor the write was made by the
// program itself, on its command line, or with an organization's API key. ActorName and Address are
// null unless the actor, or the creator of that key, is a member (RULES.md, Rights).
type AuditEntry struct {
	ID          int64           `json:"id"`
	At          time.Time       `json:"at"`
	ActorUserID *int            `json:"actor_user_id"`
	ActorName   value.Text      `json:"actor_name"` // a member's present name, or e-mail address
	ActorAPIKey value.Text      `json:"actor_api_key"`
	Action      string          `json:"action"`
	EntityKind  string          `json:"entity_kind"`
	EntityID    string          `json:"entity_id"`
	Address     value.Text      `json:"address"` // of the actor in the network
	RequestID   value.Text      `json:"request_id"`
	Before      json.RawMessage `json:"before"` // an object of the fields that changed; null when it was new
	After       json.RawMessage `json:"after"`  // null when it is gone
}

// AuditLog is a page of entries, the newest first.
type AuditLog struct {
	Entries []AuditEntry `json:"entries"`
	Page
}

package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// The states of a request for a venue.
const (
	RequestPending  = "pending"
	RequestAccepted = "accepted"
	RequestRefused  = "refused"
)

// RequestStates are all states of a request for a venue.
var RequestStates = []string{RequestPending, RequestAccepted, RequestRefused}

// VenueRequest asks the owner of a venue for its use by an event of another organization (RULES.md,
// Dates and places).
type VenueRequest struct {
	UUID            string     `json:"uuid"`
	EventUUID       value.Text `json:"event_uuid"` // null: the event is gone, its organization is accepted
	EventTitle      string     `json:"event_title"`
	EventStart      value.Text `json:"event_start"` // the day of its first date that is not over; null without one
	OrgUUID         string     `json:"org_uuid"`
	OrgName         string     `json:"org_name"`
	VenueUUID       string     `json:"venue_uuid"`
	VenueName       string     `json:"venue_name"`
	VenueOrgUUID    string     `json:"venue_org_uuid"`
	VenueOrgName    string     `json:"venue_org_name"`
	State           string     `json:"state"`            // one of RequestStates
	ForOrganization bool       `json:"for_organization"` // accepted for all events of the organization
	Note            value.Text `json:"note"`             // of the person who asked
	Answer          value.Text `json:"answer"`           // of the person who decided
	AskedAt         time.Time  `json:"asked_at"`
	DecidedAt       *time.Time `json:"decided_at"` // null while it is pending
}

// VenueRequests is a page of requests, the pending ones first, then the newest.
type VenueRequests struct {
	Requests []VenueRequest `json:"requests"`
	Page
}

// EventRequests are the requests of an event, the newest first.
type EventRequests struct {
	Requests []VenueRequest `json:"requests"`
}

// NewVenueRequest is the body that asks for a venue.
type NewVenueRequest struct {
	VenueUUID string     `json:"venue_uuid"`
	Note      value.Text `json:"note"`
}

// VenueDecision is the body that decides a request.
type VenueDecision struct {
	Accepted        bool       `json:"accepted"`
	ForOrganization bool       `json:"for_organization"`
	Answer          value.Text `json:"answer"`
}

// WrittenVenueRequest is the answer to asking and to deciding.
type WrittenVenueRequest struct {
	Done
	VenueRequest
}

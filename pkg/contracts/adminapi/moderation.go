package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// PendingOrganization is an organization that waits for approval. Absent text is "".
type PendingOrganization struct {
	UUID         string     `json:"uuid"`
	Name         string     `json:"name"`
	Description  string     `json:"description"`
	City         string     `json:"city"`
	Country      string     `json:"country"`
	ContactEmail string     `json:"contact_email"`
	WebLink      value.Text `json:"web_link"`
	AskedAt      time.Time  `json:"asked_at"`
}

// PendingOrganizations is a page of the organizations that wait for approval, the longest waiting
// first.
type PendingOrganizations struct {
	Organizations []PendingOrganization `json:"organizations"`
	Page
}

// Decision is the body that approves an organization, or refuses it.
type Decision struct {
	Approved bool   `json:"approved"`
	Reason   string `json:"reason"` // for the owners; required to refuse
}

// WrittenApproval is the answer to deciding about an organization.
type WrittenApproval struct {
	Done
	OrgUUID string `json:"org_uuid"`
	Approval
}

// The states of a report, and the outcomes of a closed one.
const (
	ReportOpen   = "open"
	ReportClosed = "closed"

	OutcomeDismissed = "dismissed"  // it had no reason
	OutcomeResolved  = "resolved"   // the reported problem is fixed
	OutcomeTakenBack = "taken_back" // the takedown of the event
)

// Report is a visitor's report about an event, as platform administrators see it.
type Report struct {
	UUID        string     `json:"uuid"`
	EventUUID   string     `json:"event_uuid"`
	EventTitle  string     `json:"event_title"`  // when it was reported
	EventStatus value.Text `json:"event_status"` // now; null: the event was deleted
	OrgUUID     string     `json:"org_uuid"`     // that the event belonged to then
	OrgName     value.Text `json:"org_name"`     // null: the organization was deleted
	Reason      string     `json:"reason"`
	Text        string     `json:"text"`
	Email       value.Text `json:"email"` // null: none was given, or it was deleted
	State       string     `json:"state"`
	CreatedAt   time.Time  `json:"created_at"`
	ClosedAt    *time.Time `json:"closed_at"`
	Outcome     value.Text `json:"outcome"` // of a closed one
	Note        string     `json:"note"`
	TakenBack   *Takedown  `json:"taken_back"` // of the event now
}

// Reports is a page of reports, the newest first.
type Reports struct {
	Reports []Report `json:"reports"`
	Page
}

// Closing is the body that closes a report.
type Closing struct {
	Outcome string `json:"outcome"`
	Note    string `json:"note"` // for other administrators
}

// WrittenReport is the answer to closing a report.
type WrittenReport struct {
	Done
	Report
}

// TakedownReason is the body that takes an event back.
type TakedownReason struct {
	Reason string `json:"reason"` // for the team
}

// WrittenTakedown is the answer to taking an event back, and to letting it be released again.
type WrittenTakedown struct {
	Done
	UUID          string    `json:"uuid"` // of the event
	ReleaseStatus string    `json:"release_status"`
	TakenBack     *Takedown `json:"taken_back"`
}

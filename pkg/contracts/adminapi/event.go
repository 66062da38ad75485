package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// Event is an event as its members see it: its parts, each written by its own operation, the names
// of its organization and place, and its checklist.
type Event struct {
	PartOfEvent
	HeaderPart
	DescriptionPart
	SummaryPart
	TypesPart
	PlacePart
	TagsPart
	LabelsPart
	LanguagesPart
	TextsPart
	ParticipationPart
	ReleasePart
	EventLinks []Link     `json:"event_links"`
	Images     []Image    `json:"images"`
	Dates      []Date     `json:"dates"` // by start
	DateRules  []DateRule `json:"date_rules"`
	SeriesOfEventPart

	OrgName   string     `json:"org_name"`
	VenueName value.Text `json:"venue_name"`
	SpaceName value.Text `json:"space_name"`
	TakenBack *Takedown  `json:"taken_back"` // null for an event that is not

	ContributorsPart
	NamedContributors []NamedContributor `json:"named_contributors"` // each of the contributors once
}

// WrittenEvent is the answer to adding or duplicating an event.
type WrittenEvent struct {
	Done
	Event
	Warned
}

// Takedown is why and since when an event is taken back: a platform administrator has made it a
// draft, and it cannot be released until they lift it.
type Takedown struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// PartOfEvent is the event to which a part belongs, with its checklist.
type PartOfEvent struct {
	UUID      string          `json:"uuid"` // of the event
	Checklist []ChecklistItem `json:"checklist"`
}

// ChecklistItem is something that an event lacks, with the field that is to be filled in.
type ChecklistItem struct {
	Field    string `json:"field"`
	Required bool   `json:"required"` // before the event is released
	Message  string `json:"message"`  // for people
	Kind     string `json:"kind"`     // of the entity that has the field: event, venue or space
	UUID     string `json:"uuid"`     // of that entity
}

// Duplication is the body that adds a draft like an event.
type Duplication struct {
	ShiftDays     int  `json:"shift_days"` // by which the dates are moved; may be negative
	LeaveOutDates bool `json:"leave_out_dates"`
}

// BulkResult is the answer to changing several events at once, in the order of the body.
type BulkResult struct {
	Done
	Events []BulkEvent `json:"events"`
}

// BulkEvent is one of several events that were changed.
type BulkEvent struct {
	UUID string `json:"uuid"`
	ETag string `json:"etag"` // of the event as it is now
	Warned
}

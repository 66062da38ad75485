package adminapi

import (
	"cmp"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Date is a date of an event.
type Date struct {
	UUID string `json:"uuid"`
	DateFields
	RuleUUID     value.Text `json:"rule_uuid"`     // of the rule that made it; cannot be changed
	RecurrenceID value.Text `json:"recurrence_id"` // its start in the rule; it stays when the date is moved
}

// DateFields are the writable fields of a date.
type DateFields struct {
	StartDate         string     `json:"start_date"`
	StartTime         value.Text `json:"start_time"` // null when all-day
	EndDate           value.Text `json:"end_date"`
	EndTime           value.Text `json:"end_time"`
	EntryTime         value.Text `json:"entry_time"`
	AllDay            bool       `json:"all_day"`
	VenueUUID         value.Text `json:"venue_uuid"` // null: that of the event
	SpaceUUID         value.Text `json:"space_uuid"`
	ReleaseStatus     string     `json:"release_status"` // "" in a body reads as inherited
	StatusNote        value.Text `json:"status_note"`    // why it is cancelled, deferred or rescheduled
	TicketLink        value.Text `json:"ticket_link"`
	AccessibilityInfo value.Text `json:"accessibility_info"`
	SeriesPartUUID    value.Text `json:"series_part_uuid"` // of a series of the event; null: none
	// Hours are the openings from StartDate to EndDate, or without end; null for a date that is not a
	// period with opening hours.
	Hours hours.Hours `json:"hours"`
	DateTickets
	PreviousStart   value.Text `json:"previous_start"`    // 2026-11-20T19:30, or a day when all-day; set when a public date moves
	StatusChangedAt value.Text `json:"status_changed_at"` // set when the status of a public date changes, or when it moves
	Tariffs         []Tariff   `json:"tariffs"`           // in place of those of the event; none: they apply
}

// DateTickets are whether there are tickets for a date, and when. Times are local to its place,
// such as 2026-11-20T10:00.
type DateTickets struct {
	DateAvailability
	OnSaleFrom  value.Text `json:"on_sale_from"`
	OnSaleUntil value.Text `json:"on_sale_until"`
}

// DateAvailability is whether there are places at a date: the body of
// PUT /date/{uuid}/availability.
type DateAvailability struct {
	Availability    value.Text  `json:"availability"` // a key of the value set availabilities; null: not stated
	RemainingPlaces value.Count `json:"remaining_places"`
	// AvailabilityVersion counts the changes of the two above. A body that brings back an older one
	// changes neither; one without it states them, also where they have changed since.
	AvailabilityVersion value.Count `json:"availability_version,omitzero"`
}

// MaxAvailabilityVersion is the maximum AvailabilityVersion of a catalogue file. JavaScript reads
// it exactly, and box offices never reach it.
const MaxAvailabilityVersion = 1_000_000_000_000_000

// AvailabilityOfDate is the availability of a date, which has a version of its own.
type AvailabilityOfDate struct {
	UUID      string `json:"uuid"` // of the date
	EventUUID string `json:"event_uuid"`
	DateAvailability
}

// WrittenAvailability is the answer to changing the availability of a date.
type WrittenAvailability struct {
	Done
	AvailabilityOfDate
}

// LastDay returns the day on which the date ends: its first day when none is given, and the last
// day of all where it has opening hours and no end.
func (f DateFields) LastDay() string {
	if f.EndDate == "" && !f.Hours.Empty() {
		return hours.Forever.String()
	}
	return cmp.Or(string(f.EndDate), f.StartDate)
}

// Repetition is the recurrence of a date, as in iCalendar (RFC 5545). RDate and ExDate are days, or
// starts such as 2026-12-24T15:00.
type Repetition struct {
	RRule  value.Text `json:"rrule"` // ends, with COUNT or UNTIL
	RDate  []string   `json:"rdate"`
	ExDate []string   `json:"exdate"`
}

// DateRule is a rule from which dates of an event were made, with its first date. Without RRule the
// dates are StartDate and RDate.
type DateRule struct {
	UUID      string     `json:"uuid"`
	StartDate string     `json:"start_date"`
	StartTime value.Text `json:"start_time"` // null when all-day
	EndDate   value.Text `json:"end_date"`
	EndTime   value.Text `json:"end_time"`
	AllDay    bool       `json:"all_day"`
	Repetition
}

// NewDates is the body that adds a date, or the dates of a rule.
type NewDates struct {
	DateFields
	Repetition
}

// PlannedDates is the body that previews dates: EventUUID is the event to which they would be
// added, null for one that does not exist yet.
type PlannedDates struct {
	NewDates
	EventUUID value.Text `json:"event_uuid"`
}

// RuleDates are the expansion of a rule: the rule in its stored form, and its dates by start.
// Warnings are the ones that adding the dates would give; they refer to dates by index, such as
// dates[3].
type RuleDates struct {
	Repetition
	Dates []RuleDate `json:"dates"`
	Warned
}

// RuleDate is one date that a rule names.
type RuleDate struct {
	RecurrenceID string     `json:"recurrence_id"` // its start in the rule
	StartDate    string     `json:"start_date"`
	StartTime    value.Text `json:"start_time"`
	EndDate      value.Text `json:"end_date"`
	EndTime      value.Text `json:"end_time"`
	AllDay       bool       `json:"all_day"`
}

// WrittenDates is the answer to adding dates, or changing them: the date of the path, or the first
// that was added, and every date that was written, by start.
type WrittenDates struct {
	Done
	Date
	EventUUID string `json:"event_uuid"`
	DateUUID  string `json:"event_date_uuid"` // the same as the uuid, as known clients read it
	Dates     []Date `json:"dates"`
	Warned
}

// DeletedDates is the answer to deleting dates: that of the path, and every date that was deleted.
type DeletedDates struct {
	Done
	UUID      string   `json:"uuid"`
	EventUUID string   `json:"event_uuid"`
	DateUUID  string   `json:"event_date_uuid"` // the same as the uuid, as known clients read it
	DateUUIDs []string `json:"event_date_uuids"`
	Warned
}

// Package rules defines the entities of the catalogue: organizations, venues, spaces, events,
// contributors, labels, series, portals, lists and regions, and the rules of valid ones. It is
// pure: it uses no database, no stream and no HTTP.
//
// The types of entities that the admin operations answer unchanged have the fields of package
// adminapi. The JSON of all types is the catalogue file's (RULES.md, Catalogue file) and, with few
// exceptions, the admin operations'. Dates are "YYYY-MM-DD", times "HH:MM" in the local time of the
// place. Absent text is the empty string, and null in JSON. Lists are never nil after Normalize.
package rules

import (
	"encoding/json"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Organization runs events and owns venues.
type Organization adminapi.OrganizationFields

// Venue is a place with an address; events happen in its spaces or in it as a whole.
type Venue adminapi.Venue

// Space is a room or area of a venue.
type Space adminapi.Space

// Label is a word that the operator gives to events.
type Label adminapi.Label

// Contributor is a person or group that takes part in events.
type Contributor adminapi.Contributor

// Event is a cultural event with its dates: one aggregate, written and read as a whole.
type Event struct {
	UUID              string               `json:"uuid"`
	OrgUUID           string               `json:"org_uuid"`
	VenueUUID         value.Text           `json:"venue_uuid"`
	SpaceUUID         value.Text           `json:"space_uuid"`
	Title             string               `json:"title"`
	Subtitle          value.Text           `json:"subtitle"`
	Summary           value.Text           `json:"summary"`
	Description       value.Text           `json:"description"`
	Categories        []int                `json:"categories"`
	EventTypes        []adminapi.EventType `json:"event_types"`
	Languages         []string             `json:"languages"`
	Tags              []string             `json:"tags"`
	Labels            []string             `json:"labels"` // keys; only the operator gives them
	MinAge            *int                 `json:"min_age"`
	MaxAge            *int                 `json:"max_age"`
	PriceType         string               `json:"price_type"` // "" reads as not_specified
	MinPrice          *float64             `json:"min_price"`
	MaxPrice          *float64             `json:"max_price"`
	Currency          value.Text           `json:"currency"`
	TicketFlags       []string             `json:"ticket_flags"`
	VisitorInfoFlags  *value.Mask          `json:"visitor_info_flags"`
	ParticipationInfo value.Text           `json:"participation_info"`
	MeetingPoint      value.Text           `json:"meeting_point"`
	MaxAttendees      *int                 `json:"max_attendees"`
	Occasion          int                  `json:"occasion"`
	OnlineLink        value.Text           `json:"online_link"`
	SourceLink        value.Text           `json:"source_link"`
	ReleaseStatus     string               `json:"release_status"` // "" reads as draft
	ReleaseDate       *time.Time           `json:"release_date"`   // a released event is public from this time on; nil: immediately
	StatusNote        value.Text           `json:"status_note"`    // why it is cancelled, deferred or rescheduled
	StatusChangedAt   value.Text           `json:"status_changed_at"`
	Tariffs           []adminapi.Tariff    `json:"tariffs"` // with them MinPrice, MaxPrice and Currency are derived
	EventLinks        []EventLink          `json:"event_links"`
	Images            []Image              `json:"images"`
	Dates             []Date               `json:"dates"`
	DateRules         []DateRule           `json:"date_rules"` // each has a date
	Series            []EventSeries        `json:"series"`     // without repeats, the most important first

	TextLanguage value.Text          `json:"text_language"` // of the texts above; absent: not stated
	Texts        adminapi.EventTexts `json:"texts"`         // translations of them
	Contributors []EventContributor  `json:"contributors"`

	VideoLink value.Text `json:"video_link"`
}

// EventContributor is a contributor of an event; Role is a key of the contributor roles.
type EventContributor adminapi.EventContributor

// EventLink is a link of an event; Type is a key of the link types. A link without a UUID gets the
// UUID of the stored link with the same values, or a new one.
type EventLink struct {
	UUID  string     `json:"uuid"`
	Type  string     `json:"type"`
	Label value.Text `json:"label"`
	URL   string     `json:"url"`
}

// Image describes an image of an event; Identifier is its role: "main" or "gallery_1" to
// "gallery_7".
type Image adminapi.Image

// Date is one date of an event. With its own VenueUUID it uses its own SpaceUUID or none; without,
// it takes the event's venue and space. RuleUUID and RecurrenceID are absent from a date that no
// rule made.
type Date struct {
	UUID              string     `json:"uuid"`
	StartDate         string     `json:"start_date"`
	StartTime         value.Text `json:"start_time"` // absent when all-day
	EndDate           value.Text `json:"end_date"`
	EndTime           value.Text `json:"end_time"`
	EntryTime         value.Text `json:"entry_time"`
	AllDay            bool       `json:"all_day"`
	VenueUUID         value.Text `json:"venue_uuid"`
	SpaceUUID         value.Text `json:"space_uuid"`
	ReleaseStatus     string     `json:"release_status"` // "" reads as inherited
	StatusNote        value.Text `json:"status_note"`    // why it is cancelled, deferred or rescheduled
	TicketLink        value.Text `json:"ticket_link"`
	AccessibilityInfo value.Text `json:"accessibility_info"`
	// Hours are the openings from StartDate to EndDate, or without end.
	Hours          hours.Hours `json:"hours"`
	RuleUUID       value.Text  `json:"rule_uuid"`
	RecurrenceID   value.Text  `json:"recurrence_id"`    // its start in the rule; it stays when the date is moved
	SeriesPartUUID value.Text  `json:"series_part_uuid"` // of one of the series of the event
	adminapi.DateTickets
	PreviousStart   value.Text        `json:"previous_start"`    // while public, before it was moved
	StatusChangedAt value.Text        `json:"status_changed_at"` // RFC 3339, UTC, whole seconds
	Tariffs         []adminapi.Tariff `json:"tariffs"`           // in place of those of the event, if there are any
}

// DateRule is the rule from which dates of an event were made: a first date and its repetition
// (package recurrence).
type DateRule struct {
	UUID      string     `json:"uuid"`
	StartDate string     `json:"start_date"`
	StartTime value.Text `json:"start_time"` // absent when all-day
	EndDate   value.Text `json:"end_date"`
	EndTime   value.Text `json:"end_time"`
	AllDay    bool       `json:"all_day"`
	RRule     value.Text `json:"rrule"` // absent: StartDate and RDate are the dates
	RDate     []string   `json:"rdate"`
	ExDate    []string   `json:"exdate"`
}

// Series is a festival, a run or a programme to which events belong.
type Series adminapi.Series

// EventSeries is a series of an event; State "" reads as asked.
type EventSeries = adminapi.EventSeries

// Portal is a named part of the catalogue.
type Portal adminapi.Portal

// List is a selection of events in the order of its editor.
type List adminapi.List

// Region is a named area, known by its three slugs; Geometry is a GeoJSON Polygon or MultiPolygon.
type Region struct {
	CountrySlug string          `json:"country_slug"`
	StateSlug   string          `json:"state_slug"`
	RegionSlug  string          `json:"region_slug"`
	CountryName value.Text      `json:"country_name"` // absent: derived from the slug
	StateName   value.Text      `json:"state_name"`
	Name        string          `json:"name"`
	Geometry    json.RawMessage `json:"geometry"`
}

// ID returns the region's key: its three slugs joined by dots.
func (r Region) ID() string { return r.CountrySlug + "." + r.StateSlug + "." + r.RegionSlug }

// Package rules defines the entities of the catalogue: organizations, venues, spaces, events and
// regions, and what holds of valid ones. It is pure: it uses no database, no stream and no HTTP.
//
// The JSON of these types is the catalog file's (RULES.md, Catalogue file) and, with few
// exceptions, the admin operations'. Dates are "YYYY-MM-DD", times "HH:MM" in the local time of the
// place. Absent text is the empty string, and null in JSON. Lists are never nil after Normalize.
package rules

import (
	"encoding/json"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
)

// Organization runs events and owns venues.
type Organization struct {
	UUID            string     `json:"uuid"`
	Name            string     `json:"name"`
	Description     value.Text `json:"description"`
	LegalForm       value.Text `json:"legal_form"`
	Nonprofit       *bool      `json:"nonprofit"`
	HoldingOrgUUID  value.Text `json:"holding_org_uuid"`
	ContactEmail    value.Text `json:"contact_email"`
	ContactPhone    value.Text `json:"contact_phone"`
	WebLink         value.Text `json:"web_link"`
	Street          value.Text `json:"street"`
	HouseNumber     value.Text `json:"house_number"`
	AddressAddition value.Text `json:"address_addition"`
	PostalCode      value.Text `json:"postal_code"`
	City            value.Text `json:"city"`
	State           value.Text `json:"state"`
	Country         value.Text `json:"country"`
	Lat             *float64   `json:"lat"`
	Lon             *float64   `json:"lon"`
}

// Venue is a place with an address; events happen in its spaces or in it as a whole.
type Venue struct {
	UUID                 string      `json:"uuid"`
	OrgUUID              string      `json:"org_uuid"`
	Name                 string      `json:"name"`
	Summary              value.Text  `json:"summary"`
	Description          value.Text  `json:"description"`
	ContactEmail         value.Text  `json:"contact_email"`
	ContactPhone         value.Text  `json:"contact_phone"`
	WebLink              value.Text  `json:"web_link"`
	Street               value.Text  `json:"street"`
	HouseNumber          value.Text  `json:"house_number"`
	PostalCode           value.Text  `json:"postal_code"`
	City                 value.Text  `json:"city"`
	State                value.Text  `json:"state"`
	Country              value.Text  `json:"country"`
	Lat                  *float64    `json:"lat"`
	Lon                  *float64    `json:"lon"`
	Timezone             value.Text  `json:"timezone"`
	OpenedAt             value.Text  `json:"opened_at"`
	ClosedAt             value.Text  `json:"closed_at"`
	OpeningHours         value.Text  `json:"opening_hours"`
	TicketInfo           value.Text  `json:"ticket_info"`
	TicketLink           value.Text  `json:"ticket_link"`
	AccessibilityFlags   *value.Mask `json:"accessibility_flags"`
	AccessibilitySummary value.Text  `json:"accessibility_summary"`
}

// Space is a room or area of a venue.
type Space struct {
	UUID                 string      `json:"uuid"`
	VenueUUID            string      `json:"venue_uuid"`
	Name                 string      `json:"name"`
	Description          value.Text  `json:"description"`
	SpaceType            value.Text  `json:"space_type"`
	BuildingLevel        *int        `json:"building_level"`
	TotalCapacity        *int        `json:"total_capacity"`
	SeatingCapacity      *int        `json:"seating_capacity"`
	WebLink              value.Text  `json:"web_link"`
	AccessibilityFlags   *value.Mask `json:"accessibility_flags"`
	AccessibilitySummary value.Text  `json:"accessibility_summary"`
}

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
	EventLinks        []EventLink          `json:"event_links"`
	Images            []Image              `json:"images"`
	Dates             []Date               `json:"dates"`
	DateRules         []DateRule           `json:"date_rules"` // each has a date
}

// EventLink is a link of an event; Type is a key of the link types. A link that comes without a
// UUID keeps that of the stored link which says the same, or gets a new one.
type EventLink struct {
	UUID  string     `json:"uuid"`
	Type  string     `json:"type"`
	Label value.Text `json:"label"`
	URL   string     `json:"url"`
}

// Image describes an image of an event; Identifier is its role: "main" or "gallery_1" to
// "gallery_7".
type Image struct {
	UUID        string     `json:"uuid"`
	Identifier  string     `json:"identifier"`
	MimeType    string     `json:"mime_type"`
	Width       int        `json:"width"`
	Height      int        `json:"height"`
	AltText     value.Text `json:"alt_text"`
	Description value.Text `json:"description"`
	License     value.Text `json:"license"`
	CreatorName value.Text `json:"creator_name"`
	Copyright   value.Text `json:"copyright"`
	FocusX      *float64   `json:"focus_x"`
	FocusY      *float64   `json:"focus_y"`
}

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
	TicketLink        value.Text `json:"ticket_link"`
	AccessibilityInfo value.Text `json:"accessibility_info"`
	RuleUUID          value.Text `json:"rule_uuid"`
	RecurrenceID      value.Text `json:"recurrence_id"` // its start in the rule; it stays when the date is moved
}

// DateRule is what several dates of an event were made from: a first date and what repeats it
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

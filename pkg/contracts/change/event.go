package change

import (
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Event is the public state of one event with all its dates. Only events whose release status is
// public travel (released, cancelled, deferred, rescheduled); a date's status "inherited" takes the
// event's.
type Event struct {
	UUID              string         `json:"uuid"`
	Organization      Organizer      `json:"organization"`
	VenueUUID         value.Text     `json:"venue_uuid"` // refers into Venues
	SpaceUUID         value.Text     `json:"space_uuid"` // refers into Spaces
	Title             string         `json:"title"`
	Subtitle          value.Text     `json:"subtitle"`
	Summary           value.Text     `json:"summary"`
	Description       value.Text     `json:"description"`
	Categories        []int          `json:"categories"`
	EventTypes        []EventType    `json:"event_types"`
	Languages         []string       `json:"languages"`
	Tags              []string       `json:"tags"`
	Labels            []string       `json:"labels"` // keys of the lookup "labels"
	MinAge            *int           `json:"min_age"`
	MaxAge            *int           `json:"max_age"`
	PriceType         string         `json:"price_type"`
	MinPrice          *float64       `json:"min_price"`
	MaxPrice          *float64       `json:"max_price"`
	Currency          value.Text     `json:"currency"`
	TicketFlags       []string       `json:"ticket_flags"`
	VisitorInfoFlags  *value.Mask    `json:"visitor_info_flags"`
	ParticipationInfo value.Text     `json:"participation_info"`
	MeetingPoint      value.Text     `json:"meeting_point"`
	MaxAttendees      *int           `json:"max_attendees"`
	Occasion          int            `json:"occasion"` // 0: not specified
	OnlineLink        value.Text     `json:"online_link"`
	SourceLink        value.Text     `json:"source_link"`
	SourceName        value.Text     `json:"source_name"` // of the source that keeps the event up to date
	Origin            value.Text     `json:"origin"`      // its address at the Litfass from which it first came
	ReleaseStatus     string         `json:"release_status"`
	StatusNote        value.Text     `json:"status_note"`
	StatusChangedAt   value.Text     `json:"status_changed_at,omitempty"`
	Tariffs           []Tariff       `json:"tariffs,omitempty"`
	EventLinks        []EventLink    `json:"event_links"`
	Images            []Image        `json:"images"`
	Dates             []Date         `json:"dates"`
	ChangedAt         value.Text     `json:"changed_at"` // see above; also of its venues and spaces
	Venues            []VenueOfEvent `json:"venues"`     // every venue the event or one of its dates refers to
	Spaces            []Space        `json:"spaces"`     // every space the event or one of its dates refers to
	// Series are the public series that the event belongs to, the most important first.
	Series []SeriesOfEvent `json:"series,omitempty"`

	TextLanguage value.Text           `json:"text_language,omitempty"` // of the texts above; absent: not stated
	Texts        map[string]EventText `json:"texts,omitempty"`         // translations of them, by language
	Contributors []Participant        `json:"contributors,omitempty"`  // in the order of the event

	VideoLink value.Text `json:"video_link,omitempty"`
}

// EventText is a translation of the texts of an event: an absent text is that of the original.
type EventText struct {
	Title             value.Text           `json:"title,omitempty"`
	Subtitle          value.Text           `json:"subtitle,omitempty"`
	Summary           value.Text           `json:"summary,omitempty"`
	Description       value.Text           `json:"description,omitempty"`
	ParticipationInfo value.Text           `json:"participation_info,omitempty"`
	MeetingPoint      value.Text           `json:"meeting_point,omitempty"`
	StatusNote        value.Text           `json:"status_note,omitempty"`
	Images            map[string]ImageText `json:"images,omitempty"` // by the uuid of the image
	Dates             map[string]DateText  `json:"dates,omitempty"`  // by the uuid of the date
}

// DateText is the translation of the texts of a date.
type DateText struct {
	AccessibilityInfo value.Text `json:"accessibility_info,omitempty"`
	StatusNote        value.Text `json:"status_note,omitempty"`
}

// ImageText is the translation of the texts of an image.
type ImageText struct {
	AltText     value.Text `json:"alt_text,omitempty"`
	Description value.Text `json:"description,omitempty"`
}

// Organizer is the organization as shown with its events and venues.
type Organizer struct {
	UUID    string     `json:"uuid"`
	Name    string     `json:"name"`
	WebLink value.Text `json:"web_link"`

	// The contact for the public, of the organizer of an event only.
	ContactEmail value.Text `json:"contact_email,omitempty"`
	ContactPhone value.Text `json:"contact_phone,omitempty"`
}

// EventType is a type with one of its genres; GenreID 0 means no genre.
type EventType struct {
	TypeID  int `json:"type_id"`
	GenreID int `json:"genre_id"`
}

// EventLink is a link of an event; Type is a key of the lookup "link-types".
type EventLink struct {
	Type  string     `json:"type"`
	Label value.Text `json:"label"`
	URL   string     `json:"url"`
}

// Tariff is a price of an event or a date, or a range of prices. All of a list have one currency.
type Tariff struct {
	Name      string     `json:"name"`
	MinPrice  *float64   `json:"min_price"`
	MaxPrice  *float64   `json:"max_price"` // nil: MinPrice is the price
	Currency  string     `json:"currency"`
	Condition value.Text `json:"condition"`
}

// Image is the description of an image; the pixels are served elsewhere. Identifier is its place in
// the event: "main" or "gallery_1" to "gallery_7".
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

	AIGenerated bool `json:"ai_generated,omitempty"`
}

// Date is one date of an event. With its own VenueUUID it uses its own SpaceUUID or none; without,
// it takes the event's venue and space.
type Date struct {
	UUID              string     `json:"uuid"`
	Slug              string     `json:"slug"`
	StartDate         string     `json:"start_date"`
	StartTime         value.Text `json:"start_time"` // absent when all-day
	EndDate           value.Text `json:"end_date"`
	EndTime           value.Text `json:"end_time"`
	EntryTime         value.Text `json:"entry_time"`
	AllDay            bool       `json:"all_day"`
	VenueUUID         value.Text `json:"venue_uuid"`
	SpaceUUID         value.Text `json:"space_uuid"`
	ReleaseStatus     string     `json:"release_status"` // inherited, cancelled, deferred or rescheduled
	StatusNote        value.Text `json:"status_note"`
	TicketLink        value.Text `json:"ticket_link"`
	AccessibilityInfo value.Text `json:"accessibility_info"`
	// SeriesPartUUID refers into the parts of the Series of the event, where it is among them.
	SeriesPartUUID value.Text `json:"series_part_uuid,omitempty"`
	// Hours are the openings from StartDate to EndDate, or without end.
	Hours hours.Hours `json:"hours"`
	// Whether there are tickets, and what changed; times are local to the place.
	Availability    value.Text  `json:"availability,omitempty"` // a key of the lookup "availabilities"
	RemainingPlaces value.Count `json:"remaining_places,omitzero"`
	OnSaleFrom      value.Text  `json:"on_sale_from,omitempty"`
	OnSaleUntil     value.Text  `json:"on_sale_until,omitempty"`
	PreviousStart   value.Text  `json:"previous_start,omitempty"`
	StatusChangedAt value.Text  `json:"status_changed_at,omitempty"`
	// Tariffs are those of the date, in place of those of its event.
	Tariffs []Tariff `json:"tariffs,omitempty"`
}

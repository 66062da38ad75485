package publicapi

import (
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Event is a whole event as GET /api/event/{uuid} shows it, but for the names of types and
// genres, which the query service adds in the asked language. Absent text is "", an absent uuid,
// URL, number or mask is null, lists are never null.
type Event struct {
	UUID              string      `json:"uuid"`
	Title             string      `json:"title"`
	Subtitle          string      `json:"subtitle"`
	Summary           string      `json:"summary"`
	Description       string      `json:"description"`
	OrgUUID           string      `json:"org_uuid"`
	OrgName           string      `json:"org_name"`
	OrgWebLink        value.Text  `json:"org_web_link"`
	Categories        []int       `json:"categories"`
	EventTypes        []EventType `json:"event_types"`
	Languages         []string    `json:"languages"`
	Tags              []string    `json:"tags"`
	Labels            []string    `json:"labels"` // keys of the value set "labels"
	MinAge            *int        `json:"min_age"`
	MaxAge            *int        `json:"max_age"`
	PriceType         string      `json:"price_type"`
	MinPrice          *float64    `json:"min_price"`
	MaxPrice          *float64    `json:"max_price"`
	Currency          string      `json:"currency"`
	TicketFlags       []string    `json:"ticket_flags"`
	VisitorInfoFlags  *value.Mask `json:"visitor_info_flags"`
	ParticipationInfo string      `json:"participation_info"`
	MeetingPoint      string      `json:"meeting_point"`
	MaxAttendees      *int        `json:"max_attendees"`
	Occasion          int         `json:"occasion"`
	OnlineLink        value.Text  `json:"online_link"`
	SourceLink        value.Text  `json:"source_link"`
	SourceName        value.Text  `json:"source_name"` // of the source that keeps the event up to date
	Origin            value.Text  `json:"origin"`      // its address at the Litfass from which it first came
	ReleaseStatus     string      `json:"release_status"`
	StatusNote        string      `json:"status_note"` // why the event does not take place as planned
	EventLinks        []Link      `json:"event_links"`
	ImageUUID         value.Text  `json:"image_uuid"` // the one that lists show
	ImagePath         value.Text  `json:"image_path"`
	Images            []Image     `json:"images"`
	Place
	Dates           []Date          `json:"dates"`   // ordered by start, then uuid
	Series          []SeriesOfEvent `json:"series"`  // that the event belongs to, the most important first
	Tariffs         []Tariff        `json:"tariffs"` // min_price, max_price and currency are those of all of them
	StatusChangedAt value.Text      `json:"status_changed_at"`

	TextLanguage  string               `json:"text_language"`  // of the title; "" when it is not stated
	TextLanguages []string             `json:"text_languages"` // in which there are texts, that of the original first
	Texts         map[string]EventText `json:"texts"`          // translations by language
	Contributors  []Participant        `json:"contributors"`   // in the order of the event

	OrgContactEmail string `json:"org_contact_email"`
	OrgContactPhone string `json:"org_contact_phone"`

	VideoLink value.Text `json:"video_link"`
}

// Tariff is a price of an event or a date, or a range of prices, and for whom it is.
type Tariff struct {
	Name      string   `json:"name"`
	MinPrice  *float64 `json:"min_price"`
	MaxPrice  *float64 `json:"max_price"` // the same as MinPrice for one price
	Currency  string   `json:"currency"`
	Condition string   `json:"condition"`
}

// Place is the place of an event or of a date: a venue, and a space of it. All absent for an
// event without a venue.
type Place struct {
	VenueUUID                 value.Text  `json:"venue_uuid"`
	VenueName                 string      `json:"venue_name"`
	VenueStreet               string      `json:"venue_street"`
	VenueHouseNumber          string      `json:"venue_house_number"`
	VenuePostalCode           string      `json:"venue_postal_code"`
	VenueCity                 string      `json:"venue_city"`
	VenueState                string      `json:"venue_state"`
	VenueCountry              string      `json:"venue_country"`
	VenueLat                  *float64    `json:"venue_lat"`
	VenueLon                  *float64    `json:"venue_lon"`
	VenueTimezone             string      `json:"venue_timezone"`
	VenueWebLink              value.Text  `json:"venue_web_link"`
	VenueAccessibilityFlags   *value.Mask `json:"venue_accessibility_flags"`
	SpaceUUID                 value.Text  `json:"space_uuid"`
	SpaceName                 string      `json:"space_name"`
	SpaceType                 string      `json:"space_type"`
	SpaceBuildingLevel        *int        `json:"space_building_level"`
	SpaceTotalCapacity        *int        `json:"space_total_capacity"`
	SpaceSeatingCapacity      *int        `json:"space_seating_capacity"`
	SpaceWebLink              value.Text  `json:"space_web_link"`
	SpaceAccessibilityFlags   *value.Mask `json:"space_accessibility_flags"`
	SpaceAccessibilitySummary string      `json:"space_accessibility_summary"`

	VenueWikidataID value.Text `json:"venue_wikidata_id"`
	VenueOSMID      value.Text `json:"venue_osm_id"`
}

// Date is one date of Event, with its effective place and release status.
type Date struct {
	UUID              string     `json:"uuid"`
	Slug              string     `json:"slug"`
	StartDate         string     `json:"start_date"`
	StartTime         string     `json:"start_time"` // "00:00" when all-day
	EndDate           value.Text `json:"end_date"`
	EndTime           value.Text `json:"end_time"`
	EntryTime         value.Text `json:"entry_time"`
	AllDay            bool       `json:"all_day"`
	ReleaseStatus     string     `json:"release_status"`
	StatusNote        string     `json:"status_note"` // of the date, or inherited from the event
	TicketLink        value.Text `json:"ticket_link"`
	AccessibilityInfo string     `json:"accessibility_info"`
	Place
	SeriesPartUUID value.Text  `json:"series_part_uuid"` // among the parts of the series of the event
	Hours          hours.Hours `json:"hours"`            // without end_date the date has no end
	Tickets
	Moved

	Texts map[string]DateText `json:"texts"` // translations by language

	Prices // absent where those of the event apply
}

// Prices are tariffs in their order, and the price that follows from them.
type Prices struct {
	Tariffs   []Tariff `json:"tariffs,omitempty"`
	PriceType string   `json:"price_type,omitempty"`
	MinPrice  *float64 `json:"min_price,omitempty"`
	MaxPrice  *float64 `json:"max_price,omitempty"`
	Currency  string   `json:"currency,omitempty"`
}

// PricesOf returns the prices of a date: its own, or else those of the event.
func (e *Event) PricesOf(d Date) Prices {
	if len(d.Tariffs) > 0 {
		return d.Prices
	}
	return Prices{e.Tariffs, e.PriceType, e.MinPrice, e.MaxPrice, e.Currency}
}

// Link is a link of an event.
type Link struct {
	Type  string `json:"type"`
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Image is the description of an image of an event or a series; Path is its absolute URL.
type Image struct {
	UUID        string     `json:"uuid"`
	Identifier  string     `json:"identifier"`
	Path        string     `json:"path"`
	MimeType    string     `json:"mime_type"`
	Width       int        `json:"width"`
	Height      int        `json:"height"`
	AltText     string     `json:"alt_text"`
	Description string     `json:"description"`
	License     value.Text `json:"license"`
	CreatorName string     `json:"creator_name"`
	Copyright   string     `json:"copyright"`
	FocusX      *float64   `json:"focus_x"`
	FocusY      *float64   `json:"focus_y"`

	Texts map[string]ImageText `json:"texts"` // translations by language

	AIGenerated bool `json:"ai_generated"` // a model has made it
}

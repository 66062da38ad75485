package document

import (
	"encoding/json"

	"litfass/pkg/value"
)

// Record is one document of the indexes "organizations" and "lookups", and what those of "events",
// "regions" and "venues" have in common: the last change of one entity. Once the entity is gone its
// document stays, without a view, so that an older change cannot bring it back.
type Record[V any] struct {
	ID       string      `json:"id"` // primary key; EntityID of the change's id
	Revision int64       `json:"revision"`
	Gone     bool        `json:"gone"`
	View     *Encoded[V] `json:"view"` // what is shown; null when gone
	// Name and City are those of View, for organizations and venues: what choosable lists show.
	Name string `json:"name,omitempty"`
	City string `json:"city,omitempty"`
	// NameKey and NameEnd are TextKeys and TextEnd of the name, for organizations and venues.
	NameKey []string `json:"name_key,omitempty"`
	NameEnd string   `json:"name_end,omitempty"`
	// NameSort orders by name without regard to case, for organizations and venues.
	NameSort string `json:"name_sort,omitempty"`
}

// Event is one document of the index "events": a Record with what pictures are found and drawn by.
type Event struct {
	Record[EventView]
	Pictures []Picture `json:"pictures,omitempty"`
}

// Picture is what an image of an event is drawn by.
type Picture struct {
	UUID     string   `json:"uuid"`
	MimeType string   `json:"mime_type"`
	Width    int      `json:"width"`
	Height   int      `json:"height"`
	FocusX   *float64 `json:"focus_x"`
	FocusY   *float64 `json:"focus_y"`
}

// Region is one document of the index "regions": a Record with the region's area.
type Region struct {
	Record[RegionView]
	Geometry Encoded[json.RawMessage] `json:"geometry"` // a GeoJSON Polygon or MultiPolygon
}

// Venue is one document of the index "venues": a Record with what venues are filtered by.
type Venue struct {
	Record[VenueView]
	OrgUUID           string   `json:"org_uuid,omitempty"`
	CityKey           []string `json:"city_key,omitempty"`
	CityEnd           string   `json:"city_end,omitempty"`
	PostalKey         []string `json:"postal_key,omitempty"`
	PostalEnd         string   `json:"postal_end,omitempty"`
	Country           string   `json:"country,omitempty"`
	Lat               *float64 `json:"lat,omitempty"`
	Lon               *float64 `json:"lon,omitempty"`
	AccessibilityBits []int    `json:"accessibility_bits,omitempty"`
}

// EventView is a whole event as GET /api/event/{uuid} shows it, but for the names of types and
// genres, which the query service adds in the asked language. Absent text is "", an absent uuid,
// URL, number or mask is null, lists are never null.
type EventView struct {
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
	MinAge            *int        `json:"min_age"`
	MaxAge            *int        `json:"max_age"`
	PriceType         string      `json:"price_type"`
	MinPrice          *float64    `json:"min_price"`
	MaxPrice          *float64    `json:"max_price"`
	Currency          value.Text  `json:"currency"`
	TicketFlags       []string    `json:"ticket_flags"`
	VisitorInfoFlags  *value.Mask `json:"visitor_info_flags"`
	ParticipationInfo string      `json:"participation_info"`
	MeetingPoint      string      `json:"meeting_point"`
	MaxAttendees      *int        `json:"max_attendees"`
	Occasion          int         `json:"occasion"`
	OnlineLink        value.Text  `json:"online_link"`
	SourceLink        value.Text  `json:"source_link"`
	ReleaseStatus     string      `json:"release_status"`
	EventLinks        []EventLink `json:"event_links"`
	ImageUUID         value.Text  `json:"image_uuid"` // the one that lists show
	ImagePath         value.Text  `json:"image_path"`
	Images            []Image     `json:"images"`
	PlaceView
	Dates []DateView `json:"dates"` // ordered by start, then uuid
}

// PlaceView is the place of an event or of a date: a venue, and a space of it. All absent for an
// event without a venue.
type PlaceView struct {
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
}

// DateView is one date of EventView, with its effective place and release status.
type DateView struct {
	UUID              string     `json:"uuid"`
	Slug              string     `json:"slug"`
	StartDate         string     `json:"start_date"`
	StartTime         string     `json:"start_time"` // "00:00" when all-day
	EndDate           value.Text `json:"end_date"`
	EndTime           value.Text `json:"end_time"`
	EntryTime         value.Text `json:"entry_time"`
	AllDay            bool       `json:"all_day"`
	ReleaseStatus     string     `json:"release_status"`
	TicketLink        value.Text `json:"ticket_link"`
	AccessibilityInfo string     `json:"accessibility_info"`
	PlaceView
}

// EventLink is a link of an event.
type EventLink struct {
	Type  string `json:"type"`
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Image is the description of an image; Path is its absolute URL.
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
}

// VenueView is a venue as GET /api/venue/{uuid} and GET /api/venues show it.
type VenueView struct {
	UUID                 string      `json:"uuid"`
	OrgUUID              string      `json:"org_uuid"`
	OrgName              string      `json:"org_name"`
	Name                 string      `json:"name"`
	Summary              string      `json:"summary"`
	Description          string      `json:"description"`
	ContactEmail         string      `json:"contact_email"`
	ContactPhone         string      `json:"contact_phone"`
	WebLink              value.Text  `json:"web_link"`
	Street               string      `json:"street"`
	HouseNumber          string      `json:"house_number"`
	PostalCode           string      `json:"postal_code"`
	City                 string      `json:"city"`
	State                string      `json:"state"`
	Country              string      `json:"country"`
	Lat                  *float64    `json:"lat"`
	Lon                  *float64    `json:"lon"`
	Timezone             string      `json:"timezone"`
	OpenedAt             value.Text  `json:"opened_at"`
	ClosedAt             value.Text  `json:"closed_at"`
	OpeningHours         string      `json:"opening_hours"`
	TicketInfo           string      `json:"ticket_info"`
	TicketLink           value.Text  `json:"ticket_link"`
	AccessibilityFlags   *value.Mask `json:"accessibility_flags"`
	AccessibilitySummary string      `json:"accessibility_summary"`
	Spaces               []SpaceView `json:"spaces"`
}

// SpaceView is one space of VenueView.
type SpaceView struct {
	UUID                 string      `json:"uuid"`
	Name                 string      `json:"name"`
	Description          string      `json:"description"`
	SpaceType            string      `json:"space_type"`
	BuildingLevel        *int        `json:"building_level"`
	TotalCapacity        *int        `json:"total_capacity"`
	SeatingCapacity      *int        `json:"seating_capacity"`
	WebLink              value.Text  `json:"web_link"`
	AccessibilityFlags   *value.Mask `json:"accessibility_flags"`
	AccessibilitySummary string      `json:"accessibility_summary"`
}

// OrganizationView is an organization as GET /api/organization/{uuid} shows it.
type OrganizationView struct {
	UUID            string     `json:"uuid"`
	Name            string     `json:"name"`
	Description     string     `json:"description"`
	LegalForm       value.Text `json:"legal_form"`
	Nonprofit       *bool      `json:"nonprofit"`
	HoldingOrgUUID  value.Text `json:"holding_org_uuid"`
	ContactEmail    string     `json:"contact_email"`
	ContactPhone    string     `json:"contact_phone"`
	WebLink         value.Text `json:"web_link"`
	Street          string     `json:"street"`
	HouseNumber     string     `json:"house_number"`
	AddressAddition string     `json:"address_addition"`
	PostalCode      string     `json:"postal_code"`
	City            string     `json:"city"`
	State           string     `json:"state"`
	Country         string     `json:"country"`
	Lat             *float64   `json:"lat"`
	Lon             *float64   `json:"lon"`
}

// RegionView is a region without its area.
type RegionView struct {
	CountrySlug string `json:"country_slug"`
	CountryName string `json:"country_name"`
	StateSlug   string `json:"state_slug"`
	StateName   string `json:"state_name"`
	RegionSlug  string `json:"region_slug"`
	Name        string `json:"name"`
}

// LookupView is a value set with the names of its items by language, in the order in which they are
// shown.
type LookupView struct {
	Name    string       `json:"name"`
	Integer bool         `json:"integer"`
	Items   []LookupItem `json:"items"`
}

// LookupItem is one value; Group is the id it belongs to in another lookup.
type LookupItem struct {
	ID    string            `json:"id"`
	Group string            `json:"group"`
	Names map[string]string `json:"names"`
	Extra map[string]string `json:"extra"`
}

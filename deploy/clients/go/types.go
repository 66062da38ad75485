package litfass

// The types of answers. A text, an address or a uuid that is absent is "", an absent number nil.
// Masks of 64 bits are decimal texts.

// Complete is the part of an answer that holds its position.
type Complete struct {
	// Position is that up to which the answer is complete, for At; "" while it is not known.
	Position string `json:"-"`
}

func (c *Complete) setPosition(position string) { c.Position = position }

// EventsFound is a page of a search.
type EventsFound struct {
	Complete
	Events            []Date  `json:"events"`
	LastEventDateUUID string  `json:"last_event_date_uuid"` // where the next page begins
	LastEventStartAt  string  `json:"last_event_start_at"`
	Total             *int    `json:"total_event_count"` // with Search.Total
	Hints             *Hints  `json:"hints"`             // of a first page without entries
	Facets            *Facets `json:"facets"`            // with Search.Facets
}

// Hints are what may help after a search that found nothing.
type Hints struct {
	Without []Relaxed `json:"without"`
	Search  string    `json:"search"` // another spelling
}

// Relaxed is how much would be found without a filter.
type Relaxed struct {
	Parameters []string `json:"parameters"`
	Count      int      `json:"count"`
}

// Facets are counts by the values of dimensions.
type Facets struct {
	Complete
	Total  int                `json:"total"`
	Facets map[string][]Facet `json:"facets"` // by dimension
}

// Facet is a value with its count.
type Facet struct {
	Value string `json:"value"`
	Name  string `json:"name"` // of an id or a code that has one
	Count int    `json:"count"`
}

// Date is an entry of a search: one date of an event.
type Date struct {
	SearchRank              int          `json:"search_rank"` // 0 in the change feed
	DateCount               int          `json:"date_count"`  // of the event, with the group "event"
	UUID                    string       `json:"uuid"`        // of the event
	DateUUID                string       `json:"date_uuid"`
	DateSlug                string       `json:"date_slug"`
	Title                   string       `json:"title"`
	Subtitle                string       `json:"subtitle"`
	Summary                 string       `json:"summary"` // Markdown without HTML
	StartDate               string       `json:"start_date"`
	StartTime               string       `json:"start_time"`
	AllDay                  bool         `json:"all_day"`
	SpaceUUID               string       `json:"space_uuid"`
	SpaceName               string       `json:"space_name"`
	SpaceAccessibilityFlags string       `json:"space_accessibility_flags"`
	VenueUUID               string       `json:"venue_uuid"`
	VenueName               string       `json:"venue_name"`
	VenueCity               string       `json:"venue_city"`
	VenueStreet             string       `json:"venue_street"`
	VenueHouseNumber        string       `json:"venue_house_number"`
	VenuePostalCode         string       `json:"venue_postal_code"`
	VenueState              string       `json:"venue_state"`
	VenueCountry            string       `json:"venue_country"`
	VenueLat                *float64     `json:"venue_lat"`
	VenueLon                *float64     `json:"venue_lon"`
	ImageUUID               string       `json:"image_uuid"`
	ImagePath               string       `json:"image_path"`
	OrgUUID                 string       `json:"org_uuid"`
	OrgName                 string       `json:"org_name"`
	Categories              []int        `json:"categories"`
	EventTypes              []TypeOfDate `json:"event_types"`
	Languages               []string     `json:"languages"`
	Tags                    []string     `json:"tags"`
	Labels                  []string     `json:"labels"` // keys
	MinAge                  *int         `json:"min_age"`
	MaxAge                  *int         `json:"max_age"`
	PriceType               string       `json:"price_type"`
	VisitorInfoFlags        string       `json:"visitor_info_flags"`
	ReleaseStatus           string       `json:"release_status"`
	EndDate                 string       `json:"end_date"`
	EndTime                 string       `json:"end_time"`
	VenueAccessibilityFlags string       `json:"venue_accessibility_flags"`
	MinPrice                *float64     `json:"min_price"`
	MaxPrice                *float64     `json:"max_price"`
	Currency                string       `json:"currency"`
	VenueTimezone           string       `json:"venue_timezone"` // of the times
	OnlineLink              string       `json:"online_link"`
	PageURL                 string       `json:"page_url"`
	ImageAltText            string       `json:"image_alt_text"`
	ImageLicense            string       `json:"image_license"`
	ImageCreator            string       `json:"image_creator"`
	ImageAIGenerated        bool         `json:"image_ai_generated"` // a model has made it
	StatusNote              string       `json:"status_note"`
	SeriesUUIDs             []string     `json:"series_uuids"`     // the most important first; nil for none
	SeriesPartUUID          string       `json:"series_part_uuid"` // of a stage or a day of one of them
	Hours                   *Hours       `json:"hours"`            // the date is a period with these openings; nil: it is none
	Tickets
	Moved

	TextLanguage  string               `json:"text_language"`  // of the title; "" when it is not stated
	TextLanguages []string             `json:"text_languages"` // that of the original first
	Texts         map[string]EntryText `json:"texts"`          // translations by language
}

// Tickets are whether there are tickets for a date, and when they are sold. Times are local to its
// place, such as 2026-11-20T10:00.
type Tickets struct {
	Availability    string `json:"availability"` // a key of /api/choosable-availabilities; "" where it is not stated
	RemainingPlaces *int   `json:"remaining_places"`
	OnSaleFrom      string `json:"on_sale_from"`
	OnSaleUntil     string `json:"on_sale_until"`
}

// Moved is what changed about a date: its former start, local to its place, and the time of change.
type Moved struct {
	PreviousStart   string `json:"previous_start"`
	StatusChangedAt string `json:"status_changed_at"`
}

// EntryText are the texts of a date in another language. An absent one is that of the original.
type EntryText struct {
	Title        string `json:"title"`
	Subtitle     string `json:"subtitle"`
	Summary      string `json:"summary"` // Markdown without HTML
	ImageAltText string `json:"image_alt_text"`
	StatusNote   string `json:"status_note"`
}

// EventText are the texts of an event in another language. An absent one is that of the original.
type EventText struct {
	Title             string `json:"title"`
	Subtitle          string `json:"subtitle"`
	Summary           string `json:"summary"`     // Markdown without HTML
	Description       string `json:"description"` // Markdown without HTML
	ParticipationInfo string `json:"participation_info"`
	MeetingPoint      string `json:"meeting_point"`
	StatusNote        string `json:"status_note"`
}

// ImageText are the texts of an image in another language. An absent one is that of the original.
type ImageText struct {
	AltText     string `json:"alt_text"`
	Description string `json:"description"`
}

// DateText are the texts of a date of an Event in another language.
type DateText struct {
	StatusNote        string `json:"status_note"`
	AccessibilityInfo string `json:"accessibility_info"`
}

// TypeOfDate is a type of an event, with a genre of it or 0.
type TypeOfDate struct {
	TypeID  int `json:"type_id"`
	GenreID int `json:"genre_id"`
}

// Event is a whole event.
type Event struct {
	Complete
	Place
	UUID              string          `json:"uuid"`
	Title             string          `json:"title"`
	Subtitle          string          `json:"subtitle"`
	Summary           string          `json:"summary"`     // Markdown without HTML
	Description       string          `json:"description"` // Markdown without HTML
	OrgUUID           string          `json:"org_uuid"`
	OrgName           string          `json:"org_name"`
	OrgWebLink        string          `json:"org_web_link"`
	Categories        []int           `json:"categories"`
	EventTypes        []NamedType     `json:"event_types"`
	Languages         []string        `json:"languages"`
	Tags              []string        `json:"tags"`
	Labels            []string        `json:"labels"` // keys
	MinAge            *int            `json:"min_age"`
	MaxAge            *int            `json:"max_age"`
	PriceType         string          `json:"price_type"`
	MinPrice          *float64        `json:"min_price"`
	MaxPrice          *float64        `json:"max_price"`
	Currency          string          `json:"currency"`
	TicketFlags       []string        `json:"ticket_flags"`
	VisitorInfoFlags  string          `json:"visitor_info_flags"`
	ParticipationInfo string          `json:"participation_info"`
	MeetingPoint      string          `json:"meeting_point"`
	MaxAttendees      *int            `json:"max_attendees"`
	Occasion          int             `json:"occasion"`
	OnlineLink        string          `json:"online_link"`
	SourceLink        string          `json:"source_link"`
	SourceName        string          `json:"source_name"`
	Origin            string          `json:"origin"` // the address where the event is edited, at another Litfass
	ReleaseStatus     string          `json:"release_status"`
	StatusNote        string          `json:"status_note"`
	EventLinks        []EventLink     `json:"event_links"`
	ImageUUID         string          `json:"image_uuid"`
	ImagePath         string          `json:"image_path"`
	Images            []Image         `json:"images"`
	Dates             []EventDate     `json:"dates"`  // by start
	Series            []SeriesOfEvent `json:"series"` // that the event belongs to, the most important first
	Tariffs           []Tariff        `json:"tariffs"`
	StatusChangedAt   string          `json:"status_changed_at"`

	TextLanguage  string               `json:"text_language"`  // of the title; "" when it is not stated
	TextLanguages []string             `json:"text_languages"` // that of the original first
	Texts         map[string]EventText `json:"texts"`          // translations by language
	Contributors  []Participant        `json:"contributors"`   // in the order of the event

	OrgContactEmail string `json:"org_contact_email"`
	OrgContactPhone string `json:"org_contact_phone"`

	VideoLink string `json:"video_link"`
}

// SeriesOfEvent is a series of an Event, such as a festival.
type SeriesOfEvent struct {
	UUID      string       `json:"uuid"`
	Slug      string       `json:"slug"`
	Title     string       `json:"title"`
	StartDate string       `json:"start_date"` // of its own
	EndDate   string       `json:"end_date"`
	Parts     []SeriesPart `json:"parts"` // in which dates of the event take place

	TextLanguage string                 `json:"text_language"` // of the title; "" when it is not stated
	Texts        map[string]SeriesTitle `json:"texts"`         // translations by language
}

// SeriesTitle is the text of a SeriesOfEvent in another language.
type SeriesTitle struct {
	Title string `json:"title"`
}

// SeriesPart is a part of a series: a stage, a day or another one, by its kind.
type SeriesPart struct {
	UUID  string `json:"uuid"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
}

// Tariff is a price of an event or a date, or a range of prices, and for whom it is.
type Tariff struct {
	Name      string   `json:"name"`
	MinPrice  *float64 `json:"min_price"`
	MaxPrice  *float64 `json:"max_price"`
	Currency  string   `json:"currency"`
	Condition string   `json:"condition"`
}

// EventDate is a date of an Event, at its own place.
type EventDate struct {
	Place
	UUID              string `json:"uuid"`
	Slug              string `json:"slug"`
	StartDate         string `json:"start_date"`
	StartTime         string `json:"start_time"`
	EndDate           string `json:"end_date"`
	EndTime           string `json:"end_time"`
	EntryTime         string `json:"entry_time"`
	AllDay            bool   `json:"all_day"`
	ReleaseStatus     string `json:"release_status"`
	StatusNote        string `json:"status_note"`
	TicketLink        string `json:"ticket_link"`
	AccessibilityInfo string `json:"accessibility_info"`
	SeriesPartUUID    string `json:"series_part_uuid"` // among the parts of the series of the event
	Hours             *Hours `json:"hours"`            // the date is a period with these openings; nil: it is none
	Tickets
	Moved

	Texts map[string]DateText `json:"texts"` // translations by language

	// The tariffs of the date, in place of those of the event, and the price that follows from them;
	// without any, the prices of the event apply.
	Tariffs   []Tariff `json:"tariffs"`
	PriceType string   `json:"price_type"`
	MinPrice  *float64 `json:"min_price"`
	MaxPrice  *float64 `json:"max_price"`
	Currency  string   `json:"currency"`
}

// Hours are opening hours in the local time of the place. An opening whose end is not after its
// start ends on the next day. A special day beats a closed one, and both beat the week.
type Hours struct {
	Weekly  []WeeklyHours  `json:"weekly"`
	Closed  []ClosedDays   `json:"closed"`
	Special []SpecialHours `json:"special"`
}

// WeeklyHours are an opening on a day of every week.
type WeeklyHours struct {
	Day  string `json:"day"` // mon to sun
	From string `json:"from"`
	To   string `json:"to"`
}

// ClosedDays are days, both included, without their weekly hours.
type ClosedDays struct {
	From string `json:"from"`
	To   string `json:"to"`
	Note string `json:"note"`
}

// SpecialHours are an opening on a single day.
type SpecialHours struct {
	Date string `json:"date"`
	From string `json:"from"`
	To   string `json:"to"`
	Note string `json:"note"`
}

// Place is a venue, and a space of it, as events and their dates show it.
type Place struct {
	VenueUUID                 string   `json:"venue_uuid"`
	VenueName                 string   `json:"venue_name"`
	VenueStreet               string   `json:"venue_street"`
	VenueHouseNumber          string   `json:"venue_house_number"`
	VenuePostalCode           string   `json:"venue_postal_code"`
	VenueCity                 string   `json:"venue_city"`
	VenueState                string   `json:"venue_state"`
	VenueCountry              string   `json:"venue_country"`
	VenueLat                  *float64 `json:"venue_lat"`
	VenueLon                  *float64 `json:"venue_lon"`
	VenueTimezone             string   `json:"venue_timezone"`
	VenueWebLink              string   `json:"venue_web_link"`
	VenueAccessibilityFlags   string   `json:"venue_accessibility_flags"`
	SpaceUUID                 string   `json:"space_uuid"`
	SpaceName                 string   `json:"space_name"`
	SpaceType                 string   `json:"space_type"`
	SpaceBuildingLevel        *int     `json:"space_building_level"`
	SpaceTotalCapacity        *int     `json:"space_total_capacity"`
	SpaceSeatingCapacity      *int     `json:"space_seating_capacity"`
	SpaceWebLink              string   `json:"space_web_link"`
	SpaceAccessibilityFlags   string   `json:"space_accessibility_flags"`
	SpaceAccessibilitySummary string   `json:"space_accessibility_summary"`

	VenueWikidataID string `json:"venue_wikidata_id"`
	VenueOSMID      string `json:"venue_osm_id"` // of OpenStreetMap, such as way/123
}

// Participant is a contributor of an event in a role.
type Participant struct {
	UUID     string `json:"uuid"`
	Role     string `json:"role"` // a key of the choosable contributor-roles
	Type     string `json:"type"` // person or group
	Name     string `json:"name"`
	Note     string `json:"note"` // distinguishes it from others of the same name
	WebLink  string `json:"web_link"`
	Wikidata string `json:"wikidata"` // "Q" and a number
}

// NamedType is a type of an event, and a genre of it, with their names.
type NamedType struct {
	TypeID    int    `json:"type_id"`
	TypeName  string `json:"type_name"`
	GenreID   int    `json:"genre_id"`
	GenreName string `json:"genre_name"`
}

// EventLink is a link of an event.
type EventLink struct {
	Type  string `json:"type"`
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Image describes an image of an event.
type Image struct {
	UUID        string   `json:"uuid"`
	Identifier  string   `json:"identifier"`
	Path        string   `json:"path"` // its address
	MimeType    string   `json:"mime_type"`
	Width       int      `json:"width"`
	Height      int      `json:"height"`
	AltText     string   `json:"alt_text"`
	Description string   `json:"description"`
	License     string   `json:"license"`
	CreatorName string   `json:"creator_name"`
	Copyright   string   `json:"copyright"`
	FocusX      *float64 `json:"focus_x"`
	FocusY      *float64 `json:"focus_y"`

	Texts map[string]ImageText `json:"texts"` // translations by language

	AIGenerated bool `json:"ai_generated"` // a model has made it
}

package litfass

// VenuesFound is a page of venues.
type VenuesFound struct {
	Complete
	Venues []Venue `json:"venues"`
	Total  int     `json:"total"` // on all pages
}

// Venue is a venue with its spaces.
type Venue struct {
	Complete
	UUID                 string   `json:"uuid"`
	OrgUUID              string   `json:"org_uuid"`
	OrgName              string   `json:"org_name"`
	Name                 string   `json:"name"`
	Summary              string   `json:"summary"`
	Description          string   `json:"description"`
	ContactEmail         string   `json:"contact_email"`
	ContactPhone         string   `json:"contact_phone"`
	WebLink              string   `json:"web_link"`
	Street               string   `json:"street"`
	HouseNumber          string   `json:"house_number"`
	PostalCode           string   `json:"postal_code"`
	City                 string   `json:"city"`
	State                string   `json:"state"`
	Country              string   `json:"country"`
	Lat                  *float64 `json:"lat"`
	Lon                  *float64 `json:"lon"`
	Timezone             string   `json:"timezone"`
	OpenedAt             string   `json:"opened_at"`
	ClosedAt             string   `json:"closed_at"`
	OpeningHours         string   `json:"opening_hours"`
	TicketInfo           string   `json:"ticket_info"`
	TicketLink           string   `json:"ticket_link"`
	AccessibilityFlags   string   `json:"accessibility_flags"`
	AccessibilitySummary string   `json:"accessibility_summary"`
	Spaces               []Space  `json:"spaces"`
	Hours                *Hours   `json:"hours"`

	WikidataID string `json:"wikidata_id"`
	OSMID      string `json:"osm_id"` // of OpenStreetMap, such as way/123
}

// Space is a room of a venue.
type Space struct {
	UUID                 string `json:"uuid"`
	Name                 string `json:"name"`
	Description          string `json:"description"`
	SpaceType            string `json:"space_type"`
	BuildingLevel        *int   `json:"building_level"`
	TotalCapacity        *int   `json:"total_capacity"`
	SeatingCapacity      *int   `json:"seating_capacity"`
	WebLink              string `json:"web_link"`
	AccessibilityFlags   string `json:"accessibility_flags"`
	AccessibilitySummary string `json:"accessibility_summary"`
}

// ContributorsFound is a page of contributors.
type ContributorsFound struct {
	Complete
	Contributors []Contributor `json:"contributors"`
	Total        int           `json:"total"` // on all pages
}

// Contributor is a person or group that takes part in events.
type Contributor struct {
	Complete
	UUID        string `json:"uuid"`
	Type        string `json:"type"` // person or group
	Name        string `json:"name"`
	Note        string `json:"note"` // distinguishes it from others of the same name
	Description string `json:"description"`
	WebLink     string `json:"web_link"`
	Wikidata    string `json:"wikidata"` // "Q" and a number
}

// SeriesFound is a page of series.
type SeriesFound struct {
	Complete
	Series     []Series `json:"series"`
	TotalCount int      `json:"total_count"` // on all pages
	NextCursor string   `json:"next_cursor"` // "" on the last page
}

// Series is a festival, a run or a programme, to which events of several organizations may belong.
type Series struct {
	Complete
	UUID        string            `json:"uuid"`
	Slug        string            `json:"slug"`
	OrgUUID     string            `json:"org_uuid"` // the organization that runs it
	OrgName     string            `json:"org_name"`
	OrgWebLink  string            `json:"org_web_link"`
	Title       string            `json:"title"`
	Subtitle    string            `json:"subtitle"`
	Description string            `json:"description"` // Markdown
	WebLink     string            `json:"web_link"`
	StartDate   string            `json:"start_date"` // its own, or else that of its first date
	EndDate     string            `json:"end_date"`
	Parts       []PartDescription `json:"parts"` // in the order of its editor
	DateCount   int               `json:"date_count"`
	Image       *Image            `json:"image"` // nil without one

	TextLanguage  string                `json:"text_language"`  // of the title; "" when it is not stated
	TextLanguages []string              `json:"text_languages"` // that of the original first
	Texts         map[string]SeriesText `json:"texts"`          // translations by language
}

// SeriesText are the texts of a Series in another language; an absent one is that of the original.
type SeriesText struct {
	Title       string `json:"title"`
	Subtitle    string `json:"subtitle"`
	Description string `json:"description"`
}

// PartDescription is a part of a series with its text.
type PartDescription struct {
	SeriesPart
	Description string `json:"description"` // Markdown
}

// OrganizationsFound is a page of organizations.
type OrganizationsFound struct {
	Complete
	Organizations []Organization `json:"organizations"`
	Total         int            `json:"total"` // on all pages
}

// Organization is an organization.
type Organization struct {
	Complete
	UUID            string   `json:"uuid"`
	Name            string   `json:"name"`
	Description     string   `json:"description"`
	LegalForm       string   `json:"legal_form"`
	Nonprofit       *bool    `json:"nonprofit"`
	HoldingOrgUUID  string   `json:"holding_org_uuid"`
	ContactEmail    string   `json:"contact_email"`
	ContactPhone    string   `json:"contact_phone"`
	WebLink         string   `json:"web_link"`
	Street          string   `json:"street"`
	HouseNumber     string   `json:"house_number"`
	AddressAddition string   `json:"address_addition"`
	PostalCode      string   `json:"postal_code"`
	City            string   `json:"city"`
	State           string   `json:"state"`
	Country         string   `json:"country"`
	Lat             *float64 `json:"lat"`
	Lon             *float64 `json:"lon"`
}

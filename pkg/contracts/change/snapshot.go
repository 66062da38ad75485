package change

import (
	"encoding/json"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Dates are "YYYY-MM-DD" and times "HH:MM" in the local time of the place, never converted. Uuids
// are lower-case UUIDv7. Countries are ISO 3166-1 alpha-3, currencies ISO 4217, both upper case;
// languages are lower-case ISO 639-1 codes.

// ChangedAt is the time of the last change of the public state, RFC 3339 in UTC with whole seconds;
// absent in changes of older versions. It is the lastmod of sitemaps and the time of change in
// feeds, and not part of the state: two snapshots that differ only in it are equal.

// VenueOfEvent is a venue as shown with the dates of an event.
type VenueOfEvent struct {
	UUID               string      `json:"uuid"`
	Name               string      `json:"name"`
	Street             value.Text  `json:"street"`
	HouseNumber        value.Text  `json:"house_number"`
	PostalCode         value.Text  `json:"postal_code"`
	City               value.Text  `json:"city"`
	State              value.Text  `json:"state"`
	Country            value.Text  `json:"country"`
	Lat                *float64    `json:"lat"`
	Lon                *float64    `json:"lon"`
	Timezone           value.Text  `json:"timezone"`
	WebLink            value.Text  `json:"web_link"`
	AccessibilityFlags *value.Mask `json:"accessibility_flags"`

	WikidataID value.Text `json:"wikidata_id,omitempty"`
	OSMID      value.Text `json:"osm_id,omitempty"` // of OpenStreetMap, such as way/123
}

// Venue is the public state of a venue with its spaces.
type Venue struct {
	VenueOfEvent
	Organization         Organizer  `json:"organization"`
	Summary              value.Text `json:"summary"`
	Description          value.Text `json:"description"`
	ContactEmail         value.Text `json:"contact_email"`
	ContactPhone         value.Text `json:"contact_phone"`
	OpenedAt             value.Text `json:"opened_at"` // date
	ClosedAt             value.Text `json:"closed_at"` // date
	OpeningHours         value.Text `json:"opening_hours"`
	TicketInfo           value.Text `json:"ticket_info"`
	TicketLink           value.Text `json:"ticket_link"`
	AccessibilitySummary value.Text `json:"accessibility_summary"`
	Spaces               []Space    `json:"spaces"`
	ChangedAt            value.Text `json:"changed_at"` // also of its spaces

	Hours hours.Hours `json:"hours"`
}

// Space is a room or place of a venue; SpaceType is a key of the lookup "space-types".
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

// Organization is the public state of an organization.
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
	ChangedAt       value.Text `json:"changed_at"`
}

// Contributor is the public state of a person or group that takes part in events.
type Contributor struct {
	UUID        string     `json:"uuid"`
	Type        string     `json:"type"` // person or group
	Name        string     `json:"name"`
	Note        value.Text `json:"note"` // distinguishes it from others of the same name
	Description value.Text `json:"description"`
	WebLink     value.Text `json:"web_link"`
	Wikidata    value.Text `json:"wikidata"`     // "Q" and a number
	FormerUUIDs []string   `json:"former_uuids"` // of contributors that were merged into it
	ChangedAt   value.Text `json:"changed_at"`
}

// Participant is a contributor as shown with an event; Role is a key of the lookup
// "contributor-roles". It may occur again in another role.
type Participant struct {
	UUID        string     `json:"uuid"`
	Role        string     `json:"role"`
	Type        string     `json:"type"`
	Name        string     `json:"name"`
	Note        value.Text `json:"note"`
	WebLink     value.Text `json:"web_link"`
	Wikidata    value.Text `json:"wikidata"`
	FormerUUIDs []string   `json:"former_uuids,omitempty"` // by which searches find it, too
}

// Region is a named area; a venue is in it when its point lies in Geometry (a GeoJSON Polygon or
// MultiPolygon, lon lat).
type Region struct {
	CountrySlug string          `json:"country_slug"`
	StateSlug   string          `json:"state_slug"`
	RegionSlug  string          `json:"region_slug"`
	CountryName string          `json:"country_name"`
	StateName   string          `json:"state_name"`
	Name        string          `json:"name"`
	Geometry    json.RawMessage `json:"geometry"`
	ChangedAt   value.Text      `json:"changed_at"`
}

// ID returns the region's id as a change: the three slugs joined by dots.
func (r Region) ID() string { return r.CountrySlug + "." + r.StateSlug + "." + r.RegionSlug }

// Portal is a named part of the public catalogue.
type Portal struct {
	UUID      string          `json:"uuid"`
	OrgUUID   value.Text      `json:"org_uuid"` // null: the operator's
	Slug      string          `json:"slug"`
	Name      string          `json:"name"`
	Titles    []PortalTitle   `json:"titles"`
	Languages []string        `json:"languages"` // the default first; none: all
	Look      PortalLook      `json:"look"`
	Filter    json.RawMessage `json:"filter"`  // parameters of the search, as the body of a POST
	Include   PortalSelection `json:"include"` // beyond the filter
	Exclude   PortalSelection `json:"exclude"` // in any case
	ChangedAt value.Text      `json:"changed_at"`
}

// PortalTitle is the title of a portal in a language.
type PortalTitle struct {
	Language string `json:"language"`
	Title    string `json:"title"`
}

// PortalLook are the colours of a portal, as #rrggbb, on light and on dark ground.
type PortalLook struct {
	Accent     value.Text `json:"accent"`
	AccentDark value.Text `json:"accent_dark"`
}

// PortalSelection are organizations, venues and events, all dates of which are meant.
type PortalSelection struct {
	OrgUUIDs   []string `json:"org_uuids"`
	VenueUUIDs []string `json:"venue_uuids"`
	EventUUIDs []string `json:"event_uuids"`
}

// List is a selection of events in the order of its editor.
type List struct {
	UUID        string      `json:"uuid"`
	OrgUUID     value.Text  `json:"org_uuid"` // null: the operator's
	Slug        string      `json:"slug"`
	Name        string      `json:"name"`
	Description value.Text  `json:"description"`
	Titles      []ListTitle `json:"titles"`
	Entries     []ListEntry `json:"entries"` // in order, also of events that are not public
	ChangedAt   value.Text  `json:"changed_at"`
}

// ListTitle is the title of a list in a language, with a description.
type ListTitle struct {
	Language    string     `json:"language"`
	Title       string     `json:"title"`
	Description value.Text `json:"description"`
}

// ListEntry is an event, or one date of it, with a note of the editor.
type ListEntry struct {
	EventUUID string     `json:"event_uuid"`
	DateUUID  value.Text `json:"date_uuid"` // null: all dates of the event
	Note      value.Text `json:"note"`
}

// SeriesOfEvent is a series as shown with its events.
type SeriesOfEvent struct {
	UUID      string         `json:"uuid"`
	Slug      string         `json:"slug"`
	Title     string         `json:"title"`
	StartDate value.Text     `json:"start_date"`
	EndDate   value.Text     `json:"end_date"`
	Parts     []PartOfSeries `json:"parts"` // that dates of the event name

	TextLanguage value.Text            `json:"text_language,omitempty"` // of Title; absent: not stated
	Texts        map[string]SeriesText `json:"texts,omitempty"`         // translations of it, by language
}

// PartOfSeries is a stage or a day of a series.
type PartOfSeries struct {
	UUID        string     `json:"uuid"`
	Kind        string     `json:"kind"` // stage, day or other
	Title       string     `json:"title"`
	Description value.Text `json:"description,omitempty"` // with the series
}

// Series is a festival, a run or a programme to which events belong.
type Series struct {
	UUID         string         `json:"uuid"`
	Organization Organizer      `json:"organization"`
	Slug         string         `json:"slug"`
	Title        string         `json:"title"`
	Subtitle     value.Text     `json:"subtitle"`
	Description  value.Text     `json:"description"`
	WebLink      value.Text     `json:"web_link"`
	StartDate    value.Text     `json:"start_date"` // null: that of its first date
	EndDate      value.Text     `json:"end_date"`
	Parts        []PartOfSeries `json:"parts"` // in order
	ChangedAt    value.Text     `json:"changed_at"`
	Image        *Image         `json:"image,omitempty"` // the main one

	TextLanguage value.Text            `json:"text_language,omitempty"` // of the texts but those of parts
	Texts        map[string]SeriesText `json:"texts,omitempty"`         // translations of them, by language
}

// SeriesText is a translation of the texts of a series: an absent text is that of the original.
type SeriesText struct {
	Title       value.Text           `json:"title,omitempty"`
	Subtitle    value.Text           `json:"subtitle,omitempty"`
	Description value.Text           `json:"description,omitempty"`
	Images      map[string]ImageText `json:"images,omitempty"` // by the uuid of the image
}

// Lookup is a value set with the names of its items by language.
type Lookup struct {
	Name    string `json:"name"`
	Integer bool   `json:"integer"` // the items' ids are written as JSON integers
	// Items stand in the order in which they are shown.
	Items []LookupItem `json:"items"`
}

// LookupItem is one value of a value set. Group is the id it belongs to in another lookup: the type
// of a genre, the country of a state, the topic of a flag. Names are by language code; "en" is
// always there.
type LookupItem struct {
	ID    string            `json:"id"`
	Group string            `json:"group,omitempty"`
	Names map[string]string `json:"names"`
	Extra map[string]string `json:"extra,omitempty"` // e.g. spdx and url of a licence, key of a flag
}

// The names of the lookups.
const (
	LookupLanguages          = "languages"
	LookupCountries          = "countries"
	LookupStates             = "states" // Group: country; ID: "DEU-SH"; Extra code: "SH"
	LookupCurrencies         = "currencies"
	LookupEventTypes         = "event-types"
	LookupEventGenres        = "event-genres" // Group: event type
	LookupSpaceTypes         = "space-types"
	LookupPriceTypes         = "price-types"
	LookupAvailabilities     = "availabilities"
	LookupLicenses           = "licenses" // Extra: spdx, url
	LookupLegalForms         = "legal-forms"
	LookupLinkTypes          = "link-types"
	LookupContributorRoles   = "contributor-roles"
	LookupReleaseStatuses    = "release-statuses"
	LookupEventOccasions     = "event-occasions"
	LookupCategories         = "categories"
	LookupLabels             = "labels"              // of the operator, not of the program
	LookupAccessibilityFlags = "accessibility-flags" // Group: topic; ID: the bit; Extra key
	LookupAccessibilityTopic = "accessibility-topics"
	LookupVisitorInfoFlags   = "visitor-info-flags" // Group: topic; ID: the bit; Extra key
	LookupVisitorInfoTopic   = "visitor-info-topics"
)

package adminapi

import (
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Venue is a venue with everything that can be written.
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
	State                value.Text  `json:"state"`   // abbreviation
	Country              value.Text  `json:"country"` // ISO 3166-1 alpha-3
	Lat                  *float64    `json:"lat"`
	Lon                  *float64    `json:"lon"`
	Timezone             value.Text  `json:"timezone"` // IANA name
	OpenedAt             value.Text  `json:"opened_at"`
	ClosedAt             value.Text  `json:"closed_at"`
	OpeningHours         value.Text  `json:"opening_hours"`
	TicketInfo           value.Text  `json:"ticket_info"`
	TicketLink           value.Text  `json:"ticket_link"`
	AccessibilityFlags   *value.Mask `json:"accessibility_flags"`
	AccessibilitySummary value.Text  `json:"accessibility_summary"`
	Use                  string      `json:"use"` // one of VenueUses

	Hours hours.Hours `json:"hours"` // OpeningHours are words

	WikidataID value.Text `json:"wikidata_id"` // Q64
	OSMID      value.Text `json:"osm_id"`      // of OpenStreetMap: way/123, node/ or relation/
}

// The uses of a venue by events of other organizations (RULES.md, Dates and places).
const (
	VenueOpen   = "open"
	VenueAsk    = "ask"    // the owner accepts each event, or an organization, first
	VenueClosed = "closed" // to all but members with ChooseVenue
)

// VenueUses are all uses, the default first.
var VenueUses = []string{VenueOpen, VenueAsk, VenueClosed}

// WrittenVenue is the answer to adding or changing a venue.
type WrittenVenue struct {
	Done
	Venue
	Warned
}

// SimilarVenues are venues that may be the one that is about to be added: the nearest first, then
// those whose distance is not known.
type SimilarVenues struct {
	Venues []SimilarVenue `json:"venues"`
}

// SimilarVenue is a venue with a similar name, near the point or at the address of the request.
type SimilarVenue struct {
	UUID        string     `json:"uuid"`
	Name        string     `json:"name"`
	OrgUUID     string     `json:"org_uuid"`
	OrgName     string     `json:"org_name"`
	Street      value.Text `json:"street"`
	HouseNumber value.Text `json:"house_number"`
	PostalCode  value.Text `json:"postal_code"`
	City        value.Text `json:"city"`
	Country     value.Text `json:"country"`
	Lat         *float64   `json:"lat"`
	Lon         *float64   `json:"lon"`
	Distance    *float64   `json:"distance"` // in metres; null without a point in the request or of the venue
}

// Space is a space of a venue with everything that can be written.
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

// WrittenSpace is the answer to adding or changing a space.
type WrittenSpace struct {
	Done
	Space
}

// ChoosablePlaces is a page of the places of the organizations where the caller may place events,
// by venue; the venue as a whole comes before its spaces.
type ChoosablePlaces struct {
	Places []ChoosablePlace `json:"places"`
	Page
}

// ChoosablePlace is a venue, or a space of one, to choose.
type ChoosablePlace struct {
	VenueUUID string     `json:"venue_uuid"`
	VenueName string     `json:"venue_name"`
	SpaceUUID value.Text `json:"space_uuid"` // null: the venue as a whole
	SpaceName value.Text `json:"space_name"`
	City      value.Text `json:"city"`
	Country   value.Text `json:"country"`
}

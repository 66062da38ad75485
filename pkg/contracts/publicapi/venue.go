package publicapi

import (
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Venue is a venue as GET /api/venue/{uuid} and GET /api/venues show it.
type Venue struct {
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
	Spaces               []Space     `json:"spaces"`

	Hours hours.Hours `json:"hours"`

	WikidataID value.Text `json:"wikidata_id"`
	OSMID      value.Text `json:"osm_id"` // of OpenStreetMap, such as way/123
}

// Space is one space of Venue.
type Space struct {
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

// Venues is the data of GET /api/venues, ordered by name, then uuid; Total counts all that match.
type Venues struct {
	Venues []Venue `json:"venues"`
	Total  int     `json:"total"`
}

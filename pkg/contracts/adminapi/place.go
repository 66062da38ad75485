package adminapi

import "litfass/pkg/contracts/value"

// FoundVenues is a page of the venues where the caller may place events. Respelled: no venue has
// the words as they are spelled in the request, these have similar ones.
type FoundVenues struct {
	Venues    []FoundVenue `json:"venues"`
	Respelled bool         `json:"respelled"`
	Page
}

// FoundVenue is a venue to choose, with its spaces by name. Own is whether it belongs to the
// organization of the event; at all others the caller has ChooseVenue, or they are open, or their
// owner accepts requests (Asks).
type FoundVenue struct {
	UUID        string       `json:"uuid"`
	Name        string       `json:"name"`
	OrgUUID     string       `json:"org_uuid"`
	OrgName     string       `json:"org_name"`
	Own         bool         `json:"own"`
	Asks        bool         `json:"asks"` // the owner decides on a request first
	Street      value.Text   `json:"street"`
	HouseNumber value.Text   `json:"house_number"`
	PostalCode  value.Text   `json:"postal_code"`
	City        value.Text   `json:"city"`
	Country     value.Text   `json:"country"`
	Lat         *float64     `json:"lat"`
	Lon         *float64     `json:"lon"`
	Distance    *int         `json:"distance"` // in metres; null without a point in the request or of the venue
	Spaces      []FoundSpace `json:"spaces"`
}

// FoundSpace is a space of a venue to choose.
type FoundSpace struct {
	UUID            string     `json:"uuid"`
	Name            string     `json:"name"`
	SpaceType       value.Text `json:"space_type"`
	TotalCapacity   *int       `json:"total_capacity"`
	SeatingCapacity *int       `json:"seating_capacity"`
}

// VenueGuests is a page of the public dates of other organizations at an organization's venues, by
// start.
type VenueGuests struct {
	Dates []GuestDate `json:"dates"`
	Page
}

// GuestDate is a date of another organization. ReleaseStatus is the one in force.
type GuestDate struct {
	UUID          string     `json:"uuid"`
	EventUUID     string     `json:"event_uuid"`
	EventTitle    string     `json:"event_title"`
	OrgUUID       string     `json:"org_uuid"` // the other organization
	OrgName       string     `json:"org_name"`
	VenueUUID     string     `json:"venue_uuid"`
	VenueName     string     `json:"venue_name"`
	SpaceUUID     value.Text `json:"space_uuid"`
	SpaceName     value.Text `json:"space_name"`
	StartDate     string     `json:"start_date"`
	StartTime     value.Text `json:"start_time"`
	EndDate       value.Text `json:"end_date"`
	EndTime       value.Text `json:"end_time"`
	AllDay        bool       `json:"all_day"`
	ReleaseStatus string     `json:"release_status"`
}

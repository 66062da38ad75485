package publicapi

import (
	"litfass/pkg/contracts/value"
)

// Organization is an organization as GET /api/organization/{uuid} shows it.
type Organization struct {
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

// Organizations is the data of GET /api/organizations, ordered by name, then uuid; Total counts all
// that match.
type Organizations struct {
	Organizations []Organization `json:"organizations"`
	Total         int            `json:"total"`
}

package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// Organization is an organization as its members see it.
type Organization struct {
	OrganizationFields
	Approval Approval `json:"approval"`
}

// OrganizationFields are the fields of an organization that can be written.
type OrganizationFields struct {
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
	State           value.Text `json:"state"`   // abbreviation
	Country         value.Text `json:"country"` // ISO 3166-1 alpha-3
	Lat             *float64   `json:"lat"`
	Lon             *float64   `json:"lon"`
}

// WrittenOrganization is the answer to founding or changing an organization.
type WrittenOrganization struct {
	Done
	Organization
}

// The states of an approval.
const (
	ApprovalPending  = "pending"
	ApprovalApproved = "approved"
	ApprovalRefused  = "refused"
)

// Approval is whether an organization may be public. One that never needed an approval is approved.
type Approval struct {
	State     string     `json:"state"`
	Reason    string     `json:"reason"`     // of the decision, for the organization's members; may be ""
	DecidedAt *time.Time `json:"decided_at"` // null while it waits, and when it needed no approval
}

// Dashboard is a page of the organizations that the caller is a member of, by name.
type Dashboard struct {
	Organizations []OrganizationCard `json:"organizations"`
	Page
}

// OrganizationCard is an organization in a dashboard, with the caller's permissions. OrgUUID
// repeats UUID for known clients.
type OrganizationCard struct {
	UUID          string     `json:"uuid"`
	OrgUUID       string     `json:"org_uuid"`
	OrgName       string     `json:"org_name"`
	OrgCity       value.Text `json:"org_city"`
	OrgCountry    value.Text `json:"org_country"`
	Upcoming      int        `json:"total_upcoming_events"` // dates that are not over, drafts included
	VenueCount    int        `json:"venue_count"`
	SpaceCount    int        `json:"space_count"`
	CanEdit       bool       `json:"can_edit_organization"`
	CanDelete     bool       `json:"can_delete_organization"`
	CanManageTeam bool       `json:"can_manage_team"`
}

// ChoosableOrganizations is a page of the organizations to which the caller may add events, by
// name.
type ChoosableOrganizations struct {
	Organizations []ChoosableOrganization `json:"organizations"`
	Page
}

// ChoosableOrganization is an organization to choose.
type ChoosableOrganization struct {
	ID   string `json:"id"` // its uuid
	Name string `json:"name"`
}

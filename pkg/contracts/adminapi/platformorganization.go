package adminapi

import "time"

// PlatformOrganization is an organization as platform administrators see it.
type PlatformOrganization struct {
	UUID     string `json:"uuid"`
	Name     string `json:"name"`
	City     string `json:"city"`
	Country  string `json:"country"`
	Approval string `json:"approval"` // "pending", "approved" or "refused"
	Members  int    `json:"member_count"`
	Venues   int    `json:"venue_count"`
	Events   int    `json:"event_count"`
	// Upcoming are the dates of public events that are not over yet.
	Upcoming  int       `json:"upcoming_public_dates"`
	CreatedAt time.Time `json:"created_at"`
}

// PlatformOrganizations is a page of them.
type PlatformOrganizations struct {
	Organizations []PlatformOrganization `json:"organizations"`
	Page
}

package adminapi

// Venues is a page of an organization's venues by name, with the caller's permissions there.
type Venues struct {
	OrgUUID     string      `json:"org_uuid"`
	OrgName     string      `json:"org_name"`
	CanEdit     bool        `json:"can_edit_organization"`
	CanDelete   bool        `json:"can_delete_organization"`
	CanAddVenue bool        `json:"can_add_venue"`
	CanAddSpace bool        `json:"can_add_space"`
	CanAddEvent bool        `json:"can_add_event"`
	Upcoming    int         `json:"total_upcoming_events"` // dates that are not over, drafts included
	Venues      []VenueCard `json:"venues"`
	Page
}

// VenueCard is a venue in a list with the number of its upcoming dates, its spaces, and the
// caller's permissions. VenueUUID repeats UUID for known clients.
type VenueCard struct {
	UUID      string `json:"uuid"`
	VenueUUID string `json:"venue_uuid"`
	Name      string `json:"venue_name"`
	Upcoming  int    `json:"upcoming_event_count"`

	Spaces []SpaceCard `json:"spaces"`
	VenueRights
}

// VenueRights are the caller's permissions on the venues of an organization.
type VenueRights struct {
	CanAddVenue     bool `json:"can_add_venue"`
	CanEditVenue    bool `json:"can_edit_venue"`
	CanDeleteVenue  bool `json:"can_delete_venue"`
	CanAddSpace     bool `json:"can_add_space"`
	CanEditSpace    bool `json:"can_edit_space"`
	CanDeleteSpace  bool `json:"can_delete_space"`
	CanAddEvent     bool `json:"can_add_event"`
	CanEditEvent    bool `json:"can_edit_event"`
	CanDeleteEvent  bool `json:"can_delete_event"`
	CanReleaseEvent bool `json:"can_release_event"`
}

// SpaceCard is a space of a venue in a list, with the number of its upcoming dates. SpaceUUID is
// the same as UUID, as known clients read it.
type SpaceCard struct {
	UUID      string `json:"uuid"`
	SpaceUUID string `json:"space_uuid"`
	Name      string `json:"space_name"`
	Upcoming  int    `json:"upcoming_event_count"`
}

package reference

import "slices"

// ShownOrganization is an organization in the public answers, with the fields that catalogues of
// tests have.
type ShownOrganization struct {
	UUID         string `json:"uuid"`
	Name         string `json:"name"`
	Description  string `json:"description"`
	WebLink      Text   `json:"web_link"`
	City         string `json:"city"`
	Country      string `json:"country"`
	ContactEmail string `json:"contact_email"`
	ContactPhone string `json:"contact_phone"`
}

// Shown returns how an organization must be shown.
func (o *Organization) Shown() ShownOrganization {
	return ShownOrganization{
		UUID: o.UUID, Name: o.Name, Description: string(o.Description), WebLink: o.WebLink, City: string(o.City), Country: string(o.Country),
		ContactEmail: string(o.ContactEmail), ContactPhone: string(o.ContactPhone),
	}
}

// Organizations returns the uuids of the public organizations, sorted: those with a public event,
// and those with a venue that a public event or one of its dates uses.
func (r *Reference) Organizations() []string {
	public := map[string]bool{}
	use := func(venue Text) {
		if v := r.venues[string(venue)]; v != nil {
			public[v.OrgUUID] = true
		}
	}
	for _, event := range r.events {
		public[event.OrgUUID] = true
		use(event.VenueUUID)
		for _, date := range event.Dates {
			use(date.VenueUUID)
		}
	}
	uuids := []string{}
	for uuid := range public {
		uuids = append(uuids, uuid)
	}
	slices.Sort(uuids)
	return uuids
}

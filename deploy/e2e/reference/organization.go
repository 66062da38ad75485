package reference

import "slices"

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

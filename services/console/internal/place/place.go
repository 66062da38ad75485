// Package place has the pages about where events take place: the section of an event's page that
// chooses a venue and a space, and the pages of venues and spaces themselves.
package place

import (
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
)

// pages are the handlers with what they share.
type pages struct {
	sets  *lookup.Store
	whole page.WholePage
}

// Mount adds the pages. whole shows the page of an event around its section.
func Mount(r page.Router, sets *lookup.Store, whole page.WholePage) {
	p := pages{sets: sets, whole: whole}
	r.Get("/event/:uuid/place", p.find)
	r.Post("/event/:uuid/place", p.choose)
	r.Post("/event/:uuid/place/online", p.setOnline)
	r.Get("/event/:uuid/place/new", p.newForEvent)
	r.Post("/event/:uuid/place/new", p.addForEvent)
	r.Get("/organization/:organization/venues/new", p.newForOrganization)
	r.Post("/organization/:organization/venues/new", p.addForOrganization)
	r.Get("/position", p.position)
	p.mountVenues(r)
	p.mountSpaces(r)
}

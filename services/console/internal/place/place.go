// Package place has the section of an event's page about where the event takes place: its venue and
// space, the search for a venue, and the link to take part online.
package place

import "litfass/services/console/internal/page"

// pages are the handlers of the section.
type pages struct {
	whole page.WholePage
}

// Mount adds the routes of the section. whole shows the page of an event around it.
func Mount(r page.Router, whole page.WholePage) {
	p := pages{whole}
	r.Get("/event/:event/place", p.find)
	r.Post("/event/:event/place", p.choose)
	r.Post("/event/:event/place/online", p.setOnline)
	r.Post("/event/:event/place/ask", p.ask)
	r.Post("/event/:event/place/requests/:request/withdraw", p.withdraw)
}

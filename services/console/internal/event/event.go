// Package event has the page on which people write an event, and what belongs to it: adding,
// duplicating and deleting, the release, the preview and the history.
package event

import (
	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/dates"
	"litfass/services/console/internal/images"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/place"
)

// pages are the pages of events.
type pages struct {
	sets *lookup.Store
}

// Mount adds the pages. Their choices are from sets.
func Mount(r page.Router, sets *lookup.Store) {
	p := &pages{sets}
	r.Get("/event/new", p.showNew)
	r.Post("/event/new", p.addNew)
	r.Get("/event/:event", p.show)
	r.Post("/event/:event/edit/:part", p.save)
	r.Post("/event/:event/preview", p.share)
	r.Post("/event/:event/preview/revoke", p.unshare)
	r.Get("/event/:event/duplicate", p.askDuplicate)
	r.Post("/event/:event/duplicate", p.duplicate)
	r.Get("/event/:event/history", p.showHistory)
	r.Get("/event/:event/delete", p.askDelete)
	r.Post("/event/:event/delete", p.remove)
	r.Post("/event/:event/link", p.addLink)
	r.Post("/event/:event/link/:link", p.saveLink)
	r.Post("/event/:event/link/:link/delete", p.removeLink)
	r.Get("/event/:event/release/:status", p.askRelease)
	r.Post("/event/:event/release/:status", p.release)

	dates.Mount(r, p.showWith)
	images.Mount(r, p.showWith)
	place.Mount(r, p.showWith)
}

// show is the page of an event.
func (p *pages) show(r *page.Request) error {
	s, err := p.read(r)
	if err != nil {
		return err
	}
	return s.show()
}

// save stores a part of an event.
func (p *pages) save(r *page.Request) error {
	s, err := p.read(r)
	if err != nil {
		return err
	}
	g, known := groupOf(r.Param("part"))
	if !known {
		return fault.New(fault.NotFound, "", "an event has no such part")
	}
	if g.locked != nil {
		if err := r.Require(s.event.OrgUUID, permission.EditEvent); err != nil {
			return err
		}
		if g.locked(s) {
			return page.ErrForbidden
		}
	}
	return autosave.Save(r, s.resource(p), s.partOf(g))
}

// whole shows the page of an event with one of its parts or sections as it is drawn.
func (p *pages) whole(r *page.Request, id string, drawn templ.Component) error {
	uuid, err := r.UUID("event")
	if err != nil {
		return err
	}
	return p.showWith(r, uuid, id, drawn)
}

// showWith is whole for an event by its uuid.
func (p *pages) showWith(r *page.Request, uuid, id string, drawn templ.Component) error {
	s, err := p.readEvent(r, uuid)
	if err != nil {
		return err
	}
	s.drawn[id] = drawn
	return s.show()
}

// resource is the event for what is saved as it is edited.
func (s *sheet) resource(p *pages) autosave.Resource {
	return autosave.Resource{
		Org: s.event.OrgUUID, Need: permission.EditEvent,
		Read: s.Admin().ReadEvent(s.event.UUID), Stored: s.values, Tag: s.tag,
		Page: s.address(), Public: s.seen, Elsewhere: s.elsewhere, Whole: p.whole,
	}
}

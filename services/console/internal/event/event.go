// Package event has the page on which people write an event, and further pages of events: adding,
// duplicating and deleting, the release, the preview and the history.
package event

import (
	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/dates"
	"litfass/services/console/internal/images"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/place"
)

// Mount adds the pages.
func Mount(r page.Router) {
	r.Get("/event/new", showNew)
	r.Post("/event/new", addNew)
	r.Get("/event/:event", showEvent)
	r.Post("/event/:event/edit/:part", save)
	r.Post("/event/:event/publish", publish)
	r.Post("/event/:event/save", saveAll)
	r.Get("/event/:event/preview", showPreviews)
	r.Post("/event/:event/preview", share)
	r.Post("/event/:event/preview/revoke", unshare)
	r.Post("/event/:event/preview/:link/revoke", unshareOne)
	r.Get("/event/:event/duplicate", askDuplicate)
	r.Post("/event/:event/duplicate", duplicate)
	r.Get("/event/:event/history", showHistory)
	r.Get("/event/:event/translations", showTranslations)
	r.Post("/event/:event/translations", saveTranslations)
	r.Get("/event/:event/live", showLive)
	r.Get("/event/:event/delete", askDelete)
	r.Post("/event/:event/delete", remove)
	r.Post("/event/:event/link", addLink)
	r.Post("/event/:event/link/:link", saveLink)
	r.Post("/event/:event/link/:link/delete", removeLink)
	r.Post("/event/:event/labels", saveLabels)
	r.Get("/event/:event/release/:status", askRelease)
	r.Post("/event/:event/release/:status", release)

	dates.Mount(r, showWith)
	images.Mount(r, showWith)
	place.Mount(r, showWith)
}

// show is the page of an event.
func showEvent(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	return s.show()
}

// save stores a part of an event.
func save(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	g, known := groupOf(r.Param("part"))
	if !known {
		return fault.New(fault.NotFound, "", "an event has no such part")
	}
	if g.locked != nil {
		if err := r.RequireFor(s.event, permission.EditEvent); err != nil {
			return err
		}
		if g.locked(s) {
			return page.ErrForbidden
		}
	}
	// An earlier value is restored by a button of the history; a script sends those of a draft's page.
	if s.public() && s.gathers(g) && (r.Script || r.Form.Get("undo") == "") {
		return s.becamePublic(g)
	}
	return autosave.Save(r, s.resource(), s.partOf(g))
}

// whole shows the page of an event with one of its parts or sections as it is drawn.
func showPart(r *page.Request, id string, drawn templ.Component) error {
	uuid, err := r.UUID("event")
	if err != nil {
		return err
	}
	return showWith(r, uuid, id, drawn)
}

// showWith is whole for an event by its uuid.
func showWith(r *page.Request, uuid, id string, drawn templ.Component) error {
	s, err := readEvent(r, uuid)
	if err != nil {
		return err
	}
	s.drawn[id] = drawn
	return s.show()
}

// resource is the event for autosave.
func (s *sheet) resource() autosave.Resource {
	return autosave.Resource{
		Org: s.event.OrgUUID, Need: page.EditNeed(s.event),
		Read: s.Admin().ReadEvent(s.event.UUID), Stored: s.values, Tag: s.tag,
		Page: s.address(), Public: s.seen, Elsewhere: s.elsewhere, Whole: showPart, Changed: s.changedBy,
	}
}

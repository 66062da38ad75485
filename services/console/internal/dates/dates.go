// Package dates is the section of an event in which its dates are listed, added, moved, cancelled
// and deleted, and the pages of one date.
package dates

import (
	"net/http"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// pages are the pages of dates.
type pages struct {
	whole page.WholePage
}

// Mount adds the pages. whole shows the page of an event with the section as it is drawn.
func Mount(r page.Router, whole page.WholePage) {
	p := pages{whole}
	const dates = "/event/:event/dates"
	r.Get(dates, list)
	r.Get(dates+"/new", p.askNew)
	r.Post(dates+"/new", p.add)
	r.Post(dates+"/new/preview", p.preview)
	r.Get(dates+"/:date", p.ask)
	r.Post(dates+"/:date", p.change)
	r.Post(dates+"/:date/status", p.setStatus)
	r.Post(dates+"/:date/availability", p.setPlaces)
	r.Get(dates+"/:date/delete", p.askDelete)
	r.Post(dates+"/:date/delete", p.remove)
}

// parent is an event with the person's permissions.
type parent struct {
	event adminapi.Event
	tag   string
	may   permission.Set
}

// load reads the event that the address names.
func load(r *page.Request) (parent, error) {
	e, tag, err := r.Event()
	if err != nil {
		return parent{}, err
	}
	return parent{e, tag, r.RightsTo(e)}, nil
}

// loadToEdit is load for people who may edit the event. The error is Forbidden for all others who
// can read it.
func loadToEdit(r *page.Request) (parent, error) {
	l, err := load(r)
	if err != nil {
		return l, err
	}
	return l, r.RequireFor(l.event, permission.EditEvent)
}

// path is that of the pages of the event's dates.
func (l parent) path() string { return pathOf(l.event.UUID) }

func pathOf(event string) string { return "/console/event/" + event + "/dates" }

// mayEdit reports whether the person may add, change and delete dates.
func (l parent) mayEdit() bool { return l.may.Has(permission.EditEvent) }

// public reports whether visitors see the event, now or from its release date on.
func (l parent) public() bool { return adminapi.PublicStatus(l.event.ReleaseStatus) }

// Section is the section of an event's page with its dates. may has the person's permissions for
// the event.
func Section(r *page.Request, e adminapi.Event, tag string, may permission.Set) (templ.Component, error) {
	return drawn(r, parent{e, tag, may}, outcome{warnings: warningsOfQuery(r, e)})
}

// drawn returns the section with an outcome.
func drawn(r *page.Request, l parent, o outcome) (templ.Component, error) {
	var names map[string]string
	var warnings []warning
	err := r.Together(func() (err error) {
		names, err = placeNames(r, l.event)
		return err
	}, func() (err error) {
		warnings, err = describe(r, o.warnings)
		return err
	})
	if err != nil {
		return nil, err
	}
	return section(overviewOf(r, l, names), o, warnings), nil
}

// list shows the section on a page of its own; a script may ask for the calendar of another month.
func list(r *page.Request) error {
	l, err := load(r)
	if err != nil {
		return err
	}
	if r.Script && r.Query.Has("month") {
		return r.ShowPart(calendarTable(r.Text, l, calendarOf(r, l.event)))
	}
	content, err := drawn(r, l, outcome{warnings: warningsOfQuery(r, l.event)})
	if err != nil {
		return err
	}
	if r.Script {
		return r.ShowPart(content)
	}
	return onItsOwn(r, l.event, content)
}

func onItsOwn(r *page.Request, e adminapi.Event, drawn templ.Component) error {
	return r.Show(view.Page{
		Title: r.Text.T("dates.title") + " – " + e.Title, Section: e.OrgUUID, Content: alone(r.Text, e, drawn),
	})
}

// shown answers a script with the section, and leads all others back to it.
func shown(r *page.Request, event string, o outcome) error {
	if !r.Script {
		return r.Go(o.address(event), "saved")
	}
	l, err := load(r)
	if err != nil {
		return err
	}
	content, err := drawn(r, l, o)
	if err != nil {
		return err
	}
	return r.ShowPart(content, view.Checklist(r.Text, l.event.Checklist))
}

// form shows a form in the section, or without scripts on a page of its own.
func form(r *page.Request, l parent, title string, f templ.Component, refused bool) error {
	if refused {
		r.Status(http.StatusUnprocessableEntity)
	}
	if r.Script {
		r.Header("HX-Retarget", "#dates-open")
		r.Header("HX-Reswap", "innerHTML")
		return r.ShowPart(f)
	}
	return r.Show(view.Page{
		Title: title + " – " + l.event.Title, Section: l.event.OrgUUID, Content: formPage(r.Text, l, title, f),
	})
}

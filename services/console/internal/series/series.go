// Package series is the pages on which an organization writes series, such as festivals, and
// decides on the events that ask to belong to them; and the page on which an event asks.
package series

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/owner"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// section is the page of an organization with its series.
const section = view.OrganizationSeries

// Mount adds the pages.
func Mount(r page.Router) {
	const all, one = "/organization/:organization/" + section, "/organization/:organization/" + section + "/:series"
	r.Get(all, showAll)
	r.Post(all, add)
	r.Get(one, page.With(read, form.show))
	r.Post(one, page.With(read, form.save))
	r.Post(one+"/event", page.With(read, form.decide))
	r.Get(one+"/delete", page.With(read, form.askDelete))
	r.Post(one+"/delete", page.With(read, form.remove))
	r.Get("/event/:event/series", page.With(readOfEvent, ofEvent.show))
	r.Post("/event/:event/series", page.With(readOfEvent, ofEvent.save))
}

// overview is the series of an organization, with a form for a new one.
type overview struct {
	t           *text.Texts
	owner       owner.Owner
	series      adminapi.SeriesPage
	title, slug string // of one that was refused
	errors      view.Errors
}

func showAll(r *page.Request) error { return showAllWith(r, overview{}) }

func showAllWith(r *page.Request, o overview) (err error) {
	o.t = r.Text
	if o.owner, err = owner.Of(r, section); err != nil {
		return err
	}
	if o.series, err = r.Admin().AllSeries(o.owner.UUID, view.Paged(r.Query)); err != nil {
		return err
	}
	return o.owner.Show("", overviewPage(o))
}

// add adds a series that is not public, and goes on to its page.
func add(r *page.Request) error {
	of, err := owner.Of(r, section)
	if err != nil {
		return err
	}
	o := overview{title: r.Form.Text("title"), slug: r.Form.Text("slug")}
	added, err := r.Admin().AddSeries(map[string]any{"org_uuid": of.UUID, "title": o.title, "slug": o.slug})
	if err == nil {
		return r.Go(of.Path(added.UUID), "saved")
	}
	if !view.Refusable(err, fault.Conflict) {
		return err
	}
	o.errors = view.Reasons(err)
	r.Status(http.StatusUnprocessableEntity)
	return showAllWith(r, o)
}

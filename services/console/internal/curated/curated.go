// Package curated is the pages on which an organization writes its lists: selections of events in
// an order of its own.
package curated

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// section is the page of an organization with its lists.
const section = view.OrganizationLists

// Mount adds the pages.
func Mount(r page.Router) {
	const all, one = "/organization/:organization/lists", "/organization/:organization/lists/:list"
	r.Get(all, showAll)
	r.Post(all, add)
	r.Get(one, page.With(read, form.show))
	r.Post(one, page.With(read, form.save))
	r.Post(one+"/entries", page.With(read, form.saveEntries))
	r.Post(one+"/add", page.With(read, form.addEntry))
	r.Get(one+"/delete", page.With(read, form.askDelete))
	r.Post(one+"/delete", page.With(read, form.remove))
	r.Get("/event/:event/lists", showListsOf)
	r.Post("/event/:event/lists", addToList)
}

// overview is the lists of an organization, with a form for a new one.
type overview struct {
	t          *text.Texts
	org        page.Organization
	lists      adminapi.Lists
	name, slug string // of one that was refused
	errors     view.Errors
}

func showAll(r *page.Request) error { return showAllWith(r, overview{}) }

func showAllWith(r *page.Request, o overview) (err error) {
	o.t = r.Text
	if o.org, err = r.OrganizationFor(permission.EditOrganization); err != nil {
		return err
	}
	if o.lists, err = r.Admin().Lists(o.org.UUID, view.Paged(r.Query)); err != nil {
		return err
	}
	return r.Show(view.Page{Title: r.Text.T("organization.nav.lists") + " · " + o.org.Name, Section: o.org.UUID, Content: overviewPage(o)})
}

// add adds an empty list that is not public, and goes on to its page.
func add(r *page.Request) error {
	org, err := r.OrganizationFor(permission.EditOrganization)
	if err != nil {
		return err
	}
	o := overview{name: r.Form.Text("name"), slug: r.Form.Text("slug")}
	added, err := r.Admin().AddList(map[string]any{"org_uuid": org.UUID, "name": o.name, "slug": o.slug})
	if err == nil {
		return r.Go(org.Path(section+"/"+added.UUID), "saved")
	}
	if !view.Refusable(err, fault.Conflict) {
		return err
	}
	o.errors = view.Reasons(err)
	r.Status(http.StatusUnprocessableEntity)
	return showAllWith(r, o)
}

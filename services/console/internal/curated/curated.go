// Package curated is the pages on which an organization or the operator writes lists: selections of
// events in an order of their own.
package curated

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/owner"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// section is the page of an owner with its lists.
const section = view.OrganizationLists

// Mount adds the pages.
func Mount(r page.Router) {
	for _, root := range owner.Roots {
		all, one := root+section, root+section+"/:list"
		r.Get(all, showAll)
		r.Post(all, add)
		r.Get(one, page.With(read, form.show))
		r.Post(one, page.With(read, form.save))
		r.Post(one+"/entries", page.With(read, form.saveEntries))
		r.Post(one+"/add", page.With(read, form.addEntry))
		r.Get(one+"/delete", page.With(read, form.askDelete))
		r.Post(one+"/delete", page.With(read, form.remove))
	}
	r.Get("/event/:event/lists", showListsOf)
	r.Post("/event/:event/lists", addToList)
}

// overview is the lists of an owner, with a form for a new one.
type overview struct {
	t          *text.Texts
	owner      owner.Owner
	lists      adminapi.Lists
	name, slug string // of one that was refused
	errors     view.Errors
}

func showAll(r *page.Request) error { return showAllWith(r, overview{}) }

func showAllWith(r *page.Request, o overview) (err error) {
	o.t = r.Text
	if o.owner, err = owner.Of(r, section); err != nil {
		return err
	}
	if o.lists, err = r.Admin().Lists(o.owner.UUID, view.Paged(r.Query)); err != nil {
		return err
	}
	return o.owner.Show("", overviewPage(o))
}

// add adds an empty list that is not public, and goes on to its page.
func add(r *page.Request) error {
	of, err := owner.Of(r, section)
	if err != nil {
		return err
	}
	o := overview{name: r.Form.Text("name"), slug: r.Form.Text("slug")}
	added, err := r.Admin().AddList(of.New(o.name, o.slug))
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

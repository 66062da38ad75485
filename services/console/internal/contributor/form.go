package contributor

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/moderation"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// form is the form of a contributor.
type form struct {
	*page.Request
	contributor adminapi.Contributor
	tag         string
	refused     error // why the person may not change it, nil if they may
	errors      view.Errors
}

func readForm(r *page.Request) (f form, err error) {
	f.Request = r
	uuid, err := r.UUID("contributor")
	if err != nil {
		return f, err
	}
	if f.contributor, f.tag, err = r.Admin().Contributor(uuid); err != nil {
		return f, err
	}
	f.refused = f.require()
	return f, nil
}

// readChange is readForm for those who may change the contributor.
func readChange(r *page.Request) (f form, err error) {
	if f, err = readForm(r); err == nil {
		err = f.refused
	}
	return f, err
}

// require refuses people who may not change the contributor: those without the right to edit events
// of its organization, and for one of the operator all but administrators.
func (f form) require() error {
	if org := string(f.contributor.OrgUUID); org != "" {
		return f.Require(org, permission.EditEvent)
	}
	if !f.Administrator() {
		return page.ErrForbidden
	}
	return nil
}

func (f form) path() string { return page.Root + "/contributor/" + f.contributor.UUID }

func (f form) show() error {
	return f.Show(view.Page{Title: f.contributor.Name, Section: string(f.contributor.OrgUUID), Content: formPage(f)})
}

// save stores the fields of the form.
func (f form) save() error {
	fields := map[string]any{"type": f.Form.Get("type"), "name": f.Form.Text("name")}
	for _, name := range []string{"note", "description", "web_link", "wikidata"} {
		fields[name] = f.Form.TextOrNil(name)
	}
	_, err := f.Admin().WriteContributor(f.contributor.UUID)(f.Form.Get("tag"), fields)
	switch {
	case err == nil:
		return f.Go(f.path(), "saved")
	case fault.Is(err, fault.Stale):
		f.errors = view.Errors{"": f.Text.T("contributor.error.stale")}
	case !view.Refusable(err):
		return err
	default:
		f.errors = view.Reasons(err)
	}
	f.contributor.Type, f.contributor.Name = f.Form.Get("type"), f.Form.Text("name")
	f.contributor.Note, f.contributor.Description = value.Text(f.Form.Text("note")), value.Text(f.Form.Text("description"))
	f.contributor.WebLink, f.contributor.Wikidata = value.Text(f.Form.Text("web_link")), value.Text(f.Form.Text("wikidata"))
	f.Status(http.StatusUnprocessableEntity)
	return f.show()
}

// askDelete asks before the contributor is deleted.
func (f form) askDelete() error {
	return f.Show(view.Page{Title: f.Text.T("contributor.delete"), Section: string(f.contributor.OrgUUID), Content: deletion(f)})
}

// mayTakeOut reports whether the person may delete the contributor also where events name it.
func (f form) mayTakeOut() bool {
	return f.contributor.Type == adminapi.ContributorPerson || f.Administrator()
}

// remove deletes a contributor.
func (f form) remove() error {
	takeOut := f.Form.Get("take_out") == "true"
	errors, err := f.DeleteConfirmed(f.Admin().DeleteContributor(f.contributor.UUID, takeOut))
	if err != nil {
		return err
	}
	if len(errors) > 0 {
		f.errors = errors
		f.Status(http.StatusUnprocessableEntity)
		return f.askDelete()
	}
	return f.Go(page.Root, "contributor_deleted")
}

// overview is a page of contributors for the operator.
type overview struct {
	*page.Request
	found  []adminapi.ContributorRow
	pager  view.Pager
	of     string // whose merge was refused
	errors view.Errors
}

func showAll(r *page.Request) error { return showAllWith(r, overview{}) }

func showAllWith(r *page.Request, o overview) error {
	o.Request = r
	query := view.Paged(r.Query)
	query["search"] = []string{r.Query.Get("search")}
	if r.Query.Get("repeated") != "" {
		query["repeated"] = []string{"true"}
	}
	found, err := r.Admin().Contributors(query)
	if err != nil {
		return err
	}
	o.found = found.Contributors
	o.pager = view.Pager{Page: found.Page, Path: page.Root + "/administration/" + moderation.TabContributors, Query: r.Query}
	return moderation.Show(r, moderation.TabContributors, overviewPage(o))
}

// others are the contributors of the page with which one can be merged, those of its name first.
func (o overview) others(of adminapi.ContributorRow) []view.Option {
	var same, rest []view.Option
	for _, c := range o.found {
		option := view.Option{Value: c.UUID, Label: labelOf(c.Name, string(c.Note))}
		switch {
		case c.UUID == of.UUID:
		case c.Name == of.Name:
			same = append(same, option)
		default:
			rest = append(rest, option)
		}
	}
	return append(same, rest...)
}

func labelOf(name, note string) string {
	if note == "" {
		return name
	}
	return name + " (" + note + ")"
}

// merge merges a contributor into the one that was chosen.
func merge(r *page.Request) error {
	err := r.Admin().MergeContributor(r.Param("contributor"), r.Form.Get("into"))
	if err == nil {
		return r.Go(page.Root+"/administration/"+moderation.TabContributors, "contributors_merged")
	}
	if !view.Refusable(err, fault.NotFound) {
		return err
	}
	r.Status(http.StatusUnprocessableEntity)
	return showAllWith(r, overview{of: r.Param("contributor"), errors: view.Reasons(err)})
}

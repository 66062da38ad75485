// Package curated is the pages on which an organization or the operator writes lists: selections of
// events in an order of their own.
package curated

import (
	"litfass/services/console/internal/owner"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// section is the page of an owner with its lists.
const section = view.OrganizationLists

// Mount adds the pages.
func Mount(r page.Router) {
	for _, root := range owner.Roots {
		all, one := root+section, root+section+"/:list"
		r.Get(all, kind.Show)
		r.Post(all, kind.Create)
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

// kind is lists as items of an owner.
var kind = owner.Kind{
	Section: section, Words: "curated", Title: "name",
	Read: func(r *page.Request, o owner.Owner) (shown owner.Overview, err error) {
		found, err := r.Admin().Lists(o.UUID, view.Paged(r.Query))
		shown.Page = found.Page
		for _, list := range found.Lists {
			item := owner.Item{
				UUID: list.UUID, Title: list.Name, Note: r.Text.Count("curated.entry_count", list.Entries),
				Row: o.Row(list.UUID, string(list.OrgUUID), string(list.OrgName)),
			}
			if list.Public {
				item.Address = "/list/" + list.Slug
			}
			shown.Items = append(shown.Items, item)
		}
		return shown, err
	},
	Add: func(r *page.Request, fields map[string]any) (uuid string, err error) {
		added, err := r.Admin().AddList(fields)
		return added.UUID, err
	},
}

// Package series is the pages on which an organization writes series, such as festivals, and
// decides on the events that ask to belong to them; and the page on which an event asks.
package series

import (
	"litfass/services/console/internal/owner"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// section is the page of an organization with its series.
const section = view.OrganizationSeries

// Mount adds the pages.
func Mount(r page.Router) {
	const all, one = "/organization/:organization/" + section, "/organization/:organization/" + section + "/:series"
	r.Get(all, kind.Show)
	r.Post(all, kind.Create)
	r.Get(one, page.With(read, form.show))
	r.Post(one, page.With(read, form.save))
	r.Post(one+"/event", page.With(read, form.decide))
	r.Get(one+"/delete", page.With(read, form.askDelete))
	r.Post(one+"/delete", page.With(read, form.remove))
	r.Get(one+"/pictures", page.With(readPicture, picture.show))
	pictures.Mount(r)
	r.Get(one+"/translations", page.With(readTranslations, translations.show))
	r.Post(one+"/translations", page.With(readTranslations, translations.save))
	r.Get("/event/:event/series", page.With(readOfEvent, ofEvent.show))
	r.Post("/event/:event/series", page.With(readOfEvent, ofEvent.save))
}

// kind is series as items of an owner.
var kind = owner.Kind{
	Section: section, Words: "series", Title: "title",
	Read: func(r *page.Request, o owner.Owner) (shown owner.Overview, err error) {
		found, err := r.Admin().AllSeries(o.UUID, view.Paged(r.Query))
		shown.Page = found.Page
		for _, one := range found.Series {
			item := owner.Item{
				UUID: one.UUID, Title: one.Title, Note: r.Text.Count("series.event_count", one.Events), Row: o.Row(one.UUID, one.OrgUUID, one.OrgName),
			}
			if one.Public {
				item.Address = "/series/" + one.Slug
			}
			if one.Asked > 0 {
				item.Waiting = r.Text.Count("series.asked_count", one.Asked)
			}
			shown.Items = append(shown.Items, item)
		}
		return shown, err
	},
	Add: func(r *page.Request, fields map[string]any) (uuid string, err error) {
		added, err := r.Admin().AddSeries(fields)
		return added.UUID, err
	},
}

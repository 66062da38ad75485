package organization

import (
	"net/http"

	"github.com/a-h/templ"

	"litfass/pkg/adminapi"
	"litfass/pkg/fault"
	"litfass/pkg/permission"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// mountSettings adds the pages on what an organization says of itself.
func mountSettings(r page.Router) {
	r.Get("/organization/:organization/settings", showSettings)
	r.Post("/organization/:organization/settings/:section", saveSettings)
	r.Get("/organization/:organization/delete", showDeletion)
	r.Post("/organization/:organization/delete", remove)
}

func showSettings(r *page.Request) error {
	p, err := read(r)
	if err != nil {
		return err
	}
	return settingsPage(r, p, "", nil)
}

// settingsPage shows the settings; the section drawn is shown as it is given.
func settingsPage(r *page.Request, p place, drawn string, part templ.Component) error {
	values := autosave.ValuesOf(p.Organization)
	var forms []templ.Component
	for _, s := range sections {
		if s.id == drawn {
			forms = append(forms, part)
			continue
		}
		form := s.on(r, p)
		forms = append(forms, form.Draw(values, view.State{Base: values.DigestOf(s.keys()...)}))
	}
	return r.Show(view.Page{
		Title: r.Text.T("organization.nav.settings") + " · " + p.Name, Section: p.UUID,
		Content: settings(r.Text, p, forms),
	})
}

// saveSettings stores one of the sections.
func saveSettings(r *page.Request) error {
	p, err := read(r)
	if err != nil {
		return err
	}
	for _, s := range sections {
		if s.id == r.Param("section") {
			return autosave.Save(r, resource(r, p), s.on(r, p))
		}
	}
	return fault.New(fault.NotFound, "", "there is no such page")
}

func resource(r *page.Request, p place) autosave.Resource {
	return autosave.Resource{
		Org: p.UUID, Need: permission.EditOrganization,
		Read: p.api(""), Page: p.path("settings"),
		Public: func(autosave.Values) bool { return isPublic(r, p) },
		Whole: func(r *page.Request, section string, drawn templ.Component) error {
			return settingsPage(r, p, section, drawn)
		},
		Beside: func(_ *page.Request, stored autosave.Values) []templ.Component {
			if r.Param("section") != "address" {
				return nil
			}
			f := field{key: "state", kind: kindState}
			return []templ.Component{beside("field-state", f.draw(r, stored, nil, false))}
		},
	}
}

// isPublic reports whether visitors see an organization: one without a public event, or without an
// approval, they do not.
func isPublic(r *page.Request, p place) bool {
	_, err := r.Public("/api/organization/"+p.UUID, nil, 0)
	return err == nil
}

// deletion is the page that asks before an organization is deleted; its events and venues must be
// deleted first.
type deletion struct {
	place          place
	events, venues int
	errors         view.Errors
}

func (d deletion) hindered() bool { return d.events+d.venues > 0 }

// showDeletion asks for the password, or names what is to be deleted first.
func showDeletion(r *page.Request) error {
	p, err := readFor(r, permission.DeleteOrganization)
	if err != nil {
		return err
	}
	return deletionPage(r, deletion{place: p})
}

func deletionPage(r *page.Request, d deletion) error {
	var err error
	if d.events, d.venues, err = contents(r, d.place); err != nil {
		return err
	}
	title := r.Text.With("organization.delete.title", "Name", d.place.Name)
	return r.Show(view.Page{Title: title, Section: d.place.UUID, Content: deletionForm(r.Text, d, title)})
}

// contents counts the events and venues of an organization.
func contents(r *page.Request, p place) (events, venues int, err error) {
	var inEvents, inVenues adminapi.Page
	all := filter{period: allTimes, order: orders[0], page: 1}
	err = r.Together(func() error {
		_, err := r.Get(p.api("events"), all.ask(), &inEvents)
		return err
	}, func() error {
		_, err := r.Get(p.api("venues"), nil, &inVenues)
		return err
	})
	return inEvents.TotalCount, inVenues.TotalCount, err
}

// remove deletes an organization.
func remove(r *page.Request) error {
	p, err := readFor(r, permission.DeleteOrganization)
	if err != nil {
		return err
	}
	errors, err := r.DeleteConfirmed(p.api(""))
	if err != nil {
		return err
	}
	if len(errors) > 0 {
		r.Status(http.StatusUnprocessableEntity)
		return deletionPage(r, deletion{place: p, errors: errors})
	}
	return r.Go(page.Root+"/", "org_deleted")
}

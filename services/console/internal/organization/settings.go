package organization

import (
	"net/http"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// mountSettings adds the pages of an organization's settings.
func mountSettings(r page.Router) {
	r.Get("/organization/:organization/settings", showSettings)
	r.Post("/organization/:organization/settings/:part", saveSettings)
	r.Get("/organization/:organization/delete", showDeletion)
	r.Post("/organization/:organization/delete", remove)
}

func showSettings(r *page.Request) error {
	org, err := r.Organization()
	if err != nil {
		return err
	}
	return settingsPage(edited(r, org), org)
}

func settingsPage(e entity.Entity, org page.Organization) error {
	return e.Show(view.Page{
		Title: e.Text.T("organization.nav.settings") + " · " + org.Name, Section: org.UUID, Content: settings(e, org),
	})
}

// saveSettings stores one of the groups.
func saveSettings(r *page.Request) error {
	org, err := r.Organization()
	if err != nil {
		return err
	}
	return edited(r, org).Save(func(e entity.Entity) error { return settingsPage(e, org) })
}

// isPublic reports whether visitors see an organization: one without a public event, or without an
// approval, they do not.
func isPublic(r *page.Request, org page.Organization) bool {
	_, err := r.Public().Organization(org.UUID)
	return err == nil
}

// deletion is the page that asks before an organization is deleted; its events and venues must be
// deleted first.
type deletion struct {
	org            page.Organization
	events, venues int
	errors         view.Errors
}

func (d deletion) hindered() bool { return d.events+d.venues > 0 }

// showDeletion asks for the password, or lists the events and venues to delete first.
func showDeletion(r *page.Request) error {
	org, err := r.OrganizationFor(permission.DeleteOrganization)
	if err != nil {
		return err
	}
	return deletionPage(r, deletion{org: org})
}

func deletionPage(r *page.Request, d deletion) error {
	var err error
	if d.events, d.venues, err = contents(r, d.org); err != nil {
		return err
	}
	title := r.Text.With("organization.delete.title", "Name", d.org.Name)
	return r.Show(view.Page{Title: title, Section: d.org.UUID, Content: deletionForm(r.Text, d, title)})
}

// contents counts the events and venues of an organization.
func contents(r *page.Request, org page.Organization) (events, venues int, err error) {
	var inEvents adminapi.Events
	var inVenues adminapi.Venues
	all := filter{period: allTimes, order: orders[0], page: 1}
	err = r.Together(func() (err error) {
		inEvents, err = r.Admin().Events(org.UUID, all.ask())
		return err
	}, func() (err error) {
		inVenues, err = r.Admin().Venues(org.UUID, nil)
		return err
	})
	return inEvents.TotalCount, inVenues.TotalCount, err
}

// remove deletes an organization.
func remove(r *page.Request) error {
	org, err := r.OrganizationFor(permission.DeleteOrganization)
	if err != nil {
		return err
	}
	errors, err := r.DeleteConfirmed(r.Admin().DeleteOrganization(org.UUID))
	if err != nil {
		return err
	}
	if len(errors) > 0 {
		r.Status(http.StatusUnprocessableEntity)
		return deletionPage(r, deletion{org: org, errors: errors})
	}
	return r.Go(page.Root+"/", "org_deleted")
}

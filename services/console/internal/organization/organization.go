// Package organization has the pages of an organization: founding one, what happens there next, its
// events with changes of several at once, its settings, and its log.
package organization

import (
	"litfass/pkg/adminapi"
	"litfass/pkg/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds the pages.
func Mount(r page.Router) {
	r.Get("/organization/new", showFounding)
	r.Post("/organization/new", found)
	r.Get("/organization/:organization", showHome)
	r.Get("/organization/:organization/events", showEvents)
	r.Get("/organization/:organization/events/change", confirmChange)
	r.Post("/organization/:organization/events/change", changeEvents)
	mountSettings(r)
	r.Get("/organization/:organization/audit", showAudit)
}

// root is the path of the pages of all organizations.
const root = page.Root + "/organization/"

// place is an organization as the person of a request sees it.
type place struct {
	adminapi.Organization
	ETag string
	May  permission.Set
}

// read returns the organization that the address names, and what the person may do there. The
// admin service does not show it to strangers.
func read(r *page.Request) (place, error) {
	uuid, err := r.UUID("organization")
	if err != nil {
		return place{}, err
	}
	p := place{May: r.Rights(uuid)}
	p.ETag, err = r.Get("/api/admin/organization/"+uuid, nil, &p.Organization)
	return p, err
}

// readFor is read for people who have a permission there. The error is Forbidden for other members.
func readFor(r *page.Request, need permission.Set) (place, error) {
	p, err := read(r)
	if err != nil {
		return p, err
	}
	return p, r.Require(p.UUID, need)
}

// path returns the address of one of its pages, "" for the first.
func (p place) path(section string) string {
	if section == "" {
		return root + p.UUID
	}
	return root + p.UUID + "/" + section
}

func (p place) head(section string) view.Organization {
	return view.Organization{UUID: p.UUID, Name: p.Name, Section: section, May: p.May}
}

// api returns the path of an operation on the organization, "" for itself.
func (p place) api(operation string) string {
	if operation == "" {
		return "/api/admin/organization/" + p.UUID
	}
	return "/api/admin/organization/" + p.UUID + "/" + operation
}

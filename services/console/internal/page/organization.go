package page

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/view"
)

// Organization is an organization as the person of a request sees it.
type Organization struct {
	adminapi.Organization
	May permission.Set // the person's permissions there
}

// Organization returns the organization that the address names. The admin service does not show it
// to strangers: the error is NotFound for them.
func (r *Request) Organization() (Organization, error) {
	uuid, err := r.UUID("organization")
	if err != nil {
		return Organization{}, err
	}
	o := Organization{May: r.Rights(uuid)}
	o.Organization, err = r.Admin().Organization(uuid)
	return o, err
}

// OrganizationFor is Organization for people who have a permission there. The error is Forbidden
// for other members.
func (r *Request) OrganizationFor(need permission.Set) (Organization, error) {
	o, err := r.Organization()
	if err != nil {
		return o, err
	}
	return o, r.Require(o.UUID, need)
}

// Path returns the address of one of its pages, "" for the first.
func (o Organization) Path(section string) string {
	path := Root + "/organization/" + o.UUID
	if section == "" {
		return path
	}
	return path + "/" + section
}

// Head is the head of one of its pages.
func (o Organization) Head(section string) view.Organization {
	return view.Organization{UUID: o.UUID, Name: o.Name, Section: section, May: o.May}
}

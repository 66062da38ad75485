// Package owner is whose portals and lists a page shows: those of an organization, or the
// operator's.
package owner

import (
	"github.com/a-h/templ"

	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/moderation"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Roots are the paths below which each kind of owner has its pages.
var Roots = []string{"/organization/:organization/", "/administration/"}

// Owner owns what the pages of a section show.
type Owner struct {
	UUID    string // of the organization; "" for the operator
	org     page.Organization
	section string // the name of the page among those of an organization and in the administration
	request *page.Request
}

// Of returns the owner that the address names. The error is Forbidden for people who may not edit
// what it owns, NotFound for strangers.
func Of(r *page.Request, section string) (o Owner, err error) {
	o.request, o.section = r, section
	if r.Param("organization") == "" {
		return o, moderation.Administrators(func(*page.Request) error { return nil })(r)
	}
	o.org, err = r.OrganizationFor(permission.EditOrganization)
	o.UUID = o.org.UUID
	return o, err
}

// Path returns the address of the page of the section, or of one of its items.
func (o Owner) Path(item string) string { return o.pathOf(o.UUID, item) }

func (o Owner) pathOf(org, item string) string {
	path := page.Root + "/administration"
	if org != "" {
		path = page.Root + "/organization/" + org
	}
	path += "/" + o.section
	if item != "" {
		path += "/" + item
	}
	return path
}

// Row is an item of a list: the operator sees those of all organizations.
type Row struct {
	Path  string
	Owner string // the name of its organization, where items of several stand; "" for the operator's
}

// Row returns the row of an item of an organization.
func (o Owner) Row(item, org, name string) Row {
	row := Row{Path: o.pathOf(org, item)}
	if o.UUID == "" {
		row.Owner = name
	}
	return row
}

// Owns reports whether an item that names this organization is the owner's.
func (o Owner) Owns(org string) bool { return o.UUID == org }

// Show answers with a page of the section, or of the item with this name.
func (o Owner) Show(item string, content templ.Component) error {
	if o.UUID == "" {
		return moderation.ShowItem(o.request, o.section, item, content)
	}
	if item == "" {
		item = view.OrganizationLabel(o.request.Text, o.section)
	}
	return o.request.Show(view.Page{
		Title: item + " · " + o.org.Name, Section: o.UUID, Content: inOrganization(o.request.Text, o.org.Head(o.section), content),
	})
}

// ShowAlone answers with a page that only asks something.
func (o Owner) ShowAlone(title string, content templ.Component) error {
	section := o.UUID
	if section == "" {
		section = view.SectionAdministration
	}
	return o.request.Show(view.Page{Title: title, Section: section, Content: content})
}

// Note says of whom the page shows something, "" where that is plain.
func (o Owner) Note() string {
	if o.UUID == "" {
		return o.request.Text.T("moderation.owned")
	}
	return ""
}

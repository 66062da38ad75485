package view

import (
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/text"
)

// The pages of an organization, for Organization.Section.
const (
	OrganizationHome     = ""
	OrganizationEvents   = "events"
	OrganizationVenues   = "venues"
	OrganizationPortals  = "portals"
	OrganizationLists    = "lists"
	OrganizationSeries   = "series"
	OrganizationTeam     = "team"
	OrganizationKeys     = "keys"
	OrganizationWebhooks = "webhooks"
	OrganizationAudit    = "audit"
	OrganizationImport   = "import"
	OrganizationSources  = "sources"
	OrganizationSettings = "settings"
)

// Organization is the head of the pages of an organization.
type Organization struct {
	UUID    string
	Name    string
	Section string         // which of its pages is shown
	May     permission.Set // the person's permissions there
}

// organizationSections are the pages of an organization in the order of the menu. A page is shown
// to people who have one of its permissions, one without any to every member.
var organizationSections = []struct {
	name, icon string
	one        []permission.Set
}{
	{OrganizationHome, "list", nil},
	{OrganizationEvents, "calendar", nil},
	{OrganizationVenues, "pin", nil},
	{OrganizationPortals, "globe", []permission.Set{permission.EditOrganization}},
	{OrganizationSeries, "calendar", []permission.Set{permission.EditOrganization}},
	{OrganizationLists, "check", []permission.Set{permission.EditOrganization}},
	{OrganizationTeam, "person", []permission.Set{permission.ManageTeam}},
	{OrganizationKeys, "ticket", []permission.Set{permission.ManagePermissions}},
	{OrganizationWebhooks, "bolt", []permission.Set{permission.EditOrganization}},
	{OrganizationAudit, "clock", []permission.Set{permission.ManagePermissions, permission.ManageTeam}},
	{OrganizationImport, "share", []permission.Set{permission.AddEvent}},
	{OrganizationSources, "feed", []permission.Set{permission.AddEvent | permission.ChooseAsEventOrganization | permission.EditEvent}},
	{OrganizationSettings, "filter", nil},
}

// offers reports whether the person may see a page that needs one of these permissions.
func (o Organization) offers(one []permission.Set) bool {
	for _, need := range one {
		if o.May.Has(need) {
			return true
		}
	}
	return len(one) == 0
}

// address returns that of one of its pages.
func (o Organization) address(section string) string {
	address := "/console/organization/" + o.UUID
	if section != OrganizationHome {
		address += "/" + section
	}
	return address
}

// OrganizationLabel returns the name of a page of an organization.
func OrganizationLabel(t *text.Texts, section string) string {
	if section == OrganizationHome {
		section = "home"
	}
	return t.T("organization.nav." + section)
}

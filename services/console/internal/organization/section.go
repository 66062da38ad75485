package organization

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// groups are the fields of an organization.
var groups = []entity.Group{
	{ID: "profile", Fields: []entity.Field{
		{Key: "name", Max: adminapi.MaxName, Autocomplete: "organization", Required: true},
		{Key: "description", Kind: entity.Area, Max: adminapi.MaxDescription},
	}},
	{ID: "contact", Fields: []entity.Field{
		{Key: "web_link", Kind: entity.Link, Max: adminapi.MaxURL, Autocomplete: "url"},
		{Key: "contact_email", Kind: entity.Email, Max: adminapi.MaxEmail, Autocomplete: "email"},
		{Key: "contact_phone", Kind: entity.Phone, Max: adminapi.MaxName, Autocomplete: "tel"},
	}},
	{ID: "address", Fields: []entity.Field{
		{Key: "street", Max: adminapi.MaxName}, {Key: "house_number", Max: adminapi.MaxName},
		{Key: "address_addition", Max: adminapi.MaxName},
		{Key: "postal_code", Max: adminapi.MaxName, Autocomplete: "postal-code"},
		{Key: "city", Max: adminapi.MaxName, Autocomplete: "address-level2"},
		{Key: "country", Kind: entity.Choice, Options: countries},
		{Key: "state", Kind: entity.Choice, Options: states, Fits: isInCountry},
	}},
	{ID: "position", Fields: []entity.Field{{Key: "lat", Kind: entity.Degree}, {Key: "lon", Kind: entity.Degree}}},
	{ID: "form", Fields: []entity.Field{
		{Key: "legal_form", Kind: entity.Choice, Options: legalForms}, {Key: "nonprofit", Kind: entity.Triple},
		{Key: "holding_org_uuid", Kind: entity.Choice, Options: holdings},
	}},
}

// edited returns an organization with its fields.
func edited(r *page.Request, org page.Organization) entity.Entity {
	return entity.Entity{
		Request: r, Kind: "organization", Org: org.UUID, Need: permission.EditOrganization, Page: org.Path("settings"),
		Read: r.Admin().ReadOrganization(org.UUID), Write: r.Admin().WriteOrganization(org.UUID),
		Values: version.ValuesOf(org.Organization), Locked: !org.May.Has(permission.EditOrganization), Groups: groups,
		Public: func() bool { return isPublic(r, org) },
	}
}

func countries(e entity.Entity, values version.Values) []view.Option {
	return choose(e.Request, "countries", values.Text("country"))
}

func legalForms(e entity.Entity, values version.Values) []view.Option {
	return choose(e.Request, "legal-forms", values.Text("legal_form"))
}

// states are those of the country.
func states(e entity.Entity, values version.Values) []view.Option {
	known, _ := e.Lookup().States(values.Text("country")) // the page works without the names
	return known.OptionsOrNone(e.Text.T("organization.none"), values.Text("state"))
}

// isInCountry reports whether the state may belong to the country, also when the public API does
// not answer: the admin service then decides, and the stored state is not lost.
func isInCountry(r *page.Request, form page.Form) bool {
	country := form.Text("country")
	if country == "" {
		return false
	}
	known, err := r.Lookup().States(country)
	return err != nil || known.Has(form.Text("state"))
}

// choose returns a value set of the public API as options, such as "countries". chosen is the
// stored code, which stays an option when the public API does not answer; "" for none.
func choose(r *page.Request, set, chosen string) []view.Option {
	known, _ := r.Lookup().Choices(set) // the page works without the names
	return known.OptionsOrNone(r.Text.T("organization.none"), chosen)
}

// holdings are the organizations that may hold this one: to name one takes the right to edit it.
func holdings(e entity.Entity, values version.Values) []view.Option {
	r, own, chosen := e.Request, values.Text("uuid"), values.Text("holding_org_uuid")
	options := []view.Option{{Label: r.Text.T("organization.none"), Chosen: chosen == ""}}
	known := chosen == ""
	for _, m := range r.Memberships() {
		if m.OrgUUID != own && (permission.Set(m.Permissions).Has(permission.EditOrganization) || m.OrgUUID == chosen) {
			options = append(options, view.Option{Value: m.OrgUUID, Label: m.OrgName, Chosen: m.OrgUUID == chosen})
			known = known || m.OrgUUID == chosen
		}
	}
	if !known {
		options = append(options, view.Option{Value: chosen, Label: r.Text.T("organization.holding_other"), Chosen: true})
	}
	return options
}

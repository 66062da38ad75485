package organization

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// kind is how a field is written.
type kind int

const (
	kindLine   kind = iota
	kindText        // several lines
	kindTriple      // yes, no or unknown
	kindNumber
	kindCountry
	kindState
	kindLegalForm
	kindHolding // another organization of the person
)

// field is a field of an organization, by its key in the admin API.
type field struct {
	key          string
	kind         kind
	max          int // characters
	input        string
	autocomplete string
	required     bool
}

// section is a group of fields that is saved as one.
type section struct {
	id     string
	fields []field
}

var sections = []section{
	{"profile", []field{
		{key: "name", max: adminapi.MaxName, autocomplete: "organization", required: true},
		{key: "description", kind: kindText, max: adminapi.MaxDescription},
	}},
	{"contact", []field{
		{key: "web_link", max: adminapi.MaxURL, input: "url", autocomplete: "url"},
		{key: "contact_email", max: adminapi.MaxEmail, input: "email", autocomplete: "email"},
		{key: "contact_phone", max: adminapi.MaxName, input: "tel", autocomplete: "tel"},
	}},
	{"address", []field{
		{key: "street", max: adminapi.MaxName}, {key: "house_number", max: adminapi.MaxName}, {key: "address_addition", max: adminapi.MaxName},
		{key: "postal_code", max: adminapi.MaxName, autocomplete: "postal-code"}, {key: "city", max: adminapi.MaxName, autocomplete: "address-level2"},
		{key: "country", kind: kindCountry}, {key: "state", kind: kindState},
	}},
	{"position", []field{{key: "lat", kind: kindNumber}, {key: "lon", kind: kindNumber}}},
	{"form", []field{
		{key: "legal_form", kind: kindLegalForm}, {key: "nonprofit", kind: kindTriple}, {key: "holding_org_uuid", kind: kindHolding},
	}},
}

// on returns the section of an organization as it is edited.
func (s section) on(r *page.Request, org page.Organization) autosave.Part {
	label := r.Text.T("organization.section." + s.id)
	names := map[string]string{}
	for _, f := range s.fields {
		names[f.key] = r.Text.T("organization." + f.key)
	}
	locked := !org.May.Has(permission.EditOrganization)
	return autosave.Part{
		ID: s.id, Label: label, Write: r.Admin().WriteOrganization(org.UUID), Names: names, Dependent: geo.DependentKeys,
		Body: func(form page.Form) (map[string]any, view.Errors) { return s.body(r, form) },
		Draw: func(values version.Values, state view.State) templ.Component {
			form := view.AutoForm{ID: s.id, Action: org.Path("settings") + "/" + s.id, Label: label, State: state, Locked: locked}
			var fields []templ.Component
			for _, f := range s.fields {
				fields = append(fields, named("field-"+f.key, f.draw(r, values, state.Errors, locked)))
			}
			return sectionForm(r.Text, form, fields)
		},
	}
}

// body returns the fields of a form.
func (s section) body(r *page.Request, form page.Form) (map[string]any, view.Errors) {
	body, errors := map[string]any{}, view.Errors{}
	for _, f := range s.fields {
		value, problem := f.value(r, form)
		body[f.key] = value
		if problem != "" {
			errors[f.key] = problem
		}
	}
	if s.id == "position" && (body["lat"] == nil) != (body["lon"] == nil) && len(errors) == 0 {
		errors["lat"] = r.Text.T("organization.error.position")
	}
	return body, errors
}

// value returns the value of a field, and its error.
func (f field) value(r *page.Request, form page.Form) (value any, problem string) {
	text := form.Text(f.key)
	switch {
	case text == "" && f.required:
		return "", r.Text.T("organization.error.name")
	case text == "":
		return nil, ""
	case f.max > 0 && len([]rune(text)) > f.max:
		return text, r.Text.With("organization.error.long", "Max", r.Text.Integer(f.max))
	}
	switch f.kind {
	case kindTriple:
		return text == "true", ""
	case kindNumber:
		number, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		if err != nil || number < -180 || number > 180 || f.key == "lat" && (number < -90 || number > 90) {
			return text, r.Text.T("organization.error." + f.key)
		}
		return number, ""
	case kindState:
		if !mayBeIn(r, form.Text("country"), text) {
			return nil, "" // of the country before
		}
	case kindLine:
		if f.input == "url" && !strings.Contains(text, "://") {
			return "https://" + text, ""
		}
		if f.input == "email" && !strings.Contains(text, "@") {
			return text, r.Text.T("organization.error.email")
		}
	case kindText, kindCountry, kindLegalForm, kindHolding:
	}
	return text, ""
}

// draw returns the field with its value.
func (f field) draw(r *page.Request, values version.Values, errors view.Errors, locked bool) templ.Component {
	t, value := r.Text, values.Text(f.key)
	drawn := view.Field{
		Name: f.key, Label: t.T("organization." + f.key), Value: value, Error: errors[f.key], Max: f.max, Type: f.input,
		Autocomplete: f.autocomplete, Required: f.required, Content: f.kind == kindLine, Disabled: locked, Rows: 6,
	}
	if id := "organization." + f.key + ".hint"; t.Has(id) {
		drawn.Hint = t.T(id)
	}
	switch f.kind {
	case kindText:
		return view.TextArea(drawn)
	case kindTriple:
		return view.Choices(drawn, "radio", []view.Option{
			{Value: "true", Label: t.T("organization.yes"), Chosen: value == "true"},
			{Value: "false", Label: t.T("organization.no"), Chosen: value == "false"},
			{Label: t.T("organization.unknown"), Chosen: value == ""},
		})
	case kindNumber:
		drawn.Inputmode = "decimal"
	case kindCountry:
		return view.Select(drawn, choose(r, "countries", value))
	case kindState:
		return view.Select(drawn, chooseState(r, values.Text("country"), value))
	case kindLegalForm:
		return view.Select(drawn, choose(r, "legal-forms", value))
	case kindHolding:
		return view.Select(drawn, holdings(r, values.Text("uuid"), value))
	case kindLine:
	}
	return view.Input(drawn)
}

// holdings are the organizations that may hold this one: to name one takes the right to edit it.
func holdings(r *page.Request, own, chosen string) []view.Option {
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

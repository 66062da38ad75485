package webhook

import (
	"maps"
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// types are the types of notifications that the form offers; the last two only to organizations.
var types = []string{
	"event.published", "event.updated", "event.withdrawn", "venue.published", "venue.updated", "venue.withdrawn",
	"organization.published", "organization.updated", "organization.withdrawn", "draft.saved", "draft.deleted",
}

// form are the values of a webhook as they are typed. A webhook may have further filters, which
// only programs set and the form keeps.
type form struct {
	name, url    string
	types        []string
	own          bool   // only what belongs to the organization
	cities, tags string // separated by commas
	labels       []string
	errors       view.Errors
}

func newForm(ofOrganization bool) form {
	return form{types: types[:3], own: ofOrganization}
}

// formOf returns the values of a webhook.
func formOf(hook adminapi.Webhook) form {
	return form{
		name: hook.Name, url: hook.URL, types: hook.Types,
		own:    slices.Equal(hook.Filter.Organizations, []string{string(hook.OrgUUID)}),
		cities: strings.Join(hook.Filter.Cities, ", "), tags: strings.Join(hook.Filter.Tags, ", "),
		labels: hook.Filter.Label,
	}
}

func readForm(r *page.Request) form {
	return form{
		name: r.Form.Text("name"), url: r.Form.Text("url"), types: r.Form.Values["types"], own: r.Form.Text("own") != "",
		cities: r.Form.Text("cities"), tags: r.Form.Text("tags"), labels: r.Form.Values["label"], errors: view.Errors{},
	}
}

// fields returns the fields for the admin service; filter is the one before.
func (f form) fields(org *page.Organization, filter adminapi.WebhookFilter) map[string]any {
	if org != nil {
		own := []string{org.UUID}
		switch {
		case f.own:
			filter.Organizations = own
		case slices.Equal(filter.Organizations, own):
			filter.Organizations = nil
		}
	}
	filter.Cities, filter.Tags, filter.Label = listed(f.cities), listed(f.tags), f.labels
	chosen := f.types
	if chosen == nil {
		chosen = []string{}
	}
	return map[string]any{"name": f.name, "url": f.url, "types": chosen, "filter": filter}
}

// listed returns the parts of a text between commas.
func listed(text string) (parts []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// options are the types to choose from.
func (f form) options(t *text.Texts, ofOrganization bool) []view.Option {
	offered := types
	if !ofOrganization {
		offered = types[:len(types)-2]
	}
	options := make([]view.Option, len(offered))
	for i, name := range offered {
		options[i] = view.Option{Value: name, Label: t.T("webhook.type." + name), Chosen: slices.Contains(f.types, name)}
	}
	return options
}

// labelOptions are the labels of the platform to choose from. Without their names the form still
// has those that were chosen.
func (f form) labelOptions(r *page.Request) []view.Option {
	all, _ := r.Lookup().Choices("labels")
	return all.Options(f.labels...)
}

// linked names errors by the inputs to which the problems above a form lead.
func linked(errors view.Errors) view.Errors {
	inputs := maps.Clone(errors)
	for _, name := range []string{"types", "label"} {
		if problem, found := inputs[name]; found {
			inputs[name+"-0"] = problem
			delete(inputs, name)
		}
	}
	return inputs
}

// errorsOf returns the errors of a refused form by its fields.
func errorsOf(err error) view.Errors {
	errors := view.Reasons(err)
	for _, name := range []string{"cities", "tags", "label"} {
		if problem, found := errors["filter."+name]; found {
			errors[name] = problem
			delete(errors, "filter."+name)
		}
	}
	return errors
}

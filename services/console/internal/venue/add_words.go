package venue

import (
	"maps"

	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/opening"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// backLabel names the page that the person comes from.
func (d *draft) backLabel() string {
	if d.event != nil {
		return d.event.Title
	}
	return d.Text.T("venues")
}

// submitLabel is the label of the form's button.
func (d *draft) submitLabel() string {
	if d.event != nil {
		return d.Text.T("venue.add_and_choose")
	}
	return d.Text.T("venue.add")
}

// orgOptions are the organizations to which the venue may belong.
func (d *draft) orgOptions() []view.Option {
	var options []view.Option
	for _, o := range d.organizations {
		options = append(options, view.Option{Value: o.UUID, Label: o.Name, Chosen: o.UUID == d.text("org_uuid")})
	}
	return options
}

// venueNames are the labels of a venue's fields.
func venueNames(t *text.Texts) map[string]string {
	names := map[string]string{"lat": t.T("position.lat"), "lon": t.T("position.lon"), "org_uuid": t.T("venue.org")}
	for _, key := range append([]string{
		"name", "summary", "description", "contact_email", "contact_phone", "web_link", "timezone", "opened_at", "closed_at",
		"opening_hours", "ticket_info", "ticket_link", "accessibility_flags", "accessibility_summary",
		"wikidata_id", "osm_id",
	}, geo.AddressKeys...) {
		names[key] = t.T("venue." + key)
	}
	maps.Copy(names, opening.Labels(t))
	return names
}

// countries are the choices of a country.
func countries(t *text.Texts, sets lookup.Sets, chosen string) []view.Option {
	return sets.Countries.OptionsOrNone(t.T("venue.country_none"), chosen)
}

package event

import (
	"github.com/a-h/templ"

	"litfass/services/console/internal/page"
	money "litfass/services/console/internal/price"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

var tariffs = group{
	name: "tariffs", write: "participation-infos", keys: []string{money.FieldTariffs}, button: true, read: readTariffs,
	redraw: func(page.Form) bool { return true }, // there are empty ones again
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return money.TariffFields(s.Text, s.sets.Currencies, money.List{
			Legend: s.Text.T("event.field.tariffs"), Hint: s.Text.T("event.tariffs.hint"),
			Tariffs: tariffsOf(values), Wrong: state.Errors["tariffs"], Edits: s.edits(),
		})
	},
}

// tariffsOf returns the tariffs of an event; none where they cannot be read.
func tariffsOf(values version.Values) (all []money.Tariff) {
	_ = values.Read("tariffs", &all)
	return all
}

// readTariffs reads the tariffs.
func readTariffs(d *formBody) {
	all, wrong, given := money.ReadTariffs(d.Form, d.t)
	if !given {
		return
	}
	if wrong != "" {
		d.errors["tariffs"] = wrong
	}
	d.body["tariffs"] = all
}

// derivedPrices writes the prices that follow from the tariffs; "" without any.
func (s *sheet) derivedPrices() string { return money.Total(s.Text, s.event.Tariffs) }

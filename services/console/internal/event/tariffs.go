package event

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// The names of the fields of tariffs, each of them once for a tariff; the currency is that of all.
const (
	fieldTariffName      = "tariff_name"
	fieldTariffMin       = "tariff_min"
	fieldTariffMax       = "tariff_max"
	fieldTariffCondition = "tariff_condition"
	fieldTariffCurrency  = "tariff_currency"
)

// spareTariffs is how many empty tariffs can be filled in at once.
const spareTariffs = 3

// tariff is one as people type it: an amount that is none stays as it was typed.
type tariff struct {
	Name      string `json:"name"`
	MinPrice  any    `json:"min_price"`
	MaxPrice  any    `json:"max_price"`
	Currency  string `json:"currency"`
	Condition any    `json:"condition"`
}

var tariffs = group{
	name: "tariffs", write: "participation-infos", keys: []string{"tariffs"}, button: true, read: readTariffs,
	redraw: func(page.Form) bool { return true }, // there are empty ones again
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return tariffFields(s, tariffsOf(values), state.Errors["tariffs"])
	},
}

// tariffsOf returns the tariffs of an event; none where they cannot be read.
func tariffsOf(values version.Values) (all []tariff) {
	_ = values.Read("tariffs", &all)
	return all
}

// filledTariffs returns the places of the tariffs of a form in which something is filled in.
func filledTariffs(form page.Form) (places []int) {
	for i := range form.Values[fieldTariffName] {
		typed := ""
		for _, name := range []string{fieldTariffName, fieldTariffMin, fieldTariffMax, fieldTariffCondition} {
			typed += nth(form, name, i)
		}
		if typed != "" {
			places = append(places, i)
		}
	}
	return places
}

// nth returns the value of the nth field of a name, without spaces around it.
func nth(form page.Form, name string, i int) string {
	if all := form.Values[name]; i < len(all) {
		return strings.TrimSpace(all[i])
	}
	return ""
}

// readTariffs reads the tariffs. One that is emptied is gone.
func readTariffs(d *formBody) {
	if d.Values[fieldTariffCurrency] == nil { // the form does not have them
		return
	}
	all := []tariff{}
	for _, i := range filledTariffs(d.Form) {
		one := tariff{Name: nth(d.Form, fieldTariffName, i), Currency: d.Text(fieldTariffCurrency)}
		if condition := nth(d.Form, fieldTariffCondition, i); condition != "" {
			one.Condition = condition
		}
		one.MinPrice, one.MaxPrice = d.tariffAmount(fieldTariffMin, i), d.tariffAmount(fieldTariffMax, i)
		low, isLow := one.MinPrice.(float64)
		high, isHigh := one.MaxPrice.(float64)
		switch {
		case d.errors["tariffs"] != "":
		case one.Name == "" || !isLow:
			d.errors["tariffs"] = d.t.With("event.tariffs.incomplete", "N", len(all)+1)
		case isHigh && high < low:
			d.errors["tariffs"] = d.t.With("event.tariffs.below_lowest", "Name", one.Name)
		}
		all = append(all, one)
	}
	d.body["tariffs"] = all
}

// tariffAmount reads an amount of a tariff; nil for none.
func (d *formBody) tariffAmount(name string, i int) any {
	typed := nth(d.Form, name, i)
	if typed == "" {
		return nil
	}
	number, valid := amountOf(typed, d.t)
	if !valid {
		d.errors["tariffs"] = d.t.T("event.not_an_amount")
		return typed
	}
	return number
}

// currencyOf returns the currency of tariffs; "" without any.
func currencyOf(all []tariff) string {
	if len(all) == 0 {
		return ""
	}
	return all[0].Currency
}

// tariffField returns a field of the nth tariff, from 0.
func tariffField(t *text.Texts, name string, n int, value any) view.Field {
	return view.Field{ID: name + "-" + strconv.Itoa(n+1), Name: name, Label: t.T("event." + name), Value: plain(t, value)}
}

// tariffPrice is tariffField for an amount.
func tariffPrice(t *text.Texts, name string, n int, value any) view.Field {
	field := tariffField(t, name, n, value)
	field.Inputmode = "decimal"
	return field
}

// tariffText is tariffField for words of at most some characters.
func tariffText(t *text.Texts, name string, n int, value any, limit int) view.Field {
	field := tariffField(t, name, n, value)
	field.Content, field.Max = true, limit
	return field
}

// plain writes a value that was read from JSON: amounts as the language does, nil as "".
func plain(t *text.Texts, value any) string {
	switch value := value.(type) {
	case float64:
		return amount(t, strconv.FormatFloat(value, 'f', -1, 64))
	case string:
		return value
	}
	return ""
}

// tariffWords writes tariffs in a line, such as "Stalls 24–38 EUR, Balcony 12 EUR (students)".
func (s *sheet) tariffWords(values version.Values) string {
	all := tariffsOf(values)
	words := make([]string, len(all))
	for i, one := range all {
		price := plain(s.Text, one.MinPrice)
		if high := plain(s.Text, one.MaxPrice); high != "" && high != price {
			price += "–" + high
		}
		words[i] = strings.Join(strings.Fields(one.Name+" "+price+" "+one.Currency), " ")
		if condition := plain(s.Text, one.Condition); condition != "" {
			words[i] += " (" + condition + ")"
		}
	}
	return strings.Join(words, ", ")
}

// derivedPrices writes the prices that follow from the tariffs; "" without any.
func (s *sheet) derivedPrices() string {
	low, high, currency := s.event.MinPrice, s.event.MaxPrice, string(s.event.Currency)
	if len(s.event.Tariffs) == 0 || low == nil {
		return ""
	}
	words := plain(s.Text, *low)
	if high != nil && *high != *low {
		words += "–" + plain(s.Text, *high)
	}
	return words + " " + currency
}

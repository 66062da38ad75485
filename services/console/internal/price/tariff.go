package price

import (
	"strconv"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// The names of the fields of tariffs, each of them once for a tariff; the currency is that of all.
const (
	fieldName      = "tariff_name"
	fieldMin       = "tariff_min"
	fieldMax       = "tariff_max"
	fieldCondition = "tariff_condition"
	fieldCurrency  = "tariff_currency"
)

// FieldTariffs is the name of tariffs in the API, and the id of their fields.
const FieldTariffs = "tariffs"

// spareTariffs is how many empty tariffs can be filled in at once.
const spareTariffs = 3

// Tariff is one as people type it: an amount that is none stays as it was typed.
type Tariff struct {
	Name      string `json:"name"`
	MinPrice  any    `json:"min_price"`
	MaxPrice  any    `json:"max_price"`
	Currency  string `json:"currency"`
	Condition any    `json:"condition"`
}

// TariffsOf returns stored tariffs as people type them.
func TariffsOf(stored []adminapi.Tariff) (all []Tariff) {
	amount := func(number *float64) any {
		if number == nil {
			return nil
		}
		return *number
	}
	for _, t := range stored {
		one := Tariff{Name: t.Name, MinPrice: amount(t.MinPrice), MaxPrice: amount(t.MaxPrice), Currency: t.Currency}
		if t.Condition != "" {
			one.Condition = string(t.Condition)
		}
		all = append(all, one)
	}
	return all
}

// ReadTariffs reads the tariffs of a form, never nil. One that is emptied is gone. given is false
// for a form without them. wrong is what the person must change, "" for nothing.
func ReadTariffs(form page.Form, t *text.Texts) (all []Tariff, wrong string, given bool) {
	if form.Values[fieldCurrency] == nil {
		return nil, "", false
	}
	all = []Tariff{}
	for _, i := range filled(form) {
		one := Tariff{Name: nth(form, fieldName, i), Currency: form.Text(fieldCurrency)}
		if condition := nth(form, fieldCondition, i); condition != "" {
			one.Condition = condition
		}
		var isAmount [2]bool
		one.MinPrice, isAmount[0] = amountOf(nth(form, fieldMin, i), t)
		one.MaxPrice, isAmount[1] = amountOf(nth(form, fieldMax, i), t)
		low, isLow := one.MinPrice.(float64)
		high, isHigh := one.MaxPrice.(float64)
		switch {
		case wrong != "":
		case isAmount != [2]bool{true, true}:
			wrong = t.T("event.not_an_amount")
		case one.Name == "" || !isLow:
			wrong = t.With("event.tariffs.incomplete", "N", len(all)+1)
		case isHigh && high < low:
			wrong = t.With("event.tariffs.below_lowest", "Name", one.Name)
		}
		all = append(all, one)
	}
	return all, wrong, true
}

// filled returns the places of the tariffs of a form in which something is filled in.
func filled(form page.Form) (places []int) {
	for i := range form.Values[fieldName] {
		typed := ""
		for _, name := range []string{fieldName, fieldMin, fieldMax, fieldCondition} {
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

// amountOf reads an amount of a tariff, nil for none; one that is no amount stays as it is.
func amountOf(typed string, t *text.Texts) (amount any, valid bool) {
	if typed == "" {
		return nil, true
	}
	number, valid := Read(typed, t)
	if !valid {
		return typed, false
	}
	return number, true
}

// currencyOf returns the currency of tariffs; "" without any.
func currencyOf(all []Tariff) string {
	if len(all) == 0 {
		return ""
	}
	return all[0].Currency
}

// id is the id of the fields together.
func (l List) id() string { return l.Prefix + FieldTariffs }

// field returns a field of the nth tariff, from 0.
func (l List) field(t *text.Texts, name string, n int, value any) view.Field {
	return view.Field{ID: l.Prefix + name + "-" + strconv.Itoa(n+1), Name: name, Label: t.T("event." + name), Value: plain(t, value)}
}

// price is field for an amount.
func (l List) price(t *text.Texts, name string, n int, value any) view.Field {
	field := l.field(t, name, n, value)
	field.Inputmode = "decimal"
	return field
}

// text is field for words of at most some characters.
func (l List) text(t *text.Texts, name string, n int, value any, limit int) view.Field {
	field := l.field(t, name, n, value)
	field.Content, field.Max = true, limit
	return field
}

// plain writes a value that was read from JSON: amounts as the language does, nil as "".
func plain(t *text.Texts, value any) string {
	switch value := value.(type) {
	case float64:
		return Write(t, strconv.FormatFloat(value, 'f', -1, 64))
	case string:
		return value
	}
	return ""
}

// Stored returns tariffs that were read without anything wrong, as the admin service takes them.
func Stored(all []Tariff) []adminapi.Tariff {
	stored := make([]adminapi.Tariff, len(all))
	for i, one := range all {
		stored[i] = adminapi.Tariff{Name: one.Name, Currency: one.Currency}
		if low, is := one.MinPrice.(float64); is {
			stored[i].MinPrice = &low
		}
		if high, is := one.MaxPrice.(float64); is {
			stored[i].MaxPrice = &high
		}
		if condition, is := one.Condition.(string); is {
			stored[i].Condition = value.Text(condition)
		}
	}
	return stored
}

// Words writes tariffs in a line, such as "Stalls 24–38 EUR, Balcony 12 EUR (students)".
func Words(t *text.Texts, all []Tariff) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = strings.Join(strings.Fields(one.Name+" "+span(t, one.MinPrice, one.MaxPrice)+" "+one.Currency), " ")
		if condition := plain(t, one.Condition); condition != "" {
			words[i] += " (" + condition + ")"
		}
	}
	return strings.Join(words, ", ")
}

// Total writes the least and the greatest price of stored tariffs, such as "12–38 EUR"; "" without
// any.
func Total(t *text.Texts, all []adminapi.Tariff) string {
	var low, high *float64
	for _, one := range all {
		most := one.MaxPrice
		if most == nil {
			most = one.MinPrice
		}
		if one.MinPrice != nil && (low == nil || *one.MinPrice < *low) {
			low = one.MinPrice
		}
		if most != nil && (high == nil || *most > *high) {
			high = most
		}
	}
	if low == nil || high == nil {
		return ""
	}
	return span(t, *low, *high) + " " + all[0].Currency
}

// span writes a price or a range.
func span(t *text.Texts, low, high any) string {
	price := plain(t, low)
	if high := plain(t, high); high != "" && high != price {
		price += "–" + high
	}
	return price
}

package event

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// formBody is the body of a request that is read from a form. Invalid values stay in the body as
// they were typed, and are named in errors.
type formBody struct {
	page.Form
	t      *text.Texts
	zone   *time.Location // of the console
	body   map[string]any
	errors view.Errors
}

func readBody(r *page.Request, form page.Form) *formBody {
	return &formBody{form, r.Text, r.Now.Location(), map[string]any{}, view.Errors{}}
}

// text reads a text of at most some characters; nil for none.
func (d *formBody) text(key string, limit int) {
	d.body[key] = d.TextOrNil(key)
	if count := utf8.RuneCountInString(d.Text(key)); count > limit {
		d.errors[key] = d.t.With("event.too_long", "Max", d.t.Integer(limit), "Count", d.t.Integer(count))
	}
}

// address reads the address of a page. One without a scheme gets that of the web.
func (d *formBody) address(key string) {
	d.body[key] = nil
	link, valid := d.Link(key)
	if link != "" {
		d.body[key] = link
	}
	if !valid {
		d.errors[key] = d.t.T("reason.not_url")
	}
}

// grouped is a whole number with separators of thousands.
var grouped = regexp.MustCompile(`^\d{1,3}([.,' ]\d{3})+$`)

// number reads a whole number; nil for none.
func (d *formBody) number(key string, low, high int) {
	typed := d.Text(key)
	d.body[key] = d.TextOrNil(key)
	if typed == "" {
		return
	}
	if grouped.MatchString(typed) {
		typed = strings.NewReplacer(".", "", ",", "", "'", "", " ", "").Replace(typed)
	}
	number, err := strconv.Atoi(typed)
	if err != nil || number < low || number > high {
		d.errors[key] = d.t.With("event.not_a_number", "Low", d.t.Integer(low), "High", d.t.Integer(high))
		return
	}
	d.body[key] = number
}

// amount reads an amount of money; nil for none.
func (d *formBody) amount(key string) {
	typed := d.Text(key)
	d.body[key] = d.TextOrNil(key)
	if typed == "" {
		return
	}
	amount, valid := amountOf(typed, d.t)
	if !valid {
		d.errors[key] = d.t.T("event.not_an_amount")
		return
	}
	d.body[key] = amount
}

// amountOf reads an amount of money as people type it, and reports whether it is one.
func amountOf(typed string, t *text.Texts) (float64, bool) {
	amount, err := strconv.ParseFloat(decimal(typed, t.T("format.decimal")), 64)
	const highest = 99_999_999
	return amount, err == nil && amount >= 0 && amount <= highest // not NaN
}

var amountParts = regexp.MustCompile(`^(\d[\d.,]*?)([.,](\d*))?$`)

// decimal writes an amount as people type it with a point and without separators of thousands: of
// two separators the last one is the decimal one. A single one in front of three digits separates
// thousands unless the language has it for decimals. It returns "" for an invalid amount.
func decimal(typed, point string) string {
	typed = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "€", "", "$", "", "£", "", ",-", "", ",–", "").Replace(typed)
	parts := amountParts.FindStringSubmatch(typed)
	if parts == nil {
		return ""
	}
	whole, separator, cents := parts[1], strings.TrimRight(parts[2], "0123456789"), parts[3]
	const group = 3
	if separator != "" && separator != point && len(cents) == group && !strings.Contains(whole, point) {
		whole, cents = whole+separator+cents, ""
	}
	if strings.ContainsAny(whole, ".,") {
		if !grouped.MatchString(whole) {
			return ""
		}
		whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	}
	if cents == "" {
		return whole
	}
	return whole + "." + cents
}

// numbers reads ticked numbers; never nil. What is no number is left out: no page sends it.
func (d *formBody) numbers(name string) []int {
	numbers := []int{}
	for _, value := range d.Values[name] {
		if number, err := strconv.Atoi(value); err == nil {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// unique returns each of some values once, in their order.
func unique[T comparable](values []T) []T {
	all := make([]T, 0, len(values))
	for _, value := range values {
		if !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	return all
}

// ticked reads ticked texts; never nil.
func (d *formBody) ticked(name string) []string {
	ticked := []string{}
	for _, value := range d.Values[name] {
		if value = strings.TrimSpace(value); value != "" {
			ticked = append(ticked, value)
		}
	}
	return ticked
}

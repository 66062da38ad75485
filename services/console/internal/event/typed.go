package event

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/services/console/internal/page"
	money "litfass/services/console/internal/price"
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

// number reads a whole number; nil for none.
func (d *formBody) number(key string, low, high int) {
	typed := d.Text(key)
	d.body[key] = d.TextOrNil(key)
	if typed == "" {
		return
	}
	if money.Grouped.MatchString(typed) {
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
	amount, valid := money.Read(typed, d.t)
	if !valid {
		d.errors[key] = d.t.T("event.not_an_amount")
		return
	}
	d.body[key] = amount
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

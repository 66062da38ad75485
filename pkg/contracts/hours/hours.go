// Package hours has the opening hours of dates and venues: weekly hours with closed and special
// days (RULES.md, Opening hours), and the days and times at which they are open.
package hours

import (
	"cmp"
	"slices"
	"strings"

	"litfass/pkg/contracts/value"
)

// Hours are opening hours; the zero value is none, which is null in JSON. Times are HH:MM in the
// local time of the place; an end that is not after its start is on the next day. A special day
// beats a closed one, and both beat the week.
type Hours struct {
	Weekly  []Weekly  `json:"weekly"`
	Closed  []Closed  `json:"closed"`
	Special []Special `json:"special"`
}

// Weekly is one opening on a day of every week, one of Weekdays. A day may have several.
type Weekly struct {
	Day  string `json:"day"`
	From string `json:"from"`
	To   string `json:"to"`
}

// Closed are days, both included, on which the weekly hours do not apply.
type Closed struct {
	From string     `json:"from"` // YYYY-MM-DD
	To   string     `json:"to"`
	Note value.Text `json:"note"` // such as the name of a holiday
}

// Special is one opening on a single day, in place of the weekly hours. A day may have several.
type Special struct {
	Date string     `json:"date"`
	From string     `json:"from"`
	To   string     `json:"to"`
	Note value.Text `json:"note"`
}

// Weekdays are the keys of the days of a week, in order.
var Weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// Normalize brings hours into their stored form: openings in the order of their days and times, a
// single closed day with its end.
func (h *Hours) Normalize() {
	if h.Empty() {
		*h = Hours{}
		return
	}
	h.complete()
	for i := range h.Closed {
		h.Closed[i].To = cmp.Or(h.Closed[i].To, h.Closed[i].From)
	}
	slices.SortStableFunc(h.Weekly, func(a, b Weekly) int {
		if a.Day != b.Day {
			return slices.Index(Weekdays, a.Day) - slices.Index(Weekdays, b.Day)
		}
		return strings.Compare(a.From, b.From)
	})
	slices.SortStableFunc(h.Closed, func(a, b Closed) int { return strings.Compare(a.From+a.To, b.From+b.To) })
	slices.SortStableFunc(h.Special, func(a, b Special) int { return strings.Compare(a.Date+a.From, b.Date+b.From) })
}

// Empty reports whether there are none.
func (h Hours) Empty() bool { return len(h.Weekly)+len(h.Closed)+len(h.Special) == 0 }

// plain are Hours with the JSON of their fields.
type plain Hours

// MarshalJSON writes null for no hours, and otherwise an object with three lists.
func (h Hours) MarshalJSON() ([]byte, error) {
	if h.Empty() {
		return []byte("null"), nil
	}
	h.complete()
	return value.JSON(plain(h))
}

// complete gives hours that are not empty the lists that they lack.
func (h *Hours) complete() {
	h.Weekly = append(make([]Weekly, 0, len(h.Weekly)), h.Weekly...)
	h.Closed = append(make([]Closed, 0, len(h.Closed)), h.Closed...)
	h.Special = append(make([]Special, 0, len(h.Special)), h.Special...)
}

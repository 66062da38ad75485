package rules

import (
	"slices"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
)

// normalizeHours brings opening hours into their stored form.
func normalizeHours(h *hours.Hours) {
	for i := range h.Weekly {
		w := &h.Weekly[i]
		cleanLower(&w.Day)
		cleanLines(&w.From, &w.To)
	}
	for i := range h.Closed {
		days := &h.Closed[i]
		cleanLines(&days.From, &days.To)
		cleanLines(&days.Note)
	}
	for i := range h.Special {
		s := &h.Special[i]
		cleanLines(&s.Date, &s.From, &s.To)
		cleanLines(&s.Note)
	}
	h.Normalize()
}

// hours checks opening hours.
func (c checker) hours(h hours.Hours) {
	if h.Empty() {
		return
	}
	if len(h.Weekly)+len(h.Special) == 0 {
		c.bad("hours.weekly", reason.Required)
	}
	for _, list := range []struct {
		name          string
		length, limit int
	}{
		{"hours.weekly", len(h.Weekly), adminapi.MaxWeekly}, {"hours.closed", len(h.Closed), adminapi.MaxClosed},
		{"hours.special", len(h.Special), adminapi.MaxSpecial},
	} {
		if list.length > list.limit {
			c.bad(list.name, reason.TooMany(list.limit))
			return
		}
	}
	c.weekly(h.Weekly)
	c.closed(h.Closed)
	c.special(h.Special)
}

func (c checker) weekly(openings []hours.Weekly) {
	for i, w := range openings {
		at := c.at("hours.weekly", i)
		if !slices.Contains(hours.Weekdays, w.Day) {
			at.bad("day", reason.NotOneOf(hours.Weekdays))
		}
		valid := at.opening(w.From, w.To)
		if i > 0 && valid && w.Day == openings[i-1].Day && overlaps(openings[i-1].From, openings[i-1].To, w.From) {
			at.bad("from", reason.Before(c.at("hours.weekly", i-1).path("to")))
		}
	}
}

func (c checker) closed(closed []hours.Closed) {
	all := 0 // days, of which calendars have each
	for i, days := range closed {
		at := c.at("hours.closed", i)
		if days.From == "" {
			at.bad("from", reason.Required)
		}
		from, to := at.day("from", days.From), at.day("to", days.To)
		if from && to && days.To < days.From {
			at.bad("to", reason.Before("from"))
		}
		at.text("note", string(days.Note), adminapi.MaxName)
		if first, err := hours.ParseDay(days.From); err == nil {
			if last, err := hours.ParseDay(days.To); err == nil {
				all += int(max(last-first, 0)) + 1
			}
		}
	}
	if all > adminapi.MaxClosedDays {
		c.bad("hours.closed", reason.TooMany(adminapi.MaxClosedDays))
	}
}

func (c checker) special(special []hours.Special) {
	for i, s := range special {
		at := c.at("hours.special", i)
		if s.Date == "" {
			at.bad("date", reason.Required)
		}
		at.day("date", s.Date)
		valid := at.opening(s.From, s.To)
		if i > 0 && valid && s.Date == special[i-1].Date && overlaps(special[i-1].From, special[i-1].To, s.From) {
			at.bad("from", reason.Before(c.at("hours.special", i-1).path("to")))
		}
		at.text("note", string(s.Note), adminapi.MaxName)
	}
}

// opening checks the times of an opening, and reports whether they are valid.
func (c checker) opening(from, to string) bool {
	for _, field := range []struct{ name, time string }{{"from", from}, {"to", to}} {
		if field.time == "" {
			c.bad(field.name, reason.Required)
		}
	}
	start, end := c.clock("from", from), c.clock("to", to)
	return start && end
}

// overlaps reports whether an opening lasts beyond the start of the next one of the same day, which
// begins no earlier.
func overlaps(from, to, next string) bool { return to <= from || next < to }

package reference

import (
	"slices"
	"strings"
)

// Hours are opening hours. A special day beats a closed one, and both beat the week.
type Hours struct {
	Weekly  []WeeklyHours  `json:"weekly"`
	Closed  []ClosedDays   `json:"closed"`
	Special []SpecialHours `json:"special"`
}

// WeeklyHours are one opening on a day of every week.
type WeeklyHours struct {
	Day  string `json:"day"`
	From string `json:"from"`
	To   string `json:"to"`
}

// ClosedDays are days, both included, without their weekly hours.
type ClosedDays struct {
	From string `json:"from"`
	To   string `json:"to"`
	Note Text   `json:"note"`
}

// SpecialHours are one opening on one day.
type SpecialHours struct {
	Date string `json:"date"`
	From string `json:"from"`
	To   string `json:"to"`
	Note Text   `json:"note"`
}

// never is the last day of a period without an end.
const never = "9999-12-31"

// searchedDays are more days than generated hours have exceptions in.
const searchedDays = 200

// runsOn reports whether a date runs on one of the days: with opening hours, whether it opens.
func (d *Dated) runsOn(from, to string) bool {
	if d.Date.StartDate > to || d.endDay() < from {
		return false
	}
	if d.Date.Hours == nil {
		return true
	}
	for day := max(from, d.Date.StartDate); day <= min(to, d.endDay()); day = move(day, 1) {
		if _, opens := d.Date.Hours.times(day); opens {
			return true
		}
	}
	return false
}

// minutes are the minutes of a clock.
type minutes [24 * 60]bool

// times returns the minutes at which the openings of a day are open, and whether there are any.
func (h *Hours) times(day string) (times minutes, opens bool) {
	for _, s := range h.Special {
		if s.Date == day {
			times.open(s.From, s.To)
			opens = true
		}
	}
	if opens || slices.ContainsFunc(h.Closed, func(c ClosedDays) bool { return c.From <= day && day <= c.To }) {
		return times, opens
	}
	today := strings.ToLower(weekday(day).String()[:3])
	for _, w := range h.Weekly {
		if w.Day == today {
			times.open(w.From, w.To)
			opens = true
		}
	}
	return times, opens
}

// open adds the minutes from a time on up to another, past midnight if that is not later.
func (m *minutes) open(from, to string) {
	at, end := minuteOf(from), minuteOf(to)
	for first := true; first || at != end; first = false {
		m[at] = true
		at = (at + 1) % len(m)
	}
}

// within reports whether one of the minutes is from one minute to another, both included, past
// midnight if that is earlier.
func (m *minutes) within(from, to int) bool {
	for at, open := range m {
		if open && (from <= to && from <= at && at <= to || from > to && (at >= from || at <= to)) {
			return true
		}
	}
	return false
}

// minuteOf reads HH:MM.
func minuteOf(clock string) int { return integer(clock[:2], 0)*60 + integer(clock[3:], 0) }

// everyOpenTime returns the minutes at which a date is open on any day of its period.
func (d *Dated) everyOpenTime() (every minutes) {
	for day, n := d.Date.StartDate, 0; day <= d.endDay() && n < searchedDays; day, n = move(day, 1), n+1 {
		times, _ := d.Date.Hours.times(day)
		for at, open := range times {
			every[at] = every[at] || open
		}
	}
	return every
}

// atTime reads the parameter time: the start of a date is within it, or a date with opening hours
// is open, on one of the days of the parameter on if these are few.
func atTime(value, on, today string) filter {
	starts := startsBetween(value)
	first, last, _ := strings.Cut(strings.Replace(value, "-", ",", 1), ",")
	a, b := minuteOf(clock(first)), min(minuteOf(clock(last)), 24*60-1)
	return func(d *Dated) bool {
		if d.Date.Hours == nil {
			return starts(d)
		}
		from, to := "", ""
		if on != "" {
			from, to = days(on, today)
		}
		if on == "" || to > move(from, 30) {
			times := d.openTimes()
			return times.within(a, b)
		}
		for day := max(from, d.Date.StartDate); day <= min(to, d.endDay()); day = move(day, 1) {
			if times, _ := d.Date.Hours.times(day); times.within(a, b) {
				return true
			}
		}
		return false
	}
}

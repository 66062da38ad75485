package hours

import (
	"fmt"
	"slices"
	"time"
)

// Minutes of a day.
const (
	DayMinutes = 24 * 60
	hour       = 60
)

// Opening is the time from a minute of a day up to another, which is excluded and may be one of the
// next day: To is at most twice DayMinutes.
type Opening struct{ From, To int }

// Calendar knows the openings of the days of a period.
type Calendar struct {
	First, Last Day
	week        [7][]Opening
	closed      []span // in order, apart
	special     map[Day][]Opening
	specialDays []Day // of the period, in order
}

// span is a sequence of days, both ends included.
type span struct{ first, last Day }

// Over returns the calendar of valid hours over a period of days; without a last day it does not
// end. The error is that of invalid hours.
func (h Hours) Over(first, last string) (c Calendar, err error) {
	if c.First, err = ParseDay(first); err != nil {
		return c, err
	}
	c.Last = Forever
	if last != "" {
		if c.Last, err = ParseDay(last); err != nil {
			return c, err
		}
	}
	for _, w := range h.Weekly {
		at := slices.Index(Weekdays, w.Day)
		opening, err := openingOf(w.From, w.To)
		if at < 0 || err != nil {
			return c, fmt.Errorf("weekly hours %v: invalid", w)
		}
		c.week[at] = append(c.week[at], opening)
	}
	if err = c.close(h.Closed); err != nil {
		return c, err
	}
	return c, c.except(h.Special)
}

func (c *Calendar) close(closed []Closed) error {
	for _, days := range closed {
		first, err := ParseDay(days.From)
		if err != nil {
			return err
		}
		last, err := ParseDay(days.To)
		if err != nil {
			return err
		}
		if first, last = max(first, c.First), min(last, c.Last); first <= last {
			c.closed = append(c.closed, span{first, last})
		}
	}
	c.closed = merged(c.closed)
	return nil
}

// merged returns spans in order that are apart from each other and have the same days.
func merged(spans []span) (apart []span) {
	slices.SortFunc(spans, func(a, b span) int { return int(a.first - b.first) })
	for _, s := range spans {
		if n := len(apart) - 1; n >= 0 && s.first <= apart[n].last+1 {
			apart[n].last = max(apart[n].last, s.last)
		} else {
			apart = append(apart, s)
		}
	}
	return apart
}

func (c *Calendar) except(special []Special) error {
	c.special = map[Day][]Opening{}
	for _, s := range special {
		day, err := ParseDay(s.Date)
		if err != nil {
			return err
		}
		opening, err := openingOf(s.From, s.To)
		if err != nil {
			return err
		}
		if day < c.First || day > c.Last {
			continue
		}
		if c.special[day] == nil {
			c.specialDays = append(c.specialDays, day)
		}
		c.special[day] = append(c.special[day], opening)
	}
	slices.Sort(c.specialDays)
	return nil
}

// openingOf reads two times HH:MM.
func openingOf(from, to string) (o Opening, err error) {
	if o.From, err = minuteOf(from); err != nil {
		return o, err
	}
	if o.To, err = minuteOf(to); err != nil {
		return o, err
	}
	if o.To <= o.From {
		o.To += DayMinutes
	}
	return o, nil
}

func minuteOf(text string) (int, error) {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a time HH:MM", text)
	}
	return at.Hour()*hour + at.Minute(), nil
}

// Week returns the weekly openings of a day of the week, 0 for Monday.
func (c Calendar) Week(weekday int) []Opening { return c.week[weekday] }

// On returns the openings that begin on a day; none outside of the period.
func (c Calendar) On(day Day) []Opening {
	switch openings := c.special[day]; {
	case day < c.First || day > c.Last:
		return nil
	case openings != nil:
		return openings
	case c.isClosed(day):
		return nil
	default:
		return c.week[day.Weekday()]
	}
}

// Special returns the days with hours of their own, in order.
func (c Calendar) Special() []Day { return c.specialDays }

// isClosed reports whether a day is one of the closed ones.
func (c Calendar) isClosed(day Day) bool {
	at := c.closedAt(day)
	return at < len(c.closed) && c.closed[at].first <= day
}

// closedAt returns the place of the first span that does not end before a day.
func (c Calendar) closedAt(day Day) int {
	at, _ := slices.BinarySearchFunc(c.closed, day, func(s span, day Day) int { return int(s.last - day) })
	return at
}

// Exceptions returns the days of the period on which the weekly hours do not apply, as spans of
// first and last days in order.
func (c Calendar) Exceptions() (days [][2]Day) {
	spans := slices.Clone(c.closed)
	for _, day := range c.specialDays {
		spans = append(spans, span{day, day})
	}
	for _, s := range merged(spans) {
		days = append(days, [2]Day{s.first, s.last})
	}
	return days
}

// opensWeekly reports whether any day of the week has openings.
func (c Calendar) opensWeekly() bool {
	return slices.ContainsFunc(c.week[:], func(openings []Opening) bool { return len(openings) > 0 })
}

// Next returns the first day from a day on that has an opening; ok is false if there is none.
func (c Calendar) Next(day Day) (next Day, ok bool) {
	for day = max(day, c.First); day <= c.Last; day++ {
		if len(c.On(day)) > 0 {
			return day, true
		}
		special := c.nextSpecial(day)
		if !c.opensWeekly() {
			return special, special <= c.Last
		}
		if at := c.closedAt(day); at < len(c.closed) && c.closed[at].first <= day {
			day = min(c.closed[at].last, special-1) // not day by day
		}
	}
	return 0, false
}

func (c Calendar) nextSpecial(day Day) Day {
	if at, _ := slices.BinarySearch(c.specialDays, day); at < len(c.specialDays) {
		return c.specialDays[at]
	}
	return Forever + 1
}

// Previous returns the last day up to a day that has an opening; ok is false if there is none.
func (c Calendar) Previous(day Day) (previous Day, ok bool) {
	for day = min(day, c.Last); day >= c.First; day-- {
		if len(c.On(day)) > 0 {
			return day, true
		}
		special := c.previousSpecial(day)
		if !c.opensWeekly() {
			return special, special >= c.First
		}
		if at := c.closedAt(day); at < len(c.closed) && c.closed[at].first <= day {
			day = max(c.closed[at].first, special+1)
		}
	}
	return 0, false
}

func (c Calendar) previousSpecial(day Day) Day {
	at, found := slices.BinarySearch(c.specialDays, day)
	if found {
		return day
	}
	if at > 0 {
		return c.specialDays[at-1]
	}
	return -1
}

// Weekdays reports for each day of the week whether its weekly hours apply on a day of the period.
func (c Calendar) Weekdays() (apply [7]bool) {
	exceptions := c.Exceptions()
	for weekday, openings := range c.week {
		day := c.First + Day((weekday-c.First.Weekday()+7)%7)
		for _, days := range exceptions {
			if days[0] <= day && day <= days[1] { // to the first such day after them
				day += (days[1] - day + 7) / 7 * 7
			}
		}
		apply[weekday] = len(openings) > 0 && day <= c.Last
	}
	return apply
}

// Gaps returns the longest spans without an opening between days that have one, in order: those of
// at least so many days, which are a week or more.
func (c Calendar) Gaps(least int) (gaps [][2]Day) {
	starts := slices.Clone(c.specialDays) // of the days before gaps
	for _, days := range c.closed {       // a gap of a week or more in weekly hours has a closed day
		if before, ok := c.Previous(days.first - 1); ok {
			starts = append(starts, before)
		}
	}
	slices.Sort(starts)
	for _, before := range slices.Compact(starts) {
		after, ok := c.Next(before + 1)
		if ok && int(after-before) > least {
			gaps = append(gaps, [2]Day{before + 1, after - 1})
		}
	}
	return gaps
}

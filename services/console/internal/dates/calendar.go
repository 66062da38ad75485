package dates

import (
	"slices"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
)

// calendar is a month with the dates of an event.
type calendar struct {
	first time.Time
	today string
	days  map[string][]adminapi.Date
}

// calendarDay is a cell of the calendar.
type calendarDay struct {
	day   time.Time
	dates []adminapi.Date
	today bool
}

// calendarOf returns the month that the address names, else that of the next date, else the present
// one.
func calendarOf(r *page.Request, e adminapi.Event) calendar {
	c := calendar{today: r.Today.Format(time.DateOnly), days: map[string][]adminapi.Date{}}
	first, named := monthOf(r.Query.Get("month"))
	if !named {
		next := slices.IndexFunc(e.Dates, func(d adminapi.Date) bool { return !isPast(d, r.Today) })
		first, _ = monthOf(c.today[:7])
		if next >= 0 && e.Dates[next].StartDate > c.today {
			first, _ = monthOf(e.Dates[next].StartDate[:7])
		}
	}
	c.first = first
	for _, d := range e.Dates {
		c.add(d)
	}
	return c
}

// add enters a date on each of its days in the month.
func (c *calendar) add(d adminapi.Date) {
	days := daysOf(d)
	if !d.AllDay && days == 1 {
		days = 0 // a night belongs to the day on which it begins
	}
	next := c.first.AddDate(0, 1, 0)
	for day := range days + 1 {
		at := dayOf(d.StartDate).AddDate(0, 0, day)
		if !at.Before(next) {
			return
		}
		if !at.Before(c.first) {
			c.days[at.Format(time.DateOnly)] = append(c.days[at.Format(time.DateOnly)], d)
		}
	}
}

// weeks returns the cells of the month from Monday to Sunday; nil for days of other months.
func (c calendar) weeks() (weeks [][]*calendarDay) {
	start := c.first.AddDate(0, 0, -(int(c.first.Weekday())+6)%7)
	for start.Before(c.first.AddDate(0, 1, 0)) {
		week := make([]*calendarDay, 7)
		for i := range week {
			day := start.AddDate(0, 0, i)
			if day.Month() == c.first.Month() {
				text := day.Format(time.DateOnly)
				week[i] = &calendarDay{day, c.days[text], text == c.today}
			}
		}
		weeks = append(weeks, week)
		start = start.AddDate(0, 0, 7)
	}
	return weeks
}

// month is the address of another month.
func (c calendar) month(l parent, by int) string {
	return l.path() + "?month=" + c.first.AddDate(0, by, 0).Format("2006-01") + "#dates-calendar"
}

// weekdays are the days of a week from Monday.
var weekdays = []time.Weekday{
	time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday,
}

package view

import (
	"cmp"
	"slices"
	"time"

	"litfass/pkg/contracts/hours"
	"litfass/services/site/internal/text"
)

// comingExceptions is how many closed and special days are shown.
const comingExceptions = 20

// openingTable are opening hours as a page shows them.
type openingTable struct {
	Today string // whether it is open today; "" outside of the period
	Week  []openingRow
	// Exceptions are the closed and special days to come, and Further how many more there are.
	Exceptions []openingRow
	Further    int
}

// openingRow are the openings of a day, or of closed days.
type openingRow struct {
	Days, Times, Note string
	Closed            bool
}

// openingsOf returns the table of the hours of a period, which may have no last day.
func openingsOf(s Scope, h hours.Hours, first, last string) (o openingTable) {
	calendar, err := h.Over(first, last)
	if err != nil {
		return o
	}
	today := hours.DayOf(s.Today)
	if calendar.First <= today && today <= calendar.Last {
		o.Today = s.Text.T("hours.closed_today")
		if openings := calendar.On(today); len(openings) > 0 {
			o.Today = s.Text.With("hours.open_today", "Times", hours.Clock(s.Text.Code, timesOf(openings)))
		}
	}
	if len(h.Weekly) > 0 {
		o.Week = weekOf(s.Text, calendar)
	}
	o.Exceptions = exceptionsOf(s, h, today)
	if len(o.Exceptions) > comingExceptions {
		o.Exceptions, o.Further = o.Exceptions[:comingExceptions], len(o.Exceptions)-comingExceptions
	}
	return o
}

func weekOf(t *text.Texts, c hours.Calendar) []openingRow {
	week := make([]openingRow, len(hours.Weekdays))
	for weekday := range week {
		openings := c.Week(weekday)
		week[weekday] = openingRow{Days: t.Weekday(time.Weekday((weekday + 1) % 7)), Closed: len(openings) == 0, Times: t.T("hours.closed")}
		if len(openings) > 0 {
			week[weekday].Times = hours.Clock(t.Code, timesOf(openings))
		}
	}
	return week
}

// timesOf writes openings as HH:MM.
func timesOf(openings []hours.Opening) [][2]string {
	clock := func(minute int) string {
		return time.Date(1, 1, 1, 0, minute%hours.DayMinutes, 0, 0, time.UTC).Format("15:04")
	}
	times := make([][2]string, len(openings))
	for i, o := range openings {
		times[i] = [2]string{clock(o.From), clock(o.To)}
	}
	return times
}

// exceptionsOf returns the closed and special days from today on, in order.
func exceptionsOf(s Scope, h hours.Hours, today hours.Day) []openingRow {
	type dated struct {
		day string
		row openingRow
	}
	var rows []dated
	for _, c := range h.Closed {
		if c.To < today.String() {
			continue
		}
		days := dayWithYear(s.Text, dayOf(c.From), s.Today)
		if c.To != c.From {
			days += " – " + dayWithYear(s.Text, dayOf(c.To), s.Today)
		}
		rows = append(rows, dated{c.From, openingRow{Days: days, Times: s.Text.T("hours.closed"), Note: string(c.Note), Closed: true}})
	}
	for i := 0; i < len(h.Special); i++ {
		one := h.Special[i]
		times := [][2]string{{one.From, one.To}}
		for ; i+1 < len(h.Special) && h.Special[i+1].Date == one.Date; i++ {
			times = append(times, [2]string{h.Special[i+1].From, h.Special[i+1].To})
			one.Note = cmp.Or(one.Note, h.Special[i+1].Note)
		}
		if one.Date < today.String() {
			continue
		}
		rows = append(rows, dated{one.Date, openingRow{
			Days: dayWithYear(s.Text, dayOf(one.Date), s.Today), Times: hours.Clock(s.Text.Code, times), Note: string(one.Note),
		}})
	}
	slices.SortStableFunc(rows, func(a, b dated) int { return cmp.Compare(a.day, b.day) })
	all := make([]openingRow, len(rows))
	for i, one := range rows {
		all[i] = one.row
	}
	return all
}

package page

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// mostNamed is how many dates a month may have for its calendar to name them: they come with one
// page of the search. Of others the calendar shows how many there are on each day.
const mostNamed = 200

// month is the calendar of one month: how many dates run on each of its days.
func (d Deps) month(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	first, err := monthOf(r)
	if err != nil {
		return view.Page{}, err
	}
	filter := d.untimed(r, "month")
	window := clone(filter)
	window.Set("on", first.Format(time.DateOnly)+","+lastOf(first).Format(time.DateOnly))
	counts, err := countDays(ctx, api, window)
	if err != nil {
		return view.Page{}, err
	}
	var found publicapi.Events
	if counts.Total > 0 && counts.Total <= mostNamed {
		window.Set("sort", "start")
		window.Set("limit", strconv.Itoa(mostNamed))
		if err := api.Data(ctx, "/api/events", window, &found); err != nil {
			return view.Page{}, err
		}
	}
	return view.Month(d.shown(r), view.Calendar{
		First: first, Before: hasCalendar(first.AddDate(0, -1, 0)), After: hasCalendar(first.AddDate(0, 1, 0)),
		Filter: filter, Total: counts.Total, Days: calendarDays(first, counts, found.Events),
	}), nil
}

// countDays reads how many dates run on each day of a window, which on holds.
func countDays(ctx context.Context, api *client.Reads, window url.Values) (counts publicapi.Facets, err error) {
	parameters := clone(window)
	parameters.Set("by", "day")
	err = api.Data(ctx, "/api/events/facets", parameters, &counts)
	return counts, err
}

// untimed returns the filter of the address without what says when, and without the page's own
// parameters.
func (d Deps) untimed(r *Request, own ...string) url.Values {
	return clone(r.Filter(own...), append([]string{"group", "sort", "by"}, append(cursor, daysOfFilter...)...)...)
}

// The years that have a calendar; those of events are within.
const (
	firstYear = 1900
	lastYear  = 2199
)

// monthOf returns the first day of the month that is asked for, the present one without any. The
// error is an Invalid fault.
func monthOf(r *Request) (time.Time, error) {
	asked := r.Parameters.Get("month")
	if asked == "" {
		return time.Date(r.Today.Year(), r.Today.Month(), 1, 0, 0, 0, 0, time.UTC), nil
	}
	first, err := time.Parse("2006-01", asked)
	if err != nil || !hasCalendar(first) {
		return first, invalid("month", "is not a month YYYY-MM from 1900-01 to 2199-12")
	}
	return first, nil
}

func hasCalendar(month time.Time) bool { return month.Year() >= firstYear && month.Year() <= lastYear }

// invalid returns the fault of a parameter of a page.
func invalid(field, reason string) error {
	f := fault.New(fault.Invalid, "invalid_parameters", "the address is not valid")
	f.Violations = []fault.Violation{{Field: field, Reason: reason}}
	return f
}

// lastOf returns the last day of the month that begins on first.
func lastOf(first time.Time) time.Time { return first.AddDate(0, 1, -1) }

// calendarDays returns the days of a month with the number of their dates, and with those that
// begin on each of them, where they are known. Those that have begun in an earlier month stand on
// the first day alone: long runs leave the days to the others.
func calendarDays(first time.Time, counts publicapi.Facets, dates []publicapi.Listed) []view.CalendarDay {
	count := map[string]int{}
	for _, facet := range counts.Facets["day"] {
		count[facet.Value] = facet.Count
	}
	var days []view.CalendarDay
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		days = append(days, view.CalendarDay{
			Day: day, Count: count[day.Format(time.DateOnly)], Dates: datesFrom(day, dates),
		})
	}
	return days
}

// datesFrom returns the dates that begin on a day; on the first one of a month those that have
// begun before and still run come after them.
func datesFrom(day time.Time, dates []publicapi.Listed) []publicapi.Entry {
	var begun, running []publicapi.Entry
	for _, date := range dates {
		when := view.WhenOf(date.Entry)
		switch {
		case when.Start().Equal(day):
			begun = append(begun, date.Entry)
		case day.Day() == 1 && when.Start().Before(day) && !when.End().Before(day):
			running = append(running, date.Entry)
		}
	}
	return append(begun, running...)
}

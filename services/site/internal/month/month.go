// Package month is the calendar of a month.
package month

import (
	"context"
	"slices"
	"strconv"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// maxNamed is the number of dates up to which the calendar names them: one answer of the search.
// Above it the calendar shows the number of each day only.
const maxNamed = 200

// Mount adds the calendar of a month.
func Mount(r page.Router) { r.Page("/month", show) }

// show answers the calendar of a month: the number of dates on each of its days.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	first, err := monthOf(r)
	if err != nil {
		return view.Page{}, err
	}
	own := []string{"group", "sort", "by"}
	filter := page.Clone(r.Filter("month"), slices.Concat(own, page.Cursor, page.DayParameters)...)
	window := page.Clone(filter)
	window.Set("on", first.Format(time.DateOnly)+","+first.AddDate(0, 1, -1).Format(time.DateOnly))
	var counts publicapi.Facets
	if err := api.Data(ctx, "/api/events/facets", view.WithParameter(window, "by", "day"), &counts); err != nil {
		return view.Page{}, err
	}
	var answer publicapi.Events
	if counts.Total > 0 && counts.Total <= maxNamed {
		window.Set("sort", "start")
		window.Set("limit", strconv.Itoa(maxNamed))
		if err := api.Data(ctx, "/api/events", window, &answer); err != nil {
			return view.Page{}, err
		}
	}
	return pageOf(r.Scope(), calendar{
		First: first, Before: hasCalendar(first.AddDate(0, -1, 0)), After: hasCalendar(first.AddDate(0, 1, 0)),
		Filter: filter, Total: counts.Total, Days: calendarDays(first, counts, answer.Events),
	}), nil
}

// The years that have a calendar; all events are within them.
const (
	firstYear = 1900
	lastYear  = 2199
)

// monthOf returns the first day of the month that is asked for, the present one without any. The
// error is an Invalid fault.
func monthOf(r *page.Request) (time.Time, error) {
	month := r.Parameters.Get("month")
	if month == "" {
		return time.Date(r.Today.Year(), r.Today.Month(), 1, 0, 0, 0, 0, time.UTC), nil
	}
	first, err := time.Parse("2006-01", month)
	if err != nil || !hasCalendar(first) {
		return first, page.Invalid("month", reason.NotMonth("1900-01", "2199-12"))
	}
	return first, nil
}

func hasCalendar(month time.Time) bool { return month.Year() >= firstYear && month.Year() <= lastYear }

// calendarDays returns the days of a month with the number of their dates, and with the dates that
// begin on each of them, where they are known. Dates that began in an earlier month appear only on
// the first day: long runs leave the other days to the rest.
func calendarDays(first time.Time, counts publicapi.Facets, dates []publicapi.Listed) []calendarDay {
	count := map[string]int{}
	for _, facet := range counts.Facets["day"] {
		count[facet.Value] = facet.Count
	}
	var days []calendarDay
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		days = append(days, calendarDay{
			Day: day, Count: count[day.Format(time.DateOnly)], Dates: datesFrom(day, dates),
		})
	}
	return days
}

// datesFrom returns the dates that begin on a day; on the first day of a month they are followed by
// dates that began before and still run.
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

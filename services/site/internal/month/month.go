// Package month is the calendar of a month.
package month

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/runs"
	"litfass/services/site/internal/view"
)

const (
	// maxDates is the number of dates that are read at once to name those of all days.
	maxDates = 200
	// maxRuns is the number of runs above the calendar.
	maxRuns = 6
	// readsAtOnce is the number of days that are read at the same time.
	readsAtOnce = 8
)

// Mount adds the calendar of a month.
func Mount(r page.Router) { r.Page("/month", show) }

// own are the parameters of the page besides the filter.
var own = []string{"month"}

// show answers the calendar of a month. Words that find nothing in it are replaced by the API's
// spelling of them, as in the list.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	first, err := monthOf(r)
	if err != nil {
		return view.Page{}, err
	}
	filtered := len(r.Filter(own...)) > 0
	r = r.Without(slices.Concat([]string{"group", "sort", "by"}, page.Cursor, page.DayParameters)...)
	words := r.Value("search")
	c, partial, err := read(ctx, api, r, first)
	if err == nil && c.isEmpty() {
		spelled, failed := filter.Respelled(ctx, api, r, windowOf(r, first))
		if err = failed; spelled != nil {
			r = spelled
			c, partial, err = read(ctx, api, r, first)
		}
	}
	c.Bar.Correct(r, words)
	month := pageOf(r.Scope(), c)
	month.NoIndex = filtered || c.Total == 0
	month.Partial = partial
	return month, err
}

// windowOf returns the query of the events of a month.
func windowOf(r *page.Request, first time.Time) url.Values {
	window := view.WithParameter(r.Filter(own...), "on", first.Format(time.DateOnly)+","+first.AddDate(0, 1, -1).Format(time.DateOnly))
	window.Set("group", "event")
	return window
}

// read reads the calendar of a month: the number of events on each of its days, and the first of
// those that begin on it. It reports whether something could not be counted.
func read(ctx context.Context, api *client.Reads, r *page.Request, first time.Time) (c calendar, partial bool, err error) {
	c = calendar{
		First: first, Before: hasCalendar(first.AddDate(0, -1, 0)), After: hasCalendar(first.AddDate(0, 1, 0)), Filter: r.Filter(own...),
	}
	window := windowOf(r, first)
	var counts filter.Counts
	var byDay publicapi.Facets
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		counts, err = filter.Count(reading, api, r, window)
		return err
	})
	reads.Go(func() error {
		return api.Data(reading, "/api/events/facets", view.WithParameter(window, "by", "day"), &byDay)
	})
	reads.Go(func() (err error) {
		before := view.WithParameter(window, "starts_before", first.AddDate(0, 0, -1).Format(time.DateOnly))
		c.Runs, err = runs.Read(reading, api, r, before, maxRuns)
		return err
	})
	today := calendarDay{Day: r.Day()}
	isPresent := today.Day.Year() == first.Year() && today.Day.Month() == first.Month() && !window.Has(page.NotOver)
	if isPresent {
		reads.Go(func() error { return readToday(reading, api, window, &today) })
	}
	if err := reads.Wait(); err != nil {
		return c, false, err
	}
	c.Total, c.Bar = byDay.Total, filter.BarOf(r, counts, own...)
	c.Bar.Form.NoDays = true
	c.Days = countedDays(first, byDay)
	err = nameDates(ctx, api, window, c.Days)
	if isPresent {
		c.Days[today.Day.Day()-1] = today
	}
	return c, counts.Uncounted, err
}

// readToday counts and names the events of today that are not over, which the list of the day
// begins with.
func readToday(ctx context.Context, api *client.Reads, window url.Values, today *calendarDay) error {
	window = view.WithParameter(view.WithParameter(window, "on", today.Day.Format(time.DateOnly)), page.NotOver, "true")
	reads, ctx := errgroup.WithContext(ctx)
	reads.Go(func() error {
		var counts publicapi.Facets
		err := api.Data(ctx, "/api/events/facets", view.WithParameter(window, "by", "day"), &counts)
		today.Count = counts.Total
		return err
	})
	reads.Go(func() error {
		dates, err := firstDates(ctx, api, window, today.Day)
		if err == nil && len(dates) < namedADay {
			dates, err = withRunning(ctx, api, window, today.Day, dates)
		}
		today.Dates = dates
		return err
	})
	return reads.Wait()
}

// withRunning appends to the dates of today those that began earlier in the month and still run: on
// a phone the calendar begins today, so these have no other place there.
func withRunning(
	ctx context.Context, api *client.Reads, window url.Values, today time.Time, dates []publicapi.Entry,
) ([]publicapi.Entry, error) {
	query := page.Clone(window)
	query.Set("start", today.AddDate(0, 0, 1-today.Day()).Format(time.DateOnly))
	query.Set("sort", "start")
	query.Set("limit", strconv.Itoa(namedADay))
	var answer publicapi.Events
	err := api.Data(ctx, "/api/events", query, &answer)
	for _, date := range answer.Events {
		again := slices.ContainsFunc(dates, func(other publicapi.Entry) bool { return other.UUID == date.UUID })
		if !again && len(dates) < namedADay {
			dates = append(dates, date.Entry)
		}
	}
	return dates, err
}

// nameDates reads the first dates that begin on each day: those of all days at once, as far as one
// answer goes, and those of each later day by themselves.
func nameDates(ctx context.Context, api *client.Reads, window url.Values, days []calendarDay) error {
	query := page.Clone(window, "group")
	query.Set("start", days[0].Day.Format(time.DateOnly))
	query.Set("sort", "start")
	query.Set("limit", strconv.Itoa(maxDates))
	var answer publicapi.Events
	if err := api.Data(ctx, "/api/events", query, &answer); err != nil {
		return err
	}
	read := days
	if n := len(answer.Events); n == maxDates { // the last day may be incomplete
		last := view.WhenOf(answer.Events[n-1].Entry).Start()
		read = days[:last.Day()-1]
	}
	for i := range read {
		read[i].Dates = datesFrom(read[i].Day, answer.Events)
	}
	reads, reading := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for i := range days[len(read):] {
		day := &days[len(read)+i]
		if day.Count > 0 {
			reads.Go(func() (err error) {
				day.Dates, err = firstDates(reading, api, window, day.Day)
				return err
			})
		}
	}
	return reads.Wait()
}

// firstDates reads the first dates that begin on a day.
func firstDates(ctx context.Context, api *client.Reads, window url.Values, day time.Time) ([]publicapi.Entry, error) {
	on := day.Format(time.DateOnly)
	query := page.Clone(window, "on")
	query.Set("start", on)
	query.Set("starts_before", on)
	query.Set("sort", "start")
	query.Set("limit", strconv.Itoa(namedADay))
	var answer publicapi.Events
	err := api.Data(ctx, "/api/events", query, &answer)
	return datesFrom(day, answer.Events), err
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

// countedDays returns the days of a month with the number of their events.
func countedDays(first time.Time, counts publicapi.Facets) []calendarDay {
	count := map[string]int{}
	for _, facet := range counts.Facets["day"] {
		count[facet.Value] = facet.Count
	}
	var days []calendarDay
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		days = append(days, calendarDay{Day: day, Count: count[day.Format(time.DateOnly)]})
	}
	return days
}

// datesFrom returns the dates that begin on a day, the first one of each event.
func datesFrom(day time.Time, dates []publicapi.Listed) (begin []publicapi.Entry) {
	for _, date := range dates {
		again := slices.ContainsFunc(begin, func(other publicapi.Entry) bool { return other.UUID == date.UUID })
		if !again && view.WhenOf(date.Entry).Start().Equal(day) {
			begin = append(begin, date.Entry)
		}
	}
	return begin
}

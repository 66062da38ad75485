package page

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// FromToday returns the filter of the address as FromTodayOf does.
func FromToday(r *Request) url.Values { return FromTodayOf(r, r.Filter()) }

// FromTodayOf returns the query of a filter: from today on unless it selects days. What is over is
// left out of a query that begins today, unless the filter asks for it.
func FromTodayOf(r *Request, filter url.Values) url.Values {
	query := Clone(filter)
	if !slices.ContainsFunc([]string{"start", "end", "on"}, query.Has) {
		query.Set("start", "today")
		query.Set("ongoing", "true")
	}
	if first, known := r.FirstDay(query); known && first.Equal(r.Day()) && !query.Has(NotOver) {
		query.Set(NotOver, "true")
	}
	return query
}

// NotOver is the parameter of the API that leaves out what is over.
const NotOver = "not_over"

// WithPast returns a query that also finds what is over.
func WithPast(query url.Values) url.Values { return Clone(query, NotOver) }

// FirstDay returns the first day that a query asks for, in UTC, and whether it names one.
func (r *Request) FirstDay(query url.Values) (first time.Time, known bool) {
	day, _, _ := strings.Cut(query.Get("on"), ",")
	if day == "" {
		day = query.Get("start")
	}
	switch day {
	case "today":
		return r.Day(), true
	case "tomorrow":
		return r.Day().AddDate(0, 0, 1), true
	case "weekend":
		return later(weekend(r.Day()), r.Day()), true // on Sunday, Saturday is over
	}
	first, err := time.Parse(time.DateOnly, day)
	return first, err == nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// weekend returns the Saturday of the week, as the API counts it.
func weekend(today time.Time) time.Time {
	sinceMonday := (int(today.Weekday()) + 6) % 7
	return today.AddDate(0, 0, 5-sinceMonday)
}

// Split divides a query by the first day that it asks for: the dates that begin on that day or
// later, and those of several days that began before. Without such a day, or where a date cannot
// have begun before, it reports false, as for the dates of a list in the order of its editor.
func (r *Request) Split(query url.Values) (begin, runs url.Values, split bool) {
	first, known := r.FirstDay(query)
	before := first.AddDate(0, 0, -1).Format(time.DateOnly)
	both := query.Has("on") && query.Has("start")
	fromStart := query.Has("start") && query.Get("ongoing") != "true"
	inListOrder := query.Get("list") != "" && query.Get("sort") != "start"
	latest := query.Get("starts_before")
	if !known || both || inListOrder || fromStart || (latest != "" && latest <= before) {
		return query, nil, false
	}
	begin, runs = Clone(query, "ongoing"), Clone(query, Cursor...)
	if begin.Get("start") == "" {
		begin.Set("start", first.Format(time.DateOnly))
	}
	runs.Set("starts_before", before)
	return begin, runs, true
}

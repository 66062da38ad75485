package view

import (
	"maps"
	"net/url"
	"time"
)

// Weekdays are the days of the week from Monday on.
var Weekdays = []time.Weekday{
	time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday,
}

// DayParameters are the parameters of the API that select dates by their days.
var DayParameters = []string{"start", "end", "on", "starts_before", "ongoing"}

// withoutDays returns a copy of a filter that selects no days.
func withoutDays(filter url.Values) url.Values {
	rest := maps.Clone(filter)
	for _, name := range DayParameters {
		rest.Del(name)
	}
	return rest
}

// IsToday reports whether a day, in UTC, is today in the site's zone.
func (s Scope) IsToday(day time.Time) bool {
	return day.Format(time.DateOnly) == s.Today.Format(time.DateOnly)
}

// Past reports whether a day, in UTC, is before today in the site's zone.
func (s Scope) Past(day time.Time) bool {
	return day.Format(time.DateOnly) < s.Today.Format(time.DateOnly)
}

// WithParameter returns a copy of a filter with one more parameter.
func WithParameter(filter url.Values, name, value string) url.Values {
	extended := url.Values{name: {value}}
	for other, values := range filter {
		if other != name {
			extended[other] = values
		}
	}
	return extended
}

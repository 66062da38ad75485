package params

import (
	"slices"

	"litfass/pkg/chassis/fault/reason"
)

// DayDimension is the only one of Dimensions that is not a parameter: the days on which dates run.
const DayDimension = "day"

// Dimensions are the properties by which the dates of a search are counted. All but price_type and
// day are named like the parameter of their values.
var Dimensions = []string{
	"categories", "event_types", "genres", "price_type", "languages", "accessibility", "visitor_infos",
	"space_types", "city", "countries", "tags", "label", "availability", "release_statuses", "venue_uuids", "org_uuids", "series_uuids", "contributor",
	DayDimension,
}

// maxDays is the number of days that one answer counts.
const maxDays = 62

// by reads dimensions, each once.
func (r *reader) by(items []string) {
	for _, item := range items {
		if !slices.Contains(Dimensions, item) {
			r.bad(reason.ItemNotOneOf(shortened(item), Dimensions))
			return
		}
		if !slices.Contains(r.query.By, item) {
			r.query.By = append(r.query.By, item)
		}
	}
}

// combineWindow sets the days to count: the days of on, otherwise from start to end, starts_before
// or the maximum of an answer. Without start they begin today, or end with an end in the past.
func (r *reader) combineWindow() {
	q := &r.query
	if !slices.Contains(q.By, DayDimension) || len(r.violations) > 0 {
		return
	}
	q.Window = Days{From: q.Start, To: min(orFar(q.End), orFar(q.StartsBefore))}
	switch {
	case q.On != nil:
		q.Window = *q.On
	case q.Start == 0 && q.Window.To < r.today:
		q.Window.From = q.Window.To.plus(1 - maxDays)
	case q.Start == 0:
		q.Window.From = r.today
	}
	if q.Window.To == far {
		q.Window.To = min(q.Window.From.plus(maxDays-1), lastDay)
	}
	r.field = "by"
	if r.seen["facets"] {
		r.field = "facets"
	}
	switch {
	case q.Window.To < q.Window.From:
		r.bad(reason.WindowEmpty)
	case q.Window.To > q.Window.From.plus(maxDays-1):
		r.bad(reason.TooManyCountedDays(maxDays))
	}
}

// lastDay is the last day that has a name YYYY-MM-DD; far comes after all.
const (
	lastDay Day = 9999_12_31
	far     Day = 99_999_999
)

func orFar(day Day) Day {
	if day == 0 {
		return far
	}
	return day
}

// Each returns the days in order.
func (d Days) Each() (days []Day) {
	for day := d.From; day <= d.To; day = day.plus(1) {
		days = append(days, day)
	}
	return days
}

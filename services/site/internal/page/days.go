package page

import (
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/view"
)

// daysOf groups entries by day, unless they are in order of relevance: those are one group without
// a day.
func daysOf(r *Request, entries []publicapi.Listed) []view.Day {
	if len(entries) > 0 && r.has("search") && r.value("sort") != "start" {
		return []view.Day{{Entries: entries}}
	}
	return daysInOrder(r, entries)
}

// daysInOrder groups entries in order of their start by the day they start on. Those that run
// already on the first day of the filter come before.
func daysInOrder(r *Request, entries []publicapi.Listed) (days []view.Day) {
	first := firstDay(r)
	for _, entry := range entries {
		day := groupOf(r, view.WhenOf(entry.Entry), first)
		if n := len(days); n == 0 || days[n-1].Title != day.Title || !days[n-1].Day.Equal(day.Day) {
			days = append(days, day)
		}
		last := &days[len(days)-1]
		last.Entries = append(last.Entries, entry)
	}
	return days
}

// groupOf returns the empty group that a time belongs to.
func groupOf(r *Request, when view.When, first time.Time) view.Day {
	if when.Start().Before(first) && !when.End().Before(first) {
		return view.Day{Title: r.Text.T("list.running")}
	}
	return view.Day{Day: when.Start()}
}

// firstDay returns the first day that the filter asks for, today by default, in UTC.
func firstDay(r *Request) time.Time {
	today := utc(r.Today)
	asked := r.value("start")
	if on, _, _ := strings.Cut(r.value("on"), ","); on != "" {
		asked = on
	}
	switch asked {
	case "tomorrow":
		return today.AddDate(0, 0, 1)
	case "weekend":
		return weekend(today)
	}
	if day, err := time.Parse(time.DateOnly, asked); err == nil {
		return day
	}
	return today
}

// weekend returns the Saturday of the week, as the API counts it.
func weekend(today time.Time) time.Time {
	sinceMonday := (int(today.Weekday()) + 6) % 7
	return today.AddDate(0, 0, 5-sinceMonday)
}

// utc returns the same day in UTC.
func utc(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
}

// moments are the shortcuts to days. The one that is chosen leads back to all days.
func moments(r *Request) []view.Choice {
	day := func(plus int) string { return r.Today.AddDate(0, 0, plus).Format(time.DateOnly) }
	endOfMonth := time.Date(r.Today.Year(), r.Today.Month()+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	choices := []view.Choice{
		{Value: "today", Name: r.Text.T("list.today")},
		{Value: "tomorrow", Name: r.Text.T("list.tomorrow")},
		{Value: "weekend", Name: r.Text.T("list.weekend")},
		{Value: "today," + day(6), Name: r.Text.T("list.week")},
		{Value: "today," + endOfMonth, Name: r.Text.T("list.month")},
	}
	filter := r.Filter(append(cursor, daysOfFilter...)...)
	for i := range choices {
		choice := &choices[i]
		choice.Chosen = r.value("on") == choice.Value
		to := clone(filter)
		if !choice.Chosen {
			to.Set("on", choice.Value)
		}
		choice.Link = r.Link(r.Path, to)
	}
	return choices
}

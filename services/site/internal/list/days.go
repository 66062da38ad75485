package list

import (
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// daysOf groups entries by day, unless they are in order of relevance: those are one group without
// a day.
func daysOf(r *page.Request, entries []publicapi.Listed) []Day {
	if len(entries) > 0 && r.Has("search") && r.Value("sort") != "start" {
		return []Day{{Entries: entries}}
	}
	return daysInOrder(r, entries)
}

// daysInOrder groups entries in order of their start by the day they start on. Entries that already
// run on the first day of the filter come first.
func daysInOrder(r *page.Request, entries []publicapi.Listed) (days []Day) {
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
func groupOf(r *page.Request, when view.When, first time.Time) Day {
	if when.Start().Before(first) && !when.End().Before(first) {
		return Day{Title: r.Text.T("list.running")}
	}
	return Day{Day: when.Start()}
}

// firstDay returns the first day that the filter asks for, today by default, in UTC.
func firstDay(r *page.Request) time.Time {
	today := r.Day()
	day := r.Value("start")
	if on, _, _ := strings.Cut(r.Value("on"), ","); on != "" {
		day = on
	}
	switch day {
	case "tomorrow":
		return today.AddDate(0, 0, 1)
	case "weekend":
		return weekend(today)
	}
	if day, err := time.Parse(time.DateOnly, day); err == nil {
		return day
	}
	return today
}

// weekend returns the Saturday of the week, as the API counts it.
func weekend(today time.Time) time.Time {
	sinceMonday := (int(today.Weekday()) + 6) % 7
	return today.AddDate(0, 0, 5-sinceMonday)
}

// moments are the shortcuts to days. The one that is chosen leads back to all days.
func moments(r *page.Request) []filter.Choice {
	day := func(plus int) string { return r.Today.AddDate(0, 0, plus).Format(time.DateOnly) }
	endOfMonth := time.Date(r.Today.Year(), r.Today.Month()+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	choices := []filter.Choice{
		{Value: "today", Name: r.Text.T("list.today")},
		{Value: "tomorrow", Name: r.Text.T("list.tomorrow")},
		{Value: "weekend", Name: r.Text.T("list.weekend")},
		{Value: "today," + day(6), Name: r.Text.T("list.week")},
		{Value: "today," + endOfMonth, Name: r.Text.T("list.month")},
	}
	filter := r.Filter(append(page.Cursor, page.DayParameters...)...)
	for i := range choices {
		choice := &choices[i]
		choice.Chosen = r.Value("on") == choice.Value
		to := page.Clone(filter)
		if !choice.Chosen {
			to.Set("on", choice.Value)
		}
		choice.Link = r.Link(r.Path, to)
	}
	return choices
}

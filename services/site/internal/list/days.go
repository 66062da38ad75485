package list

import (
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// byRelevance reports whether a list is in order of relevance.
func byRelevance(r *page.Request) bool {
	return (r.Has("search") || r.Has("list")) && r.Value("sort") != "start"
}

// daysOf groups entries by day, unless they are in order of relevance: those are one group without
// a day.
func daysOf(r *page.Request, entries []publicapi.Listed) []Day {
	if len(entries) > 0 && byRelevance(r) {
		return []Day{{Entries: entries}}
	}
	return daysInOrder(entries)
}

// daysInOrder groups entries in order of their start by the day they start on.
func daysInOrder(entries []publicapi.Listed) (days []Day) {
	for _, entry := range entries {
		day := view.WhenOf(entry.Entry).Start()
		if n := len(days); n == 0 || !days[n-1].Day.Equal(day) {
			days = append(days, Day{Day: day})
		}
		last := &days[len(days)-1]
		last.Entries = append(last.Entries, entry)
	}
	return days
}

// apart divides entries in order of their start into those that begin today or later and the runs,
// which began before.
func apart(r *page.Request, entries []publicapi.Listed) (begin []publicapi.Listed, runs view.Runs) {
	for i, entry := range entries {
		if !view.WhenOf(entry.Entry).Start().Before(r.Day()) {
			return entries[i:], runs
		}
		runs.Entries = append(runs.Entries, entry)
	}
	return nil, runs
}

package stale

import (
	"fmt"
	"slices"
)

// counting is the suffix of a query that asks for the facets that edits change.
const counting = "&by=release_statuses,venue_uuids"

// facets is data of the facets.
type facets struct {
	Total  int
	Facets map[string][]facet
}

type facet struct {
	Value, Name string
	Count       int
}

// canCount reports whether facets of a question are compared: its result depends on no text.
func (q *question) canCount() bool {
	return q.changing == nil && q.asked["venue_uuids"] == "" && q.asked["release_statuses"] == ""
}

// checkFacets compares facets of a position with the book, of dates or with events of these.
func (q *question) checkFacets(got facets, events bool, position uint64) error {
	q.book.mu.Lock()
	defer q.book.mu.Unlock()
	certain, possible := map[string]map[string]bool{}, map[string]map[string]bool{}
	note := func(all map[string]map[string]bool, value string, date int) {
		if all[value] == nil {
			all[value] = map[string]bool{}
		}
		unit := q.book.dates[date].Date.UUID
		if events {
			unit = q.book.dates[date].Event.UUID
		}
		all[value][unit] = true
	}
	const total = "total"
	for date := range q.book.dates {
		statuses := q.statuses(date, position)
		for _, status := range statuses {
			if status == "" {
				continue
			}
			note(possible, status, date)
			note(possible, total, date)
			if !slices.Contains(statuses, "") {
				note(certain, total, date)
			}
			if len(statuses) == 1 {
				note(certain, status, date)
			}
		}
	}
	counts := map[string]int{total: got.Total}
	for _, f := range got.Facets["release_statuses"] {
		counts[f.Value] = f.Count
	}
	for value := range possible {
		if n := counts[value]; n < len(certain[value]) || n > len(possible[value]) {
			return fmt.Errorf("the count of %s is %d, want %d to %d", value, n, len(certain[value]), len(possible[value]))
		}
	}
	return q.book.checkNames(got.Facets["venue_uuids"], position)
}

// statuses returns the distinct release statuses that a date may have in an answer of a position;
// "" where the question does not find it.
func (q *question) statuses(date int, position uint64) []string {
	if !q.lasting[date] {
		return []string{""}
	}
	first := q.book.dates[date]
	var all []string
	for _, e := range q.book.eventsAt(date, position) {
		status := ""
		if q.book.isPublic(e) {
			status = q.book.ref.Entry(q.book.draw(variant{date, e, first.Place.Venue})).ReleaseStatus
		}
		if !slices.Contains(all, status) {
			all = append(all, status)
		}
	}
	return all
}

// checkNames: each venue has a name that an answer of a position may show.
func (b *Book) checkNames(venues []facet, position uint64) error {
	for _, f := range venues {
		h := b.venues[f.Value]
		if h == nil {
			return fmt.Errorf("venue %s is not known", f.Value)
		}
		var names []string
		for _, v := range h.at(position) {
			names = append(names, v.Name)
		}
		if !slices.Contains(names, f.Name) {
			return fmt.Errorf("venue %s is called %q, want one of %q", f.Value, f.Name, names)
		}
	}
	return nil
}

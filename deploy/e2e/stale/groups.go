package stale

import (
	"fmt"

	"litfass/deploy/e2e/client"
)

// grouped is the suffix of a query that asks for events instead of dates, and for their number.
const grouped = "&group=event&total=true"

// group is an event in the result of a question.
type group struct {
	certain, possible int // dates that belong to it, and that may besides
	first             int // the first certain one
}

// groups returns the events of a question at a position by their uuids, and the least and the
// greatest number of them.
func (q *question) groups(position uint64) (groups map[string]*group, least, most int) {
	groups = map[string]*group{}
	note := func(date int, is belonging) {
		if is == out {
			return
		}
		uuid := q.book.dates[date].Event.UUID
		g := groups[uuid]
		if g == nil {
			g = &group{}
			groups[uuid] = g
		}
		if is == maybe {
			g.possible++
			return
		}
		if g.certain == 0 || date < g.first {
			g.first = date
		}
		g.certain++
	}
	for _, date := range q.found {
		if !q.book.isEdited[date] {
			note(date, in)
		}
	}
	for _, date := range q.book.edited {
		note(date, q.belongs(date, position))
	}
	for _, g := range groups {
		if g.certain > 0 {
			least++
		}
	}
	return groups, least, len(groups)
}

// checkGroups compares a page of events of a position with the book. The question has no words.
func (q *question) checkGroups(page client.Page, position uint64) error {
	q.book.mu.Lock()
	defer q.book.mu.Unlock()
	groups, least, most := q.groups(position)
	if page.Total == nil || *page.Total < least || *page.Total > most {
		return fmt.Errorf("the number of events is %v, want %d to %d", page.Total, least, most)
	}
	shown := map[string]bool{}
	last := -1
	for n, entry := range page.Events {
		date, known := q.book.index[entry.Text("date_uuid")]
		g := groups[entry.Text("uuid")]
		switch count, _ := entry["date_count"].(float64); {
		case !known, g == nil:
			return fmt.Errorf("entry %d is of event %v, which does not belong to %s", n+1, entry["uuid"], q.query)
		case date <= last:
			return fmt.Errorf("entry %d does not start after the one before", n+1)
		case int(count) < max(1, g.certain) || int(count) > g.certain+g.possible:
			return fmt.Errorf("entry %d has %v dates, want %d to %d", n+1, count, g.certain, g.certain+g.possible)
		case g.certain > 0 && g.first < date:
			return fmt.Errorf("entry %d is not the first date of event %v", n+1, entry["uuid"])
		}
		if err := q.checkEntry(date, entry, position); err != nil {
			return fmt.Errorf("entry %d, date %s of event %s: %w", n+1, entry["date_uuid"], entry["uuid"], err)
		}
		last, shown[entry.Text("uuid")] = date, true
	}
	if len(page.Events) < q.limit {
		last = len(q.book.dates)
	}
	for uuid, g := range groups {
		if g.certain > 0 && g.first <= last && !shown[uuid] {
			return fmt.Errorf("event %s is missing in %s", uuid, q.query)
		}
	}
	return nil
}

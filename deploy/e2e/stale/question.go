package stale

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
)

// changing are the parameters whose results edits change. Questions must not use any other
// parameter that edits affect: their answers would be judged wrongly. A cancelled date is not
// available.
var changing = []string{"search", "title", "venue", "release_statuses", "available"}

// question is one search of events, with its result in the catalogue before the first edit.
type question struct {
	book  *Book
	asked reference.Parameters
	query string // asked, encoded
	limit int
	words []string // of its search

	lasting  []bool                      // by date: whether it meets the parameters that no edit concerns
	changing func(*reference.Dated) bool // the other parameters; nil: there are none
	found    []int                       // the dates that it finds, in order
	isFound  []bool                      // the same, by date
	summary  counts                      // of found
}

// newQuestion returns a search in order of start, of a first page. The word "today" may not stand
// in it.
func (b *Book) newQuestion(p reference.Parameters) *question {
	q := &question{book: b, asked: p, query: client.Encode(p, false), limit: 20, words: split(reference.Spell(p["search"]))}
	if limit, err := strconv.Atoi(p["limit"]); err == nil {
		q.limit = limit
	}
	lasting, others := maps.Clone(p), reference.Parameters{}
	for _, name := range changing {
		if p[name] != "" {
			others[name] = p[name]
		}
		delete(lasting, name)
	}
	delete(others, "search")
	if len(others) > 0 || len(q.words) > 0 {
		meets := b.ref.Filter(others, "")
		q.changing = func(d *reference.Dated) bool { return meets(d) && hasAll(d, q.words) }
	}
	q.find(b.ref.Filter(lasting, ""))
	return q
}

func (q *question) find(lasting func(*reference.Dated) bool) {
	q.lasting, q.isFound = make([]bool, len(q.book.dates)), make([]bool, len(q.book.dates))
	for i, d := range q.book.dates {
		q.lasting[i] = lasting(d)
		if q.isFound[i] = q.lasting[i] && (q.changing == nil || q.changing(d)); q.isFound[i] {
			q.found = append(q.found, i)
		}
	}
	q.summary = countsOf(q.book.dates, q.found)
}

// belonging reports whether a date is in the result of a question.
type belonging int

const (
	out   belonging = iota
	maybe           // it is in what some versions that an answer may show make of it
	in
)

// belongs returns whether an answer of a position must have an edited date.
func (q *question) belongs(date int, position uint64) belonging {
	if !q.lasting[date] {
		return out
	}
	met, unmet := false, false
	for _, e := range q.book.eventsAt(date, position) {
		switch {
		case !q.book.isPublic(e):
			unmet = true
		case q.changing == nil:
			met = true
		default:
			for _, v := range q.book.venuesAt(date, position) {
				is := q.changing(q.book.draw(variant{date, e, v}))
				met, unmet = met || is, unmet || !is
			}
		}
	}
	switch {
	case met && unmet:
		return maybe
	case met:
		return in
	default:
		return out
	}
}

// checkPage compares an answer of a position with the book.
func (q *question) checkPage(page []client.Entry, position uint64) error {
	q.book.mu.Lock()
	defer q.book.mu.Unlock()
	shown := map[int]bool{}
	last := -1
	for n, entry := range page {
		date, known := q.book.index[entry.Text("date_uuid")]
		switch {
		case !known:
			return fmt.Errorf("entry %d is of no public date: %v", n+1, entry["date_uuid"])
		case date <= last:
			return fmt.Errorf("entry %d does not start after the one before", n+1)
		}
		if err := q.checkEntry(date, entry, position); err != nil {
			return fmt.Errorf("entry %d, date %s of event %s: %w", n+1, entry["date_uuid"], entry["uuid"], err)
		}
		last, shown[date] = date, true
	}
	if len(page) < q.limit {
		last = len(q.book.dates)
	}
	return q.checkComplete(shown, last, position)
}

// checkEntry: the date belongs to the result, and the entry shows it correctly.
func (q *question) checkEntry(date int, entry client.Entry, position uint64) error {
	switch {
	case !q.book.isEdited[date] && !q.isFound[date] && len(q.words) == 0:
		return fmt.Errorf("it does not belong to %s", q.query)
	case q.book.isEdited[date] && q.belongs(date, position) == out && !q.mayResemble(date, position):
		return fmt.Errorf("it does not belong to %s any more", q.query)
	}
	return q.book.checkEntry(date, entry, position)
}

// mayResemble reports whether a date may be found for words that are only similar to the search.
func (q *question) mayResemble(date int, position uint64) bool {
	if len(q.words) == 0 || !q.lasting[date] {
		return false
	}
	for _, e := range q.book.eventsAt(date, position) {
		for _, v := range q.book.venuesAt(date, position) {
			if q.book.isPublic(e) && mayHaveAll(q.book.draw(variant{date, e, v}), q.words) {
				return true
			}
		}
	}
	return false
}

// checkComplete: no date up to the last one is missing that must be there.
func (q *question) checkComplete(shown map[int]bool, last int, position uint64) error {
	missing := func(date int) error {
		return fmt.Errorf("date %s of event %s is missing in %s",
			q.book.dates[date].Date.UUID, q.book.dates[date].Event.UUID, q.query)
	}
	for _, date := range q.found {
		if date > last {
			break
		}
		if !q.book.isEdited[date] && !shown[date] {
			return missing(date)
		}
	}
	for _, date := range q.book.edited {
		if date <= last && !shown[date] && q.belongs(date, position) == in {
			return missing(date)
		}
	}
	return nil
}

// mostVariants bounds the combinations of versions with which one object is compared. While more
// are possible, the object is not judged.
const mostVariants = 64

// checkEntry compares an entry with each combination of versions that it may show.
func (b *Book) checkEntry(date int, entry client.Entry, position uint64) error {
	first := b.dates[date]
	events, venues := b.eventsAt(date, position), b.venuesAt(date, position)
	organizations := b.organizations[first.Event.OrgUUID].at(position)
	if len(events)*len(venues)*len(organizations) > mostVariants {
		return nil
	}
	var difference error
	for _, e := range events {
		for _, v := range venues {
			for _, o := range organizations {
				if difference = reference.SameFields(entry, b.fields(date, e, v, o)); difference == nil {
					return nil
				}
			}
		}
	}
	return difference
}

// fields returns the entry of a date in versions of its event, venue and organization.
func (b *Book) fields(date int, e *reference.Event, v *reference.Venue, o *reference.Organization) map[string]any {
	first := b.dates[date]
	if e == first.Event && v == first.Place.Venue && o == first.Org {
		if b.shown[date] == nil {
			b.shown[date] = b.entry(first)
		}
		return b.shown[date]
	}
	return b.entry(b.drawOf(date, e, v, o))
}

// changed is the field with the time of the last change of status.
const changed = "status_changed_at"

// entry returns the fields of a date in answers, without the time of its last change of status:
// that is by the clock of the service.
func (b *Book) entry(d *reference.Dated) map[string]any {
	fields := reference.SortedFields(b.ref.Entry(d))
	delete(fields, changed)
	return fields
}

// canJudge reports whether a search is in order of start, without offset and cursor, and names its
// days by numbers.
func canJudge(p reference.Parameters) bool {
	isPaged := slices.ContainsFunc([]string{"offset", "last_event_start_at", "last_event_date_uuid"}, func(name string) bool {
		return p[name] != ""
	})
	days := p["start"] + p["end"] + p["on"] + p["starts_before"]
	return !isPaged && p["not_over"] != "true" && (p["search"] == "" || p["sort"] == "start") && !strings.ContainsFunc(days, unicode.IsLetter)
}

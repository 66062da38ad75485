package stale

import (
	"fmt"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
)

// counts is a type summary.
type counts struct {
	types, genres map[int]int
	total         int
}

// countsOf counts some of the dates by the types of their events, which no edit changes.
func countsOf(dates []*reference.Dated, some []int) counts {
	found := make([]*reference.Dated, len(some))
	for n, i := range some {
		found[n] = dates[i]
	}
	return read(reference.Answer{Found: found}.Summary())
}

func read(s reference.Summary) counts {
	byID := func(list []reference.Count) map[int]int {
		counts := map[int]int{}
		for _, c := range list {
			counts[c.ID] = c.Count
		}
		return counts
	}
	return counts{byID(s.Types), byID(s.Genres), s.Total}
}

// checkSummary compares a type summary of a position with the book. Each count lies between that of
// the dates which belong to it for certain and that of all which may.
func (q *question) checkSummary(got client.Summary, position uint64) error {
	q.book.mu.Lock()
	defer q.book.mu.Unlock()
	var former, certain, possible []int
	for _, date := range q.book.edited {
		if q.isFound[date] {
			former = append(former, date)
		}
		switch q.belongs(date, position) {
		case in:
			certain = append(certain, date)
		case maybe:
			possible = append(possible, date)
		case out:
		}
	}
	less, sure, more := countsOf(q.book.dates, former), countsOf(q.book.dates, certain), countsOf(q.book.dates, possible)
	is := read(reference.Summary{Types: got.Types, Genres: got.Genres, Total: *got.Total})
	if err := within("type", is.types, q.summary.types, less.types, sure.types, more.types); err != nil {
		return err
	}
	if err := within("genre", is.genres, q.summary.genres, less.genres, sure.genres, more.genres); err != nil {
		return err
	}
	total := func(c counts) map[int]int { return map[int]int{0: c.total} }
	return within("total", total(is), total(q.summary), total(less), total(sure), total(more))
}

// within compares counts: at first, less those edited, more those certain, and at most those
// possible besides.
func within(what string, is, first, less, sure, more map[int]int) error {
	for _, ids := range []map[int]int{is, first, sure} {
		for id := range ids {
			low := first[id] - less[id] + sure[id]
			if high := low + more[id]; is[id] < low || is[id] > high {
				return fmt.Errorf("the count of %s %d is %d, want %d to %d", what, id, is[id], low, high)
			}
		}
	}
	return nil
}

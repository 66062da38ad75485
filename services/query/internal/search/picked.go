package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Pick is a date of a list.
type Pick struct{ Date, Event string }

// Picks returns the dates of a query in the order of its list: by entry, then by start, the first
// params.MaxOffset by start of all. The errors are those of the engine and of curated.Store.Of.
func (s *Searcher) Picks(ctx context.Context, q params.Query) ([]Pick, error) {
	p, err := s.page(ctx, q)
	if err != nil || !p.matches {
		return nil, err
	}
	return s.picks(ctx, p)
}

// picks returns the dates of a page and of all others in the order of its list. No filter and no
// sort of the engine knows that order, so all of them are read, and cached as long as none of them
// comes, goes or moves.
func (s *Searcher) picks(ctx context.Context, p page) ([]Pick, error) {
	p.offset, p.limit, p.passed, p.grouped, p.total = 0, params.MaxOffset, 0, false, nil
	found, err := cache.Get(ctx, s.cache, "picks", p.key("picks"), func(ctx context.Context) (*cache.Page, error) {
		by := p
		by.byStart = true
		hits, err := s.hits(ctx, by, "date_uuid", cache.EventAttribute)
		if err != nil {
			return nil, err
		}
		ids, err := idsInOrder(hits, p.list)
		return &cache.Page{Criteria: p.criteria(), IDs: ids}, err
	})
	if err != nil {
		return nil, err
	}
	picks := make([]Pick, 0, len(found.IDs)/(2*uuidBytes))
	for ids := found.IDs; len(ids) >= 2*uuidBytes; ids = ids[2*uuidBytes:] {
		picks = append(picks, Pick{Date: ids[:uuidBytes], Event: ids[uuidBytes : 2*uuidBytes]})
	}
	return picks, nil
}

// idsInOrder returns the uuids of dates, each followed by that of its event, in the order of a
// list. The hits are by start.
func idsInOrder(hits [][]byte, list *curated.List) (string, error) {
	type placed struct {
		Pick
		place int
	}
	dates := make([]placed, 0, len(hits))
	for _, hit := range hits {
		date, err := engine.Text(hit, "date_uuid")
		if err != nil || len(date) != uuidBytes {
			return "", engine.ErrAnswer
		}
		event, err := engine.Text(hit, cache.EventAttribute)
		if err != nil || len(event) != uuidBytes {
			return "", engine.ErrAnswer
		}
		if place, ok := list.Place(date, event); ok {
			dates = append(dates, placed{Pick{date, event}, place})
		}
	}
	slices.SortStableFunc(dates, func(a, b placed) int { return cmp.Compare(a.place, b.place) })
	var ids strings.Builder
	for _, date := range dates {
		ids.WriteString(date.Date)
		ids.WriteString(date.Event)
	}
	return ids.String(), nil
}

// onePerEvent returns the first pick of each event.
func onePerEvent(picks []Pick) []Pick {
	seen := make(map[string]bool, len(picks))
	return slices.DeleteFunc(picks, func(p Pick) bool {
		known := seen[p.Event]
		seen[p.Event] = true
		return known
	})
}

// rows returns the picks that are the rows of all pages.
func (s *Searcher) rows(ctx context.Context, p page) ([]Pick, error) {
	picks, err := s.picks(ctx, p)
	if err == nil && p.grouped {
		picks = onePerEvent(picks)
	}
	return picks, err
}

// narrowed returns a page in the order of a list as a question for just its dates, whose answer
// ordered and arranged put in that order; it returns every other page as it is.
func (s *Searcher) narrowed(ctx context.Context, p page) (page, error) {
	if !p.byList {
		return p, nil
	}
	rows, err := s.rows(ctx, p)
	if err != nil {
		return p, err
	}
	rows = rows[min(p.offset, len(rows)):]
	rows = rows[:min(p.limit, len(rows))]
	uuids := make([]string, len(rows))
	p.places = make(map[string]int, len(rows))
	for i, row := range rows {
		uuids[i], p.places[row.Date] = row.Date, i
	}
	p.filter, p.offset, p.limit, p.grouped, p.byStart = filter.OnlyDates(p.filter, uuids), 0, len(rows), false, true
	return p, nil
}

// ordered returns the indexes of entries in the order of the page's list; nil if the page is in
// another order.
func (p page) ordered(entries [][]byte) ([]int, error) {
	if p.places == nil {
		return nil, nil
	}
	order, places := make([]int, len(entries)), make([]int, len(entries))
	for i, entry := range entries {
		uuid, err := engine.Text(entry, "date_uuid")
		if err != nil {
			return nil, engine.ErrAnswer
		}
		order[i], places[i] = i, p.places[uuid]
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	return order, nil
}

// arranged returns the items in an order, nil for that which they have.
func arranged[T any](items []T, order []int) []T {
	if order == nil {
		return items
	}
	sorted := make([]T, len(order))
	for to, from := range order {
		sorted[to] = items[from]
	}
	return sorted
}

// offsetInList returns the offset of the row that follows a date in the order of a list. The error
// is the engine's, or the fault cursorGone.
func (s *Searcher) offsetInList(ctx context.Context, p page, dateUUID string) (int, error) {
	rows, err := s.rows(ctx, p)
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(rows, func(row Pick) bool { return row.Date == dateUUID })
	if at < 0 {
		return 0, cursorGone()
	}
	return at + 1, nil
}

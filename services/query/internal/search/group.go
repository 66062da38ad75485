package search

import (
	"context"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// eventAttribute names the event of a date. A search by events takes the first date of each in its
// order.
const eventAttribute = "uuid"

// mostTries is how often a page behind a cursor is read while the index changes.
const mostTries = 5

// entriesAfter returns the entries of a page, which read reads; behind a cursor of events those
// whose first date stands behind it.
//
// Which dates are first, no filter says, for an event may have dates on both sides of the cursor.
// So the events up to the cursor are counted and passed over. The event before the page is read,
// too: when it stands up to the cursor and the next one behind it, the index that was read is the
// one that was counted.
func (s *Searcher) entriesAfter(
	ctx context.Context, p page, read func(context.Context, page) ([][]byte, error),
) ([][]byte, error) {
	if p.after == nil {
		return read(ctx, p)
	}
	for range mostTries {
		passed, err := s.eventsUpTo(ctx, p)
		if err != nil {
			return nil, err
		}
		before := min(passed, 1)
		part := p
		part.offset, part.limit = passed-before, p.limit+before
		entries, err := read(ctx, part)
		if err != nil {
			return nil, err
		}
		parted, err := p.parts(entries, before)
		if err != nil {
			return nil, err
		}
		if parted {
			return entries[before:], nil
		}
	}
	f := fault.New(fault.Unavailable, "index_changing", "the search index changes faster than it is read; try again in a moment")
	f.RetryAfter = time.Second
	return nil, f
}

// parts reports whether so many entries stand up to the page's cursor, and the next one behind it.
func (p page) parts(entries [][]byte, before int) (bool, error) {
	if len(entries) < before {
		return false, nil
	}
	for i, entry := range entries[:min(before+1, len(entries))] {
		at, err := placeIn(entry)
		if err != nil {
			return false, err
		}
		if behind := at.compare(*p.after) > 0; behind != (i == before) {
			return false, nil
		}
	}
	return true, nil
}

// eventsUpTo returns how many events have a date at or before the page's cursor.
func (s *Searcher) eventsUpTo(ctx context.Context, p page) (int, error) {
	upTo, matches := filter.Compile(filter.UpTo(p.expr, p.after.startKey, p.after.dateUUID))
	if !matches {
		return 0, nil
	}
	counts, err := s.engine.Count(ctx, document.Dates, engine.Counting{
		Filter: upTo, Words: p.words, Distinct: eventAttribute,
	})
	if err != nil {
		return 0, err
	}
	return counts[0].Total, nil
}

// datesOf returns the events of a page's entries, and how many dates of each are found.
func (s *Searcher) datesOf(ctx context.Context, p page, entries [][]byte) (events []byte, dates []int, err error) {
	if len(entries) == 0 {
		return nil, nil, nil
	}
	uuids := make([]string, len(entries))
	for i, entry := range entries {
		if uuids[i], err = engine.Text(entry, eventAttribute); err != nil {
			return nil, nil, err
		}
		events = append(events, uuids[i]...)
	}
	counts, err := s.engine.Count(ctx, document.Dates, engine.Counting{
		Filter: filter.Among(p.filter, uuids), Words: p.words, By: []string{eventAttribute},
	})
	if err != nil {
		return nil, nil, err
	}
	dates = make([]int, len(entries))
	for i, uuid := range uuids {
		dates[i] = max(1, counts[0].Values[eventAttribute][uuid]) // the one that is shown may be gone by now
	}
	return events, dates, nil
}

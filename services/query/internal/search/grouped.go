package search

import (
	"context"
	"encoding/json"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// maxTries is how often a page after a cursor is read while the index changes.
const maxTries = 5

// entriesAfter returns the entries of a page, which read reads; with a cursor of events, those
// whose first date is after it.
//
// No filter finds the first dates, for an event may have dates on both sides of the cursor. So the
// events up to the cursor are counted and skipped. The event before the page is read, too: if it is
// not after the cursor and the next one is, the index did not change between count and read.
func (s *Searcher) entriesAfter(
	ctx context.Context, p page, read func(context.Context, page) ([][]byte, error),
) ([][]byte, error) {
	if p.places != nil && len(p.places) == 0 {
		return nil, nil
	}
	if p.after == nil {
		return read(ctx, p)
	}
	for range maxTries {
		skipped, err := s.countUpTo(ctx, p)
		if err != nil {
			return nil, err
		}
		before := min(skipped, 1)
		extended := p
		extended.offset, extended.limit = skipped-before, p.limit+before
		entries, err := read(ctx, extended)
		if err != nil {
			return nil, err
		}
		begins, err := p.beginsAt(entries, before)
		if err != nil {
			return nil, err
		}
		if begins {
			return entries[before:], nil
		}
	}
	f := fault.New(fault.Unavailable, "index_changing", "the search index changes faster than it is read; try again in a moment")
	f.RetryAfter = time.Second
	return nil, f
}

// beginsAt reports whether the entries before an index are not after the page's cursor, and the one
// at it is.
func (p page) beginsAt(entries [][]byte, first int) (bool, error) {
	if len(entries) < first {
		return false, nil
	}
	for i, entry := range entries[:min(first+1, len(entries))] {
		at, err := cursorOf(entry)
		if err != nil {
			return false, err
		}
		if after := at.Compare(*p.after) > 0; after != (i == first) {
			return false, nil
		}
	}
	return true, nil
}

// countUpTo returns the number of events that have a date at or before the page's cursor.
func (s *Searcher) countUpTo(ctx context.Context, p page) (int, error) {
	upTo, matches := filter.Compile(filter.UpTo(p.expr, p.after.StartKey, p.after.DateUUID))
	if !matches {
		return 0, nil
	}
	counts, err := s.engine.Count(ctx, document.Dates, engine.Counting{
		Filter: upTo, Words: p.words, Distinct: p.distinct(),
	})
	if err != nil {
		return 0, err
	}
	return counts[0].Total, nil
}

// countDates counts how many dates of the event of each row are found, or grouped by series of its
// series.
func (s *Searcher) countDates(ctx context.Context, p page, rows []cache.Row) error {
	if len(rows) == 0 {
		return nil
	}
	if p.series {
		return s.countSeriesDates(ctx, p, rows)
	}
	uuids := make([]string, len(rows))
	for i, row := range rows {
		uuids[i] = row.Event
	}
	counts, err := s.engine.Count(ctx, document.Dates, engine.Counting{
		Filter: filter.Among(p.filter, uuids), Words: p.words, By: []string{cache.EventAttribute},
	})
	if err != nil {
		return err
	}
	for i, uuid := range uuids {
		rows[i].Dates = max(1, counts[0].Values[cache.EventAttribute][uuid]) // the date shown may be gone by now
	}
	return nil
}

// groupOf returns the series by which an entry is grouped, or the date if it belongs to none.
func groupOf(entry []byte, date string) (string, error) {
	var of struct {
		SeriesUUIDs []string `json:"series_uuids"` // absent without
	}
	switch err := json.Unmarshal(entry, &of); {
	case err != nil:
		return "", engine.ErrAnswer
	case len(of.SeriesUUIDs) == 0:
		return date, nil
	case len(of.SeriesUUIDs[0]) != uuidBytes:
		return "", engine.ErrAnswer
	default:
		return of.SeriesUUIDs[0], nil
	}
}

func (s *Searcher) countSeriesDates(ctx context.Context, p page, rows []cache.Row) error {
	var series []string
	for i := range rows {
		if rows[i].Dates = 1; rows[i].Event != rows[i].DateUUID {
			series = append(series, rows[i].Event)
		}
	}
	if len(series) == 0 {
		return nil
	}
	counts, err := s.engine.Count(ctx, document.Dates, engine.Counting{
		Filter: filter.AmongSeries(p.filter, series), Words: p.words, By: []string{cache.SeriesAttribute},
	})
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Dates = max(1, counts[0].Values[cache.SeriesAttribute][rows[i].Event])
	}
	return nil
}

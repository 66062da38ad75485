package search

import (
	"context"
	"strconv"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// page is a page of dates to search for.
type page struct {
	expr   filter.Expr
	filter string // compiled; "" for all
	words  string
	// byStart orders by start, then date; else words order by relevance, then the same.
	byStart bool
	offset  int
	limit   int
	passed  int // entries before the first one, for its rank

	grouped bool   // one entry per event, its first date
	after   *place // grouped by start: the events whose first date is behind it
}

// byStart is the order of the dates: all-day dates come first, as 00:00 (RULES.md, Paging).
var byStart = []string{"start_key:asc", "date_uuid:asc"}

func (p page) question(attributes ...string) engine.Question {
	q := engine.Question{
		Filter: p.filter, Words: p.words, Attributes: attributes, Offset: p.offset, Limit: p.limit,
	}
	if p.byStart {
		q.Sort = byStart
	}
	if p.grouped {
		q.Distinct = eventAttribute
	}
	return q
}

// expressionBytes is what an expression takes in memory for each byte of its compiled form, about:
// each value is a text of its own.
const expressionBytes = 2

// found returns what the page is a part of.
func (p page) found() found {
	words := delta.WordsOf(p.words)
	return found{expr: p.expr, words: words, bytes: expressionBytes*len(p.filter) + words.Size()}
}

// read returns a page with the payload of the event search: the entries with their rank, and what
// the next page begins after.
func (s *Searcher) read(ctx context.Context, p page) (*listing, error) {
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	entries, err := s.entriesAfter(ctx, p, func(ctx context.Context, p page) ([][]byte, error) {
		return s.entries(ctx, p, scratch)
	})
	if err != nil {
		return nil, err
	}
	l := &listing{found: p.found(), entries: true, byStart: p.byStart, full: len(entries) == p.limit, after: p.after}
	var dates []int
	if p.grouped {
		if l.events, dates, err = s.datesOf(ctx, p, entries); err != nil {
			return nil, err
		}
	}
	var data []byte
	if data, l.first, l.last, err = payload(entries, p.passed, dates); err != nil {
		return nil, err
	}
	l.payload = encoded.NewPayload(data)
	l.ids, err = idsIn(entries)
	return l, err
}

// noDates is the payload of an answer without entries.
func noDates() []byte {
	return []byte(`{"events":[],"last_event_date_uuid":null,"last_event_start_at":null}`)
}

// payload writes entries behind their rank, which begins behind those passed over, and the number
// of dates that each stands for, unless that is one by its nature. It returns also where the first
// and the last one stand.
func payload(entries [][]byte, passed int, dates []int) (payload []byte, first, last place, err error) {
	if len(entries) == 0 {
		return noDates(), place{}, place{}, nil
	}
	if first, err = placeIn(entries[0]); err != nil {
		return nil, place{}, place{}, err
	}
	end := entries[len(entries)-1]
	if last, err = placeIn(end); err != nil {
		return nil, place{}, place{}, err
	}
	const rankBytes, lastBytes = len(`{"search_rank":10200,"date_count":1000,,`), 140
	size := lastBytes + len(entries)*rankBytes
	for _, entry := range entries {
		size += len(entry)
	}
	data := append(make([]byte, 0, size), `{"events":[`...)
	for i, entry := range entries {
		if len(entry) < len(`{"":0}`) || entry[0] != '{' {
			return nil, place{}, place{}, engine.ErrAnswer
		}
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, `{"search_rank":`...)
		data = strconv.AppendInt(data, int64(passed+i+1), 10)
		if dates != nil {
			data = append(data, `,"date_count":`...)
			data = strconv.AppendInt(data, int64(dates[i]), 10)
		}
		data = append(data, ',')
		data = append(data, entry[1:]...)
	}
	data, err = appendLast(data, end)
	return data, first, last, err
}

// placeIn returns the place of an entry.
func placeIn(entry []byte) (p place, err error) {
	var texts [3]string
	for i, name := range [3]string{"start_date", "start_time", "date_uuid"} {
		if texts[i], err = engine.Text(entry, name); err != nil {
			return place{}, err
		}
	}
	digits := strings.NewReplacer("-", "", ":", "").Replace(texts[0] + texts[1])
	if p.startKey, err = strconv.ParseInt(digits, 10, 64); err != nil {
		return place{}, engine.ErrAnswer
	}
	p.dateUUID = texts[2]
	return p, nil
}

// appendLast ends the payload with the place of its last entry.
func appendLast(data, entry []byte) ([]byte, error) {
	var last [3]string
	for i, name := range [3]string{"date_uuid", "start_date", "start_time"} {
		var err error
		if last[i], err = engine.Text(entry, name); err != nil {
			return nil, err
		}
	}
	data = append(data, `],"last_event_date_uuid":"`...)
	data = append(data, last[0]...)
	data = append(data, `","last_event_start_at":"`...)
	data = append(data, last[1]...)
	data = append(data, 'T')
	data = append(data, last[2]...)
	return append(data, `"}`...), nil
}

package search

import (
	"context"
	"strconv"
	"strings"

	"litfass/pkg/document"
	"litfass/pkg/encoded"
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
}

// byStart is the order of the dates: all-day dates come first, as 00:00 (decisions.md, Public
// search).
var byStart = []string{"start_key:asc", "date_uuid:asc"}

func (p page) question(attributes ...string) engine.Question {
	q := engine.Question{
		Filter: p.filter, Words: p.words, Attributes: attributes, Offset: p.offset, Limit: p.limit,
	}
	if p.byStart {
		q.Sort = byStart
	}
	return q
}

// found returns what the page is a part of.
func (p page) found() found {
	return found{expr: p.expr, words: delta.WordsOf(p.words), bytes: len(p.filter) + len(p.words)}
}

// read returns a page with the payload of the event search: the entries with their rank, and what
// the next page begins after.
func (s *Searcher) read(ctx context.Context, p page) (*listing, error) {
	answer, err := s.engine.Search(ctx, document.Dates, p.question(document.EntryAttributes...))
	if err != nil {
		return nil, err
	}
	hits, err := engine.Hits(answer)
	if err != nil {
		return nil, err
	}
	l := &listing{found: p.found(), entries: true, byStart: p.byStart, full: len(hits) == p.limit}
	data, err := payload(hits, len(answer), p.passed)
	if err != nil {
		return nil, err
	}
	l.payload = encoded.NewPayload(data)
	if l.ids, err = idsIn(hits); err != nil {
		return nil, err
	}
	if len(hits) > 0 {
		l.first, err = placeIn(hits[0])
		if err == nil {
			l.last, err = placeIn(hits[len(hits)-1])
		}
	}
	return l, err
}

// placeIn returns the place of an entry.
func placeIn(hit []byte) (p place, err error) {
	var texts [3]string
	for i, name := range [3]string{"start_date", "start_time", "date_uuid"} {
		if texts[i], err = engine.Text(hit, name); err != nil {
			return place{}, err
		}
	}
	digits := strings.NewReplacer("-", "", ":", "").Replace(texts[0] + texts[1])
	p.startKey, err = strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return place{}, engine.ErrAnswer
	}
	p.dateUUID = texts[2]
	return p, nil
}

// noDates is the payload of an answer without entries.
func noDates() []byte {
	return []byte(`{"events":[],"last_event_date_uuid":null,"last_event_start_at":null}`)
}

// payload writes the hits of an answer of some size as entries. Their own bytes are copied as they
// are, behind their rank, which begins behind those passed over.
func payload(hits [][]byte, size, passed int) ([]byte, error) {
	if len(hits) == 0 {
		return noDates(), nil
	}
	const rankBytes, lastBytes = len(`{"search_rank":10200,,`), 160
	data := make([]byte, 0, size+len(hits)*rankBytes+lastBytes)
	data = append(data, `{"events":[`...)
	for i, hit := range hits {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, `{"search_rank":`...)
		data = strconv.AppendInt(data, int64(passed+i+1), 10)
		data = append(data, ',')
		data = append(data, hit[1:]...)
	}
	return appendLast(data, hits[len(hits)-1])
}

// appendLast ends the payload with the place of its last entry.
func appendLast(data, hit []byte) ([]byte, error) {
	var last [3]string
	for i, name := range [3]string{"date_uuid", "start_date", "start_time"} {
		var err error
		if last[i], err = engine.Text(hit, name); err != nil {
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

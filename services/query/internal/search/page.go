package search

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	hits, err := s.hits(ctx, p, document.EntryAttributes...)
	if err == nil && slices.ContainsFunc(hits, lacksEntry) {
		hits, err = s.hits(ctx, p, slices.Concat(document.EntryAttributes, document.FormerEntryAttributes)...)
	}
	if err != nil {
		return nil, err
	}
	l := &listing{found: p.found(), entries: true, byStart: p.byStart, full: len(hits) == p.limit}
	data, err := write(hits, p.passed)
	l.payload, l.ids, l.first, l.last = encoded.NewPayload(data.payload), data.ids, data.first, data.last
	return l, err
}

func (s *Searcher) hits(ctx context.Context, p page, attributes ...string) ([][]byte, error) {
	answer, err := s.engine.Search(ctx, document.Dates, p.question(attributes...))
	if err != nil {
		return nil, err
	}
	return engine.Hits(answer)
}

// lacksEntry reports whether a date's document does not hold its entry as JSON text, as those of
// document.Version 3. Until the projector has rebuilt the index, in which it writes new ones
// meanwhile, a search asks twice.
func lacksEntry(hit []byte) bool {
	_, err := engine.Member(hit, document.EntryAttributes[0])
	return err != nil
}

// noDates is the payload of an answer without entries.
func noDates() []byte {
	return []byte(`{"events":[],"last_event_date_uuid":null,"last_event_start_at":null}`)
}

// scratches are where payloads are written before their length is known.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// written is what a page of hits becomes.
type written struct {
	payload     []byte // with room for the end of the envelope
	ids         []byte // of the dates, without anything between them
	first, last place
}

// write writes the hits of an answer as entries. Their own bytes are copied as they are, behind
// their rank, which begins behind those passed over.
func write(hits [][]byte, passed int) (w written, err error) {
	if len(hits) == 0 {
		return written{payload: noDates()}, nil
	}
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	const beginning = `{"events":[`
	data := append((*scratch)[:0], beginning...)
	begin := 0 // of the last entry
	for i, hit := range hits {
		if i > 0 {
			data = append(data, ',')
		}
		begin = len(data)
		if data, err = appendEntry(data, hit, passed+i+1); err != nil {
			return written{}, err
		}
		id, err := engine.Text(data[begin:], "date_uuid")
		if err != nil {
			return written{}, err
		}
		w.ids = append(w.ids, id...)
	}
	if w.first, err = placeIn(data[len(beginning):]); err != nil {
		return written{}, err
	}
	if w.last, err = placeIn(data[begin:]); err != nil {
		return written{}, err
	}
	if data, err = appendLast(data, data[begin:]); err != nil {
		return written{}, err
	}
	*scratch = data
	w.payload = append(make([]byte, 0, len(data)+1), data...)
	return w, nil
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

// appendEntry appends the entry of a hit with its rank.
func appendEntry(data, hit []byte, rank int) ([]byte, error) {
	data = append(data, `{"search_rank":`...)
	data = strconv.AppendInt(data, int64(rank), 10)
	at := len(data)
	if entry, err := engine.Member(hit, document.EntryAttributes[0]); err != nil {
		data = append(data, hit...) // of Version 3: it is the entry
	} else if data, err = engine.AppendText(data, entry); err != nil {
		return nil, err
	}
	if at == len(data) || data[at] != '{' {
		return nil, engine.ErrAnswer
	}
	data[at] = ','
	return data, nil
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

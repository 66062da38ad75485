package search

import (
	"context"
	"strconv"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
)

// page is a page of dates to search for.
type page struct {
	selection

	byStart  bool // ordered by start, then uuid; otherwise words order by relevance, then the same
	byChange bool // ordered by change, the latest first, then by start and uuid
	offset   int
	limit    int
	passed   int // entries before the first one, for its rank

	grouped bool           // one entry per event: its first date
	after   *params.Cursor // grouped by start: the first date of an event is after it

	total *selection // the dates on all pages, which are counted; nil when they are not
}

// page returns the page that a query asks for. It returns the errors of Events.
func (s *Searcher) page(ctx context.Context, q params.Query) (p page, err error) {
	p = page{
		byStart: q.ByStart(), byChange: q.Sort == params.SortByChange,
		offset: q.Offset, limit: q.Limit, passed: q.Offset, grouped: q.Grouped,
	}
	dates := q
	if q.Grouped { // a cursor of events does not filter dates: an event may have some before it
		dates.After = nil
		if p.byStart {
			p.after = q.After
		}
	}
	if p.selection, err = s.compile(ctx, dates); err != nil {
		return p, err
	}
	if q.Total {
		q := q
		q.After = nil
		all, err := s.compile(ctx, q)
		if err != nil {
			return p, err
		}
		p.total = &all
	}
	if !afterPlace(q) {
		return p, nil
	}
	if !p.matches {
		return p, cursorGone()
	}
	p.offset, err = s.offsetAfter(ctx, p, q.After.DateUUID)
	return p, err
}

// byStart and byChange are orders of the dates: all-day dates come first, as 00:00 (RULES.md,
// Paging).
var (
	byStart  = []string{"start_key:asc", "date_uuid:asc"}
	byChange = append([]string{"changed_at:desc"}, byStart...)
)

func (p page) question(attributes ...string) engine.Question {
	q := engine.Question{
		Filter: p.filter, Words: p.words, Attributes: attributes, Offset: p.offset, Limit: p.limit,
	}
	switch {
	case p.byStart:
		q.Sort = byStart
	case p.byChange:
		q.Sort = byChange
	}
	if p.grouped {
		q.Distinct = cache.EventAttribute
	}
	return q
}

// load reads a page with the payload of the event search: the entries with their rank, and the
// cursor of the next page.
func (s *Searcher) load(ctx context.Context, p page) (*cache.Page, error) {
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	entries, err := s.entriesAfter(ctx, p, func(ctx context.Context, p page) ([][]byte, error) {
		return s.entries(ctx, p, scratch)
	})
	if err != nil {
		return nil, err
	}
	loaded, err := p.cached(entries)
	if err != nil {
		return nil, err
	}
	var counts []int
	if p.grouped {
		if counts, err = s.countDates(ctx, p, loaded.Events); err != nil {
			return nil, err
		}
	}
	data, err := payload(entries, p.passed, counts)
	if err != nil {
		return nil, err
	}
	if p.total != nil {
		total, err := s.countAll(ctx, *p.total, p.grouped)
		if err != nil {
			return nil, err
		}
		criteria := p.total.criteria()
		data, loaded.Total = withTotal(data, total), &criteria
	}
	loaded.Payload = encoded.NewPayload(data)
	return loaded, nil
}

// countAll returns the number of dates, or of events, of a selection.
func (s *Searcher) countAll(ctx context.Context, all selection, events bool) (int, error) {
	if !all.matches {
		return 0, nil
	}
	question := engine.Counting{Filter: all.filter, Words: all.words}
	if events {
		question.Distinct = cache.EventAttribute
	}
	counts, err := s.engine.Count(ctx, document.Dates, question)
	if err != nil {
		return 0, err
	}
	return counts[0].Total, nil
}

// withTotal adds the number of dates on all pages to a payload.
func withTotal(data []byte, total int) []byte {
	data = append(data[:len(data)-1], `,"total_event_count":`...)
	return append(strconv.AppendInt(data, int64(total), 10), '}')
}

// cached returns the page with its entries as the cache needs to know it, without a payload.
func (p page) cached(entries [][]byte) (*cache.Page, error) {
	c := &cache.Page{
		Criteria: p.criteria(), ByStart: p.byStart, ByChange: p.byChange, Full: len(entries) == p.limit, After: p.after,
	}
	var err error
	if c.IDs, err = uuidsIn(entries, "date_uuid"); err != nil || len(entries) == 0 {
		return c, err
	}
	if p.grouped {
		if c.Events, err = uuidsIn(entries, cache.EventAttribute); err != nil {
			return nil, err
		}
	}
	if c.First, err = cursorOf(entries[0]); err != nil {
		return nil, err
	}
	c.Last, err = cursorOf(entries[len(entries)-1])
	return c, err
}

// empty is the payload of a page of a search that finds nothing.
func (p page) empty() encoded.Payload {
	data := noDates()
	if p.total != nil {
		data = withTotal(data, 0)
	}
	return encoded.NewPayload(data)
}

// noDates is the payload of an answer without entries.
func noDates() []byte {
	return []byte(`{"events":[],"last_event_date_uuid":null,"last_event_start_at":null}`)
}

// payload writes entries with their rank, which begins after those passed, and with the number of
// dates that each stands for, unless counts is nil.
func payload(entries [][]byte, passed int, counts []int) ([]byte, error) {
	if len(entries) == 0 {
		return noDates(), nil
	}
	const rankBytes, lastBytes = len(`{"search_rank":10200,"date_count":1000,,`), 140
	size := lastBytes + len(entries)*rankBytes
	for _, entry := range entries {
		size += len(entry)
	}
	data := append(make([]byte, 0, size), `{"events":[`...)
	for i, entry := range entries {
		if len(entry) < len(`{"":0}`) || entry[0] != '{' {
			return nil, engine.ErrAnswer
		}
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, `{"search_rank":`...)
		data = strconv.AppendInt(data, int64(passed+i+1), 10)
		if counts != nil {
			data = append(data, `,"date_count":`...)
			data = strconv.AppendInt(data, int64(counts[i]), 10)
		}
		data = append(data, ',')
		data = append(data, entry[1:]...)
	}
	uuid, date, clock, err := startOf(entries[len(entries)-1])
	if err != nil {
		return nil, err
	}
	return append(data, `],"last_event_date_uuid":"`+uuid+`","last_event_start_at":"`+date+"T"+clock+`"}`...), nil
}

// cursorOf returns the place of an entry in the order by start.
func cursorOf(entry []byte) (c params.Cursor, err error) {
	uuid, date, clock, err := startOf(entry)
	if err != nil {
		return c, err
	}
	c.DateUUID = uuid
	if c.StartKey, err = strconv.ParseInt(strings.NewReplacer("-", "", ":", "").Replace(date+clock), 10, 64); err != nil {
		return c, engine.ErrAnswer
	}
	return c, nil
}

// startOf returns the uuid of an entry's date, and when it starts.
func startOf(entry []byte) (uuid, date, clock string, err error) {
	if uuid, err = engine.Text(entry, "date_uuid"); err != nil {
		return "", "", "", err
	}
	if date, err = engine.Text(entry, "start_date"); err != nil {
		return "", "", "", err
	}
	clock, err = engine.Text(entry, "start_time")
	return uuid, date, clock, err
}

// uuidBytes is the length of a uuid.
const uuidBytes = 36

// uuidsIn returns the uuids of hits or entries in a member, without separators.
func uuidsIn(hits [][]byte, member string) ([]byte, error) {
	uuids := make([]byte, 0, len(hits)*uuidBytes)
	for _, hit := range hits {
		uuid, err := engine.Text(hit, member)
		if err != nil || len(uuid) != uuidBytes {
			return nil, engine.ErrAnswer
		}
		uuids = append(uuids, uuid...)
	}
	return uuids, nil
}

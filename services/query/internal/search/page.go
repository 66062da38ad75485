package search

import (
	"context"
	"fmt"
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
	byList   bool // ordered by the places in the list, then by start and uuid
	offset   int
	limit    int
	passed   int // entries before the first one, for its rank

	grouped bool           // one entry per event: its first date
	series  bool           // grouped, but one entry per series, and per date of none
	after   *params.Cursor // grouped by start: the first date of an event is after it

	places map[string]int // of the dates that narrowed has chosen

	total *selection // the dates on all pages, which are counted; nil when they are not
}

// page returns the page that a query asks for. It returns the errors of Events.
func (s *Searcher) page(ctx context.Context, q params.Query) (p page, err error) {
	p = page{
		byStart: q.ByStart(), byChange: q.Sort == params.SortByChange, byList: q.ByList(),
		offset: q.Offset, limit: q.Limit, passed: q.Offset, grouped: q.Grouped || q.BySeries, series: q.BySeries,
	}
	dates := q
	if p.grouped { // a cursor of events does not filter dates: an event may have some before it
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
	if p.byList {
		p.offset, err = s.offsetInList(ctx, p, q.After.DateUUID)
		return p, err
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
	q.Distinct = p.distinct()
	return q
}

// distinct returns the attribute of which each value is one entry; "" for none.
func (p page) distinct() string {
	switch {
	case p.series:
		return cache.SeriesAttribute
	case p.grouped:
		return cache.EventAttribute
	default:
		return ""
	}
}

// load reads a page with the payload of the event search: the entries with their rank, and the
// cursor of the next page.
func (s *Searcher) load(ctx context.Context, p page) (*cache.Page, error) {
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	wide, err := s.narrowed(ctx, p.withSpares())
	if err != nil {
		return nil, err
	}
	entries, err := s.entriesAfter(ctx, wide, func(ctx context.Context, p page) ([][]byte, error) {
		return s.entries(ctx, p, scratch)
	})
	if err != nil {
		return nil, err
	}
	order, err := wide.ordered(entries)
	if err != nil {
		return nil, err
	}
	rows, err := p.rowsOf(arranged(entries, order))
	if err != nil {
		return nil, err
	}
	if p.grouped {
		if err = s.countDates(ctx, p, rows); err != nil {
			return nil, err
		}
	}
	loaded := p.cached()
	if p.total != nil {
		if loaded.Total, err = s.countPages(ctx, p); err != nil {
			return nil, err
		}
	}
	passed := p.passed
	loaded.Encode = func(shown *cache.Page, rows []cache.Row) ([]byte, []cache.Span) {
		data, members := payload(rows, passed, shown.Grouped)
		if shown.Total != nil {
			data = withTotal(data, shown.Total.Total)
		}
		return data, members
	}
	return cache.NewPage(loaded, rows, len(rows) < wide.limit), nil
}

// countPages counts the entries of all pages.
func (s *Searcher) countPages(ctx context.Context, p page) (*cache.Tally, error) {
	if !p.series {
		return s.countAll(ctx, *p.total, p.grouped)
	}
	counts, err := s.engine.Count(ctx, document.Dates, engine.Counting{
		Filter: p.total.filter, Words: p.total.words, Distinct: p.distinct(),
	})
	if err != nil {
		return nil, err
	}
	return &cache.Tally{Criteria: p.total.criteria(), Total: counts[0].Total}, nil
}

// countAll counts the dates, or the events, of a selection.
func (s *Searcher) countAll(ctx context.Context, all selection, events bool) (*cache.Tally, error) {
	t := &cache.Tally{Criteria: all.criteria(), Grouped: events}
	var totals []int
	var err error
	t.Version, err = s.versions.of(func() error {
		totals, err = s.totals(ctx, []selection{all}, events)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.Total = totals[0]
	return t, nil
}

// withTotal adds the number of dates on all pages to a payload.
func withTotal(data []byte, total int) []byte {
	data = append(data[:len(data)-1], `,"total_event_count":`...)
	return append(strconv.AppendInt(data, int64(total), 10), '}')
}

// withSpares returns the page with dates that move up when others leave it.
func (p page) withSpares() page {
	if p.byStart { // else their order is not known
		p.limit += cache.Spares
	}
	return p
}

// cached returns the page as the cache needs to know it, without rows.
func (p page) cached() cache.Page {
	return cache.Page{
		Criteria: p.criteria(), ByStart: p.byStart, ByChange: p.byChange, Limit: p.limit, Skips: p.offset > 0,
		Grouped: p.grouped, BySeries: p.series, After: p.after,
	}
}

// rowsOf returns the rows of entries. The number of dates that each stands for is not known.
func (p page) rowsOf(entries [][]byte) ([]cache.Row, error) {
	rows := make([]cache.Row, len(entries))
	for i, entry := range entries {
		at, err := cursorOf(entry)
		if err != nil {
			return nil, err
		}
		if len(at.DateUUID) != uuidBytes || len(entry) < len(`{"":0}`) || entry[0] != '{' {
			return nil, engine.ErrAnswer
		}
		rows[i] = cache.Row{Cursor: at, Members: entry[1:]}
		if !p.grouped {
			continue
		}
		if p.series {
			if rows[i].Event, err = groupOf(entry, at.DateUUID); err != nil {
				return nil, err
			}
			continue
		}
		if rows[i].Event, err = engine.Text(entry, cache.EventAttribute); err != nil || len(rows[i].Event) != uuidBytes {
			return nil, engine.ErrAnswer
		}
	}
	return rows, nil
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

// payload writes rows with their rank, which begins after those passed, and, grouped, with the
// number of dates that each stands for. It also returns where the text has the members of each.
func payload(rows []cache.Row, passed int, grouped bool) (data []byte, members []cache.Span) {
	if len(rows) == 0 {
		return noDates(), nil
	}
	const rankBytes, lastBytes = len(`{"search_rank":10200,"date_count":1000,,`), 140
	size := lastBytes + len(rows)*rankBytes
	for _, row := range rows {
		size += len(row.Members)
	}
	data, members = append(make([]byte, 0, size), `{"events":[`...), make([]cache.Span, len(rows))
	for i, row := range rows {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, `{"search_rank":`...)
		data = strconv.AppendInt(data, int64(passed+i+1), 10)
		if grouped {
			data = append(data, `,"date_count":`...)
			data = strconv.AppendInt(data, int64(row.Dates), 10)
		}
		data = append(data, ',')
		from := len(data)
		data = append(data, row.Members...)
		members[i] = cache.Span{From: uint32(from), To: uint32(len(data))} //nolint:gosec // a page has far less than 4 GB
	}
	last := rows[len(rows)-1].Cursor
	data = append(append(append(data, `],"last_event_date_uuid":"`...), last.DateUUID...), `","last_event_start_at":"`...)
	return append(appendStart(data, last.StartKey), `"}`...), members
}

// appendStart appends the start of a date, such as 2026-11-20T19:30.
func appendStart(data []byte, startKey int64) []byte {
	digits := fmt.Sprintf("%012d", startKey)
	return fmt.Appendf(data, "%s-%s-%sT%s:%s", digits[:4], digits[4:6], digits[6:8], digits[8:10], digits[10:])
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

// uuidsIn returns the uuids of hits in a member, without separators.
func uuidsIn(hits [][]byte, member string) (string, error) {
	var uuids strings.Builder
	for _, hit := range hits {
		uuid, err := engine.Text(hit, member)
		if err != nil || len(uuid) != uuidBytes {
			return "", engine.ErrAnswer
		}
		uuids.WriteString(uuid)
	}
	return uuids.String(), nil
}

// Package lists reads everything from the index that needs no search of dates: events, venues and
// organizations, pages of them, regions, value sets, and the choosable lists made of these.
//
// Its errors are the engine's, and NotFound faults when there is no such entity.
package lists

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// Reader reads from the indexes of one read node. It caches the lists that many requests need.
type Reader struct {
	engine *engine.Engine

	valueSets         *cache.Value[versioned]
	regions           *cache.Value[[]publicapi.Region]
	venueNames        *cache.Value[*encoded.Text]
	organizationNames *cache.Value[*encoded.Text]

	namesOf map[string]*cache.Value[map[string]string] // by index, then uuid
	// seriesTitles are those of series by uuid, then language; "" is that of the original.
	seriesTitles *cache.Value[map[string]map[string]string]
}

// NewReader returns a reader that has read nothing yet. now is the clock, time.Now outside of
// tests.
func NewReader(e *engine.Engine, signal *cache.Signal, now func() time.Time) *Reader {
	r := &Reader{engine: e, namesOf: map[string]*cache.Value[map[string]string]{}}
	r.valueSets = cache.NewValue(signal, now, engine.Upkeep(r.readValueSets), document.Lookups)
	r.regions = cache.NewValue(signal, now, engine.Upkeep(r.readRegions), document.Regions)
	r.venueNames = cache.NewValue(signal, now, engine.Upkeep(r.allNames(document.Venues)), document.Venues)
	for _, index := range []string{document.Venues, document.Organizations, document.Contributors} {
		r.namesOf[index] = cache.NewValue(signal, now, r.namesByUUID(index), index)
	}
	r.seriesTitles = cache.NewValue(signal, now, r.readSeriesTitles, document.Series)
	r.organizationNames = cache.NewValue(signal, now, engine.Upkeep(r.allNames(document.Organizations)), document.Organizations)
	return r
}

// View is the public JSON of an entity, as the projector wrote it.
type View = json.RawMessage

// Event returns a public event with all its public dates.
func (r *Reader) Event(ctx context.Context, uuid string) (View, error) {
	return r.view(ctx, document.Events, uuid, "event")
}

// EventRecord is a public event with its revision, which only grows, and the time of its last
// change, RFC 3339; "" when it is not known.
type EventRecord struct {
	publicapi.Event
	Revision  int64
	ChangedAt string
}

// EventRecord returns a public event with all its public dates. Its texts are in a language, see
// publicapi.InLanguage; "" for the original.
func (r *Reader) EventRecord(ctx context.Context, uuid, language string) (event EventRecord, err error) {
	var found json.RawMessage
	ok, err := r.engine.Document(ctx, document.Events, uuid, []string{"view", "revision", "changed_at"}, &found)
	if err != nil {
		return event, err
	}
	var view View
	if ok {
		if view, err = viewOf(found); err != nil {
			return event, err
		}
	}
	if len(view) == 0 {
		return event, noSuch("event")
	}
	var versions struct {
		Revision  int64  `json:"revision"`
		ChangedAt string `json:"changed_at"`
	}
	if err = json.Unmarshal(inLanguage(view, language), &event.Event); err == nil {
		err = json.Unmarshal(found, &versions)
	}
	if err != nil {
		return event, fmt.Errorf("decode an event: %w", err)
	}
	event.Revision, event.ChangedAt = versions.Revision, versions.ChangedAt
	return event, nil
}

// Venue returns a venue with its spaces.
func (r *Reader) Venue(ctx context.Context, uuid string) (View, error) {
	return r.view(ctx, document.Venues, uuid, "venue")
}

// Organization returns an organization.
func (r *Reader) Organization(ctx context.Context, uuid string) (View, error) {
	return r.view(ctx, document.Organizations, uuid, "organization")
}

// Series returns a series. Its texts are in a language, see publicapi.InLanguage; "" for the
// original.
func (r *Reader) Series(ctx context.Context, uuid, language string) (View, error) {
	view, err := r.view(ctx, document.Series, document.EntityID(uuid), "series")
	if err != nil {
		return nil, err
	}
	return inLanguage(view, language), nil
}

// Contributor returns a contributor, also by the uuid of one that was merged into it.
func (r *Reader) Contributor(ctx context.Context, uuid string) (View, error) {
	found, err := r.view(ctx, document.Contributors, uuid, "contributor")
	if !fault.Is(err, fault.NotFound) {
		return found, err
	}
	hits, _, searchErr := r.byName(ctx, document.Contributors, filter.MergedContributor(uuid), engine.Question{Limit: 1, Attributes: []string{"view"}})
	if searchErr != nil || len(hits) == 0 {
		return nil, cmp.Or(searchErr, err)
	}
	return viewOf(hits[0])
}

// Contributors returns a page of contributors like Venues: {"contributors", "total"}.
func (r *Reader) Contributors(ctx context.Context, p Page) (*cache.List, error) {
	return r.List(ctx, document.Contributors, p, asViews(document.Contributors))
}

// view returns the view of the entity with this id; noun names it for people.
func (r *Reader) view(ctx context.Context, index, id, noun string) (View, error) {
	var found json.RawMessage
	ok, err := r.engine.Document(ctx, index, id, []string{"view"}, &found)
	if err != nil {
		return nil, err
	}
	var view View
	if ok {
		if view, err = viewOf(found); err != nil {
			return nil, err
		}
	}
	if len(view) == 0 {
		return nil, noSuch(noun)
	}
	return view, nil
}

func noSuch(noun string) error { return fault.New(fault.NotFound, "", "there is no such %s", noun) }

// viewOf returns the view of a document; nil for an entity that is gone.
func viewOf(hit []byte) ([]byte, error) {
	view, err := engine.Member(hit, "view")
	if err != nil {
		return nil, err
	}
	switch view[0] {
	case '"':
		return engine.AppendText(make([]byte, 0, len(view)), view)
	case '{': // of Version 3
		return slices.Clone(view), nil
	default:
		return nil, nil
	}
}

// Page selects a part of the records of an index in the order of their names, then uuids.
type Page struct {
	Match         filter.Expr
	Offset, Limit int
	// Whole pages have all records, read in parts. Others end before their views are longer than
	// maxPageBytes, but for the first one.
	Whole bool
}

// maxPageBytes is the length of the views that are read at once.
const maxPageBytes = 4 << 20

// Venues returns a page of venues with the payload {"venues": [views], "total"}.
func (r *Reader) Venues(ctx context.Context, p Page) (*cache.List, error) {
	return r.List(ctx, document.Venues, p, asViews(document.Venues))
}

// Organizations returns a page of organizations like Venues: {"organizations", "total"}.
func (r *Reader) Organizations(ctx context.Context, p Page) (*cache.List, error) {
	return r.List(ctx, document.Organizations, p, asViews(document.Organizations))
}

// asViews shows the views of records under the name of their index, as the payload of an envelope.
func asViews(index string) cache.List {
	return cache.List{
		Show: func(view []byte) ([]byte, error) { return view, nil },
		Frame: func(total int) (head, tail []byte) {
			return append([]byte(`{"`), index+`":[`...), fmt.Appendf(nil, `],"total":%d}}`, total) // and the end of the envelope
		},
	}
}

// List returns a page of venues or organizations, by the name of their index, as a list with Show
// and Frame shows them.
func (r *Reader) List(ctx context.Context, index string, p Page, list cache.List) (*cache.List, error) {
	var rows []cache.ListRow
	var total int64
	for {
		limit, err := r.fitting(ctx, index, p, len(rows))
		if err != nil {
			return nil, err
		}
		var hits [][]byte
		hits, total, err = r.byName(ctx, index, p.Match, engine.Question{
			Offset: p.Offset + len(rows), Limit: limit, Attributes: []string{"id", "name_sort", "view"},
		})
		if err != nil {
			return nil, err
		}
		for _, hit := range hits {
			row, err := rowOf(hit, list.Show)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
		if !p.Whole && limit > 0 {
			p.Limit = min(p.Limit, limit)
		}
		if len(hits) < limit || len(rows) >= p.Limit || len(hits) == 0 {
			break
		}
	}
	compiled, _ := filter.Compile(p.Match)
	list.Criteria = cache.NewCriteria(filter.Simplify(p.Match), compiled, "")
	list.Index, list.Offset, list.Limit, list.Total = index, p.Offset, p.Limit, int(total)
	return cache.NewList(list, rows), nil
}

// fitting returns how many records of a page, of which some are read, may be read at once. An index
// of an earlier release does not know how long its views are.
func (r *Reader) fitting(ctx context.Context, index string, p Page, read int) (limit int, err error) {
	hits, _, err := r.byName(ctx, index, p.Match, engine.Question{
		Offset: p.Offset + read, Limit: min(p.Limit-read, maxAtOnce), Attributes: []string{"view_bytes"},
	})
	if err != nil {
		return 0, err
	}
	length := 0
	for n, hit := range hits {
		var size struct {
			Bytes int `json:"view_bytes"`
		}
		if err := json.Unmarshal(hit, &size); err != nil {
			return 0, fmt.Errorf("decode the length of a record of %s: %w", index, err)
		}
		if length += size.Bytes; length > maxPageBytes && n > 0 {
			return n, nil
		}
	}
	return min(p.Limit-read, maxAtOnce), nil
}

// maxAtOnce is the number of records that are read at once.
const maxAtOnce = 1_000

// rowOf returns the row of a hit.
func rowOf(hit []byte, show func(view []byte) ([]byte, error)) (row cache.ListRow, err error) {
	if row.ID, err = engine.Text(hit, "id"); err != nil {
		return row, err
	}
	if name, nameErr := engine.Member(hit, "name_sort"); nameErr == nil {
		folded, err := engine.AppendText(nil, name)
		if err != nil {
			return row, err
		}
		row.Name = string(folded)
	}
	view, err := viewOf(hit)
	if err == nil {
		row.Entry, err = show(view)
	}
	return row, err
}

// byName returns the matching documents, ordered by name, then id, and their total number.
func (r *Reader) byName(
	ctx context.Context, index string, match filter.Expr, q engine.Question,
) (hits [][]byte, total int64, err error) {
	var found bool
	if q.Filter, found = filter.Compile(match); !found {
		return nil, 0, nil
	}
	q.Sort = []string{"name_sort:asc", "id:asc"}
	answer, err := r.engine.Search(ctx, index, q)
	if err != nil {
		return nil, 0, err
	}
	if hits, err = engine.Hits(answer); err != nil {
		return nil, 0, err
	}
	count, err := engine.Member(answer, "estimatedTotalHits") // exact in a search without words
	if err == nil {
		total, err = strconv.ParseInt(string(count), 10, 64)
	}
	return hits, total, err
}

// views returns the views of all existing entities of an index, in no order.
func views[V any](ctx context.Context, r *Reader, index string, attributes ...string) ([]V, error) {
	existing, _ := filter.Compile(filter.Existing())
	records, err := engine.Documents[document.Record[V]](ctx, r.engine, index, existing, attributes)
	if err != nil {
		return nil, err
	}
	all := make([]V, 0, len(records))
	for _, record := range records {
		if record.View != nil {
			all = append(all, record.View.Value)
		}
	}
	return all, nil
}

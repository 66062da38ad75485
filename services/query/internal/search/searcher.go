// Package search answers the event search, its feeds, its type summary and its facets: it compiles
// a query into a filter, and asks the engine for answers that are not cached.
package search

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
)

// Searcher answers queries with JSON payloads.
type Searcher struct {
	engine   *engine.Engine
	places   *places.Store
	portals  *portals.Store
	lists    *curated.Store
	cache    *cache.Cache
	aliases  aliases
	versions *versions
	hasHours atomic.Bool // the index has the attributes of opening hours
}

// NewSearcher returns a searcher that asks an engine.
func NewSearcher(
	e *engine.Engine, places *places.Store, known *portals.Store, lists *curated.Store, answers *cache.Cache,
) *Searcher {
	return &Searcher{
		engine: e, places: places, portals: known, lists: lists, cache: answers, aliases: newAliases(), versions: newVersions(e, answers),
	}
}

// Events returns the payload of the event search for a query, and remembers the query string that
// it comes from. The errors are the engine's, and for a cursor in the order of relevance or of
// change an Invalid fault with the code cursor_gone.
func (s *Searcher) Events(ctx context.Context, q params.Query, from QueryString) (encoded.Payload, error) {
	p, err := s.page(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	if p.matches {
		key := p.key("events")
		page, err := cache.Get(ctx, s.cache, "events", key, func(ctx context.Context) (*cache.Page, error) {
			return s.load(ctx, p)
		})
		if err != nil {
			return encoded.Payload{}, err
		}
		if !page.Empty() || !isFirst(q) {
			if !afterPlace(q) { // only the index knows where such a page begins
				s.aliases.remember("events", from, p.selection, key, q.TextLang)
			}
			return page.PayloadIn(q.TextLang), nil
		}
	}
	if !isFirst(q) {
		return p.empty(), nil
	}
	return s.hints(ctx, q, p.selection)
}

// Lull returns the ends of dates around a moment in Unix seconds, for cache.NewEnds. The errors are
// the engine's.
func (s *Searcher) Lull(ctx context.Context, now int64) (cache.Lull, error) {
	past, coming := filter.EndedBy(now), filter.EndingAfter(now)
	hits, err := s.engine.SearchAll(ctx, document.Dates,
		engine.Question{Filter: past, Sort: []string{"ends_at:desc"}, Attributes: []string{"ends_at"}, Limit: 1},
		engine.Question{Filter: coming, Sort: []string{"ends_at:asc"}, Attributes: []string{"ends_at"}, Limit: 1})
	if err != nil {
		return cache.Lull{}, err
	}
	lull := cache.Lull{Next: cache.Endless}
	for i, end := range []*int64{&lull.Last, &lull.Next} {
		if len(hits[i]) == 0 {
			continue
		}
		if err := json.Unmarshal(hits[i][0]["ends_at"], end); err != nil {
			return cache.Lull{}, fmt.Errorf("decode an end: %w", err)
		}
	}
	return lull, nil
}

// isFirst reports whether a query asks for the first page.
func isFirst(q params.Query) bool { return q.Offset == 0 && q.After == nil }

// afterPlace reports whether a query continues after a date in the order of relevance or of change,
// where a cursor stands for the place of its date.
func afterPlace(q params.Query) bool { return !q.ByStart() && q.After != nil }

// Summary returns the payload of the type summary. It counts all dates that paging would show, not
// only the dates of one page. The errors are the engine's.
func (s *Searcher) Summary(ctx context.Context, q params.Query, from QueryString) (encoded.Payload, error) {
	q.After = nil
	selected, err := s.compile(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	if !selected.matches {
		return encoded.NewPayload(noSummary()), nil
	}
	key := page{selection: selected}.key("summary")
	tally, err := cache.Get(ctx, s.cache, "summary", key, func(ctx context.Context) (*cache.Tally, error) {
		return s.loadSummary(ctx, selected)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	s.aliases.remember("summary", from, selected, key, "")
	return tally.Payload()
}

// selection is the dates that a query finds.
type selection struct {
	expr    filter.Expr
	filter  string // expr as the engine reads it; "" for all dates
	words   string
	matches bool   // false if nothing can match
	places  uint64 // version of the map of places that was used; 0: of none
	portals uint64 // version of the set of portals that was used; 0: of none
	lists   uint64 // version of the set of lists that was used; 0: of none
	list    *curated.List
	// byPeriod is that of the query: the index lacks opening hours.
	byPeriod bool
}

func (s *Searcher) compile(ctx context.Context, q params.Query) (selection, error) {
	var err error
	if q.ByPeriod, err = s.lacksHours(ctx, q); err != nil {
		return selection{}, err
	}
	portal, version, err := s.portalOf(ctx, q)
	if err != nil {
		return selection{}, err
	}
	m, err := s.mapFor(ctx, q, portal)
	if err != nil {
		return selection{}, err
	}
	selected := selection{
		expr: filter.Simplify(filter.Dates(q, m.Allowed(q.Circle, q.Region))), words: q.Search,
		places: m.Version(), portals: version, byPeriod: q.ByPeriod,
	}
	if portal != nil {
		var allowed filter.Places
		if portal.Query != nil {
			allowed = m.Allowed(portal.Query.Circle, portal.Query.Region)
		}
		selected.expr = filter.InPortal(selected.expr, portal.Query, allowed, portal.Include, portal.Exclude)
	}
	if q.List != "" {
		if selected.list, selected.lists, err = s.lists.Of(ctx, q.List); err != nil {
			return selection{}, err
		}
		selected.expr = filter.InList(selected.expr, selected.list.Events, selected.list.Dates)
	}
	selected.filter, selected.matches = filter.Compile(selected.expr)
	return selected, nil
}

// lacksHours reports whether a query reads opening hours while the index lacks them: until it is
// rebuilt after an upgrade.
func (s *Searcher) lacksHours(ctx context.Context, q params.Query) (bool, error) {
	if q.On == nil && q.Time == nil && !slices.Contains(q.By, params.DayDimension) || s.hasHours.Load() {
		return false, nil
	}
	_, err := s.engine.Search(ctx, document.Dates, engine.Question{Filter: filter.WithHours(), Limit: 1, Attributes: []string{"date_uuid"}})
	if errors.Is(err, engine.ErrOutdated) {
		return true, nil
	}
	s.hasHours.Store(err == nil)
	return false, err
}

// portalOf returns the portal of a query with the version of its set, nil if the query names none.
// The errors are those of portals.Store.Of.
func (s *Searcher) portalOf(ctx context.Context, q params.Query) (*portals.Portal, uint64, error) {
	if q.Portal == "" {
		return nil, 0, nil
	}
	return s.portals.Of(ctx, q.Portal)
}

// mapFor returns the map for a query in a portal, which may be nil; it is nil if neither needs one.
func (s *Searcher) mapFor(ctx context.Context, q params.Query, portal *portals.Portal) (*places.Map, error) {
	m, err := s.places.For(ctx, q)
	if m == nil && err == nil && portal != nil && portal.Query != nil {
		return s.places.For(ctx, *portal.Query)
	}
	return m, err
}

// criteria returns the selection as cached answers depend on it.
func (s selection) criteria() cache.Criteria { return cache.NewCriteria(s.expr, s.filter, s.words) }

// key digests everything that an answer depends on. No two pages are written alike: words and
// filters contain no NUL.
func (p page) key(operation string) cache.Key {
	after := params.Cursor{}
	if p.after != nil {
		after = *p.after
	}
	order := ""
	if p.byList {
		order = p.list.Order
	}
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%t\x00%t\x00%s\x00%d\x00%d\x00%d\x00%t\x00%v\x00%t\x00%t",
		operation, p.filter, p.words, p.byStart, p.byChange, order, p.offset, p.limit, p.passed, p.grouped, after, p.total != nil, p.series))
}

// Package search answers the event search and its type summary: it finds the venues that a query
// allows, compiles it, and asks the engine for what is not kept.
package search

import (
	"context"
	"crypto/sha256"
	"fmt"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
)

// Searcher answers queries with JSON payloads.
type Searcher struct {
	engine *engine.Engine
	places *places.Store
	kept   *fresh.Cache

	spellings spellings
}

// NewSearcher returns a searcher on these three.
func NewSearcher(e *engine.Engine, places *places.Store, kept *fresh.Cache) *Searcher {
	return &Searcher{engine: e, places: places, kept: kept, spellings: newSpellings()}
}

// Events returns the payload of the event search for a query in some spelling. The errors are the
// engine's, and for a cursor in the order of relevance an Invalid fault with the code cursor_gone.
func (s *Searcher) Events(ctx context.Context, q params.Query, as Spelling) (encoded.Payload, error) {
	p, c, err := s.page(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	switch {
	case !c.matches && isFirst(q):
		return s.hinted(ctx, q, c)
	case !c.matches:
		return encoded.NewPayload(noDates()), nil
	}
	key := p.key("events")
	kept, err := fresh.Answer(ctx, s.kept, "events", key, func(ctx context.Context) (*listing, error) {
		return s.read(ctx, p)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	if kept.isEmpty() && isFirst(q) {
		return s.hinted(ctx, q, c)
	}
	if !inRelevance(q) { // where such a page begins, only the index knows
		s.spellings.remember("events", as, c.places, key)
	}
	return kept.payload, nil
}

// inRelevance reports whether a query goes on behind a date in the order of relevance.
func inRelevance(q params.Query) bool { return !q.ByStart() && q.After != nil }

// page returns the page that a query asks for, and what it finds. The errors are those of Events.
func (s *Searcher) page(ctx context.Context, q params.Query) (p page, c compiled, err error) {
	ofEvents := q // a cursor of events is no filter of dates: an event may have some before it
	if q.Grouped {
		ofEvents.After = nil
	}
	if c, err = s.compile(ctx, ofEvents); err != nil {
		return p, c, err
	}
	if !c.matches {
		if inRelevance(q) {
			return p, c, cursorGone()
		}
		return p, c, nil
	}
	p = page{
		expr: c.expr, filter: c.filter, words: q.Search, byStart: q.ByStart(), offset: q.Offset, limit: q.Limit,
		passed: q.Offset, grouped: q.Grouped,
	}
	if q.Grouped && q.ByStart() && q.After != nil {
		p.after = &place{q.After.StartKey, q.After.DateUUID}
	}
	if inRelevance(q) {
		p.offset, err = s.behind(ctx, p, q.After.DateUUID)
	}
	return p, c, err
}

// Summary returns the payload of the type summary. It counts all dates that paging would show, not
// those of one page. The errors are the engine's.
func (s *Searcher) Summary(ctx context.Context, q params.Query, as Spelling) (encoded.Payload, error) {
	q.After = nil
	c, err := s.compile(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	if !c.matches {
		return encoded.NewPayload(noSummary()), nil
	}
	p := page{expr: c.expr, filter: c.filter, words: q.Search}
	key := p.key("summary")
	kept, err := fresh.Answer(ctx, s.kept, "summary", key, func(ctx context.Context) (*tally, error) {
		return s.count(ctx, p.found(), c.filter, q.Search)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	s.spellings.remember("summary", as, c.places, key)
	return kept.payload()
}

// compiled is what a query finds, as an expression and as the engine's filter.
type compiled struct {
	expr    filter.Expr
	filter  string
	matches bool   // false when nothing can match
	places  uint64 // version of the map of places that it was made with; 0: of none
}

func (s *Searcher) compile(ctx context.Context, q params.Query) (c compiled, err error) {
	m, err := s.places.For(ctx, q)
	if err != nil {
		return c, err
	}
	c.expr, c.places = filter.Simplify(filter.Dates(q, m.Allowed(q.Circle, q.Region))), m.Version()
	c.filter, c.matches = filter.Compile(c.expr)
	return c, nil
}

// key digests all that an answer depends on. No two pages are written alike: words and filters hold
// no NUL.
func (p page) key(operation string) fresh.Key {
	after := place{}
	if p.after != nil {
		after = *p.after
	}
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%t\x00%d\x00%d\x00%d\x00%t\x00%v",
		operation, p.filter, p.words, p.byStart, p.offset, p.limit, p.passed, p.grouped, after))
}

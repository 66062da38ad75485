// Package search answers the event search and its type summary: it finds the venues that a query
// allows, compiles it, and asks the engine for what is not kept.
package search

import (
	"context"
	"crypto/sha256"
	"fmt"

	"litfass/pkg/encoded"
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
}

// NewSearcher returns a searcher on these three.
func NewSearcher(e *engine.Engine, places *places.Store, kept *fresh.Cache) *Searcher {
	return &Searcher{engine: e, places: places, kept: kept}
}

// Events returns the payload of the event search. The errors are the engine's, and for a cursor in
// the order of relevance an Invalid fault with the code cursor_gone.
func (s *Searcher) Events(ctx context.Context, q params.Query) (encoded.Payload, error) {
	expr, compiled, matches, err := s.compile(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	cursorInRelevance := !q.ByStart() && q.After != nil
	if !matches && cursorInRelevance {
		return encoded.Payload{}, cursorGone()
	}
	if !matches {
		return encoded.NewPayload(noDates()), nil
	}
	p := page{
		expr: expr, filter: compiled, words: q.Search, byStart: q.ByStart(), offset: q.Offset, limit: q.Limit,
		passed: q.Offset,
	}
	if cursorInRelevance {
		if p.offset, err = s.behind(ctx, p, q.After.DateUUID); err != nil {
			return encoded.Payload{}, err
		}
	}
	kept, err := fresh.Answer(ctx, s.kept, "events", p.key("events"), func(ctx context.Context) (*listing, error) {
		return s.read(ctx, p)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	return kept.payload, nil
}

// Summary returns the payload of the type summary. It counts all dates that paging would show, not
// those of one page. The errors are the engine's.
func (s *Searcher) Summary(ctx context.Context, q params.Query) (encoded.Payload, error) {
	q.After = nil
	expr, compiled, matches, err := s.compile(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	if !matches {
		return encoded.NewPayload(noSummary()), nil
	}
	p := page{expr: expr, filter: compiled, words: q.Search}
	kept, err := fresh.Answer(ctx, s.kept, "summary", p.key("summary"), func(ctx context.Context) (*tally, error) {
		return s.count(ctx, p.found(), compiled, q.Search)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	return kept.payload()
}

// compile returns what a query finds, and the same as the engine's filter; matches is false when
// nothing can match it.
func (s *Searcher) compile(ctx context.Context, q params.Query) (expr filter.Expr, compiled string, matches bool, err error) {
	allowed, err := s.places.Allowed(ctx, q)
	if err != nil {
		return nil, "", false, err
	}
	expr = filter.Simplify(filter.Dates(q, allowed))
	compiled, matches = filter.Compile(expr)
	return expr, compiled, matches, nil
}

// key digests all that an answer depends on. No two pages are written alike: words and filters hold
// no NUL.
func (p page) key(operation string) fresh.Key {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%t\x00%d\x00%d\x00%d",
		operation, p.filter, p.words, p.byStart, p.offset, p.limit, p.passed))
}

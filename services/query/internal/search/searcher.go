package search

import (
	"context"
	"crypto/sha256"
	"fmt"

	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Places is what a Searcher needs of the places.
type Places interface {
	Allowed(ctx context.Context, circle *params.Circle, region *params.Region) (filter.Places, error)
}

// Searcher answers queries: it finds the venues they allow, compiles them, and asks the engine for what is not kept.
type Searcher struct {
	engine *Engine
	places Places
	kept   *cache.Cache
}

// NewSearcher returns a searcher on these three.
func NewSearcher(engine *Engine, places Places, kept *cache.Cache) *Searcher {
	return &Searcher{engine: engine, places: places, kept: kept}
}

// Events returns the payload of the event search. The errors are the engine's; a query that was read without fault is
// never refused.
func (s *Searcher) Events(ctx context.Context, q params.Query) ([]byte, error) {
	compiled, found, err := s.compile(ctx, q)
	if err != nil {
		return nil, err
	}
	if !found {
		return NoDates(), nil
	}
	page := Page{
		Filter: compiled, Words: q.Search, ByStart: q.SortByStart || q.Search == "",
		Offset: q.Offset, Limit: q.Limit,
	}
	return s.kept.Answer(ctx, keyOf("events", page), func(ctx context.Context) ([]byte, error) {
		return s.engine.Dates(ctx, page)
	})
}

// Summary returns the payload of the type summary. It counts all dates that paging would show, whatever page is asked for.
func (s *Searcher) Summary(ctx context.Context, q params.Query) ([]byte, error) {
	q.After = nil
	compiled, found, err := s.compile(ctx, q)
	if err != nil {
		return nil, err
	}
	if !found {
		return NoSummary(), nil
	}
	return s.kept.Answer(ctx, keyOf("summary", Page{Filter: compiled, Words: q.Search}), func(ctx context.Context) ([]byte, error) {
		return s.engine.Summary(ctx, compiled, q.Search)
	})
}

// compile returns the engine's filter for a query; found is false when nothing can match it.
func (s *Searcher) compile(ctx context.Context, q params.Query) (compiled string, found bool, err error) {
	allowed, err := s.places.Allowed(ctx, q.Circle, q.Region)
	if err != nil {
		return "", false, err
	}
	compiled, found = filter.Compile(filter.Dates(q, allowed))
	return compiled, found, nil
}

// keyOf digests all that an answer depends on. No two pages are written alike: words and filters hold no NUL.
func keyOf(operation string, p Page) cache.Key {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%t\x00%d\x00%d", operation, p.Filter, p.Words, p.ByStart, p.Offset, p.Limit))
}

package search

import (
	"context"

	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// InPortal returns the function that narrows expressions of dates to those of a portal; for "" it
// changes nothing. The errors are those of the portals and of the map of places.
func (s *Searcher) InPortal(ctx context.Context, slug string) (narrow func(filter.Expr) filter.Expr, err error) {
	if slug == "" {
		return func(match filter.Expr) filter.Expr { return match }, nil
	}
	dates, err := s.DatesIn(ctx, slug)
	return func(match filter.Expr) filter.Expr { return filter.Both(match, dates) }, err
}

// DatesIn returns the condition for the dates of a portal. The errors are those of the portals and
// of the map of places.
func (s *Searcher) DatesIn(ctx context.Context, slug string) (filter.Expr, error) {
	selected, err := s.compile(ctx, params.Query{Portal: slug})
	return selected.expr, err
}

// ValuesIn returns the values of a dimension that dates of a portal have. The errors are those of
// Facets, and of an unknown portal.
func (s *Searcher) ValuesIn(ctx context.Context, portal, dimension string, names Names) ([]string, error) {
	counted, err := s.Counts(ctx, params.Query{Portal: portal}, dimension, names)
	values := make([]string, len(counted))
	for i, facet := range counted {
		values[i] = facet.Value
	}
	return values, err
}

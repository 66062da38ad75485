package search

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Extent returns the days of the public dates of a series, cached like an answer. The errors are
// the engine's.
func (s *Searcher) Extent(ctx context.Context, uuid string) (*cache.Extent, error) {
	expr := filter.Simplify(filter.Dates(params.Query{SeriesUUIDs: []string{uuid}}, filter.Places{}))
	return cache.Get(ctx, s.cache, "series", sha256.Sum256([]byte("series\x00"+uuid)), func(ctx context.Context) (*cache.Extent, error) {
		return s.loadExtent(ctx, expr)
	})
}

func (s *Searcher) loadExtent(ctx context.Context, expr filter.Expr) (*cache.Extent, error) {
	of, _ := filter.Compile(expr)
	extent := &cache.Extent{Criteria: cache.NewCriteria(expr, of, "")}
	hits, err := s.engine.SearchAll(ctx, document.Dates,
		engine.Question{Filter: of, Sort: byStart, Attributes: []string{"start_day"}, Limit: 1},
		engine.Question{Filter: of, Sort: []string{"ends_at:desc"}, Attributes: []string{"end_day"}, Limit: 1})
	if err != nil || len(hits[0]) == 0 || len(hits[1]) == 0 {
		return extent, err
	}
	counts, err := s.engine.Count(ctx, document.Dates, engine.Counting{Filter: of})
	if err != nil {
		return nil, err
	}
	extent.Dates = counts[0].Total
	if extent.First, err = dayOf(hits[0][0]["start_day"]); err != nil {
		return nil, err
	}
	extent.Last, err = dayOf(hits[1][0]["end_day"])
	return extent, err
}

// dayOf returns the day of a number such as 20261120; "" of the last one of all.
func dayOf(number json.RawMessage) (string, error) {
	day, err := time.Parse("20060102", string(number))
	switch {
	case err != nil:
		return "", fmt.Errorf("decode a day: %w", err)
	case hours.DayOf(day) == hours.Forever:
		return "", nil
	default:
		return day.Format(time.DateOnly), nil
	}
}

package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// idCount is the number of dates of a type or genre.
type idCount struct {
	ID    int `json:"id"`
	Count int `json:"count"`
}

// summary is the payload of the type summary (RULES.md, Type summary).
type summary struct {
	Genres []idCount `json:"genre_summary"`
	Types  []idCount `json:"type_summary"`
	Total  int       `json:"total_event_count"`
}

// loadSummary counts the dates of a selection, exactly. Genre 0 is not in the index and so not
// among the counts.
func (s *Searcher) loadSummary(ctx context.Context, selected selection) (*cache.Tally, error) {
	t := &cache.Tally{Criteria: selected.criteria(), Encode: encodeSummary}
	question := engine.Counting{Filter: selected.filter, Words: selected.words, By: []string{"genre_ids", "type_ids"}}
	counts, err := s.count(ctx, t, question)
	if err != nil {
		return nil, err
	}
	t.Total = counts[0].Total
	for _, attribute := range question.By {
		t.Facets = append(t.Facets, cache.Facet{
			Criteria: t.Criteria, Attributes: []string{attribute}, Counts: []map[string]int{counts[0].Values[attribute]},
		})
	}
	return t, nil
}

// count asks the engine for the counts of a tally.
func (s *Searcher) count(ctx context.Context, t *cache.Tally, questions ...engine.Counting) (counts []engine.Counts, err error) {
	t.Version, err = s.versions.of(func() error {
		counts, err = s.engine.Count(ctx, document.Dates, questions...)
		return err
	})
	return counts, err
}

// noSummary is the payload of a summary without dates.
func noSummary() []byte {
	return []byte(`{"genre_summary":[],"type_summary":[],"total_event_count":0}`)
}

// encodeSummary orders each list by descending count, then by id.
func encodeSummary(t *cache.Tally) ([]byte, error) {
	data, err := json.Marshal(summary{
		Genres: sorted(t.Facets[0].Counts[0]), Types: sorted(t.Facets[1].Counts[0]), Total: t.Total,
	})
	if err != nil {
		return nil, fmt.Errorf("encode a summary: %w", err)
	}
	return data, nil
}

func sorted(counts map[string]int) []idCount {
	list := make([]idCount, 0, len(counts))
	for value, n := range counts {
		id, err := strconv.Atoi(value)
		if err != nil {
			continue // cannot happen: the attributes hold integers
		}
		list = append(list, idCount{ID: id, Count: n})
	}
	slices.SortFunc(list, func(a, b idCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return list
}

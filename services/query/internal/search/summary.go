package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"litfass/pkg/document"
)

// count is how many dates have a type or a genre.
type count struct {
	ID    int `json:"id"`
	Count int `json:"count"`
}

// summary is the payload of the type summary (interface.md, Type summary).
type summary struct {
	Genres []count `json:"genre_summary"`
	Types  []count `json:"type_summary"`
	Total  int     `json:"total_event_count"`
}

// count returns the payload of the type summary of the dates that match: exact counts, each list by
// descending count, then by id. Genre 0 is not in the index and so not among them.
func (s *Searcher) count(ctx context.Context, filter, words string) ([]byte, error) {
	counts, err := s.engine.Count(ctx, document.Dates, filter, words, "genre_ids", "type_ids")
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(summary{
		Genres: ordered(counts.Values["genre_ids"]), Types: ordered(counts.Values["type_ids"]), Total: counts.Total,
	})
	if err != nil {
		return nil, fmt.Errorf("encode a summary: %w", err)
	}
	return data, nil
}

// noSummary is the payload of a summary without dates.
func noSummary() []byte {
	return []byte(`{"genre_summary":[],"type_summary":[],"total_event_count":0}`)
}

func ordered(counts map[int]int) []count {
	list := make([]count, 0, len(counts))
	for id, n := range counts {
		list = append(list, count{ID: id, Count: n})
	}
	slices.SortFunc(list, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return list
}

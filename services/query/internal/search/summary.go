package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/meilisearch/meilisearch-go"
)

// Count is how many dates have a type or a genre.
type Count struct {
	ID    int `json:"id"`
	Count int `json:"count"`
}

// Summary is the payload of the type summary (interface.md, Type summary).
type Summary struct {
	Genres []Count `json:"genre_summary"`
	Types  []Count `json:"type_summary"`
	Total  int     `json:"total_event_count"`
}

// Summary returns the payload of the type summary of the dates that match: exact counts, each list by descending count,
// then by id. Genre 0 is not in the index and so not among them.
func (e *Engine) Summary(ctx context.Context, filter, words string) ([]byte, error) {
	var noHits int64 // asking for pages, even of no hits, makes the engine count exactly
	request := &meilisearch.SearchRequest{
		Query:            words,
		MatchingStrategy: meilisearch.All,
		Facets:           []string{"genre_ids", "type_ids"},
		HitsPerPage:      &noHits,
	}
	if filter != "" {
		request.Filter = filter
	}
	answer, err := e.ask(ctx, request)
	if err != nil {
		return nil, err
	}
	var found struct {
		Total  int `json:"totalHits"`
		Facets struct {
			Genres map[int]int `json:"genre_ids"`
			Types  map[int]int `json:"type_ids"`
		} `json:"facetDistribution"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, fmt.Errorf("decode the engine's counts: %w", err)
	}
	return encode(Summary{Genres: ordered(found.Facets.Genres), Types: ordered(found.Facets.Types), Total: found.Total})
}

// NoSummary is the payload of a summary without dates.
func NoSummary() []byte {
	return []byte(`{"genre_summary":[],"type_summary":[],"total_event_count":0}`)
}

func encode(s Summary) ([]byte, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode a summary: %w", err)
	}
	return data, nil
}

func ordered(counts map[int]int) []Count {
	list := make([]Count, 0, len(counts))
	for id, count := range counts {
		list = append(list, Count{ID: id, Count: count})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return list
}

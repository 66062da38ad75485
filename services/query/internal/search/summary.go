package search

import (
	"cmp"
	"context"
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

// count returns the summary of the dates that are found: exact counts. Genre 0 is not in the index
// and so not among them. The engine is asked for the index's version before and after, so that it
// is known of which batches the counts are; with words that is of no use.
func (s *Searcher) count(ctx context.Context, f found, filter, words string) (*tally, error) {
	before := s.version(ctx, words)
	counts, err := s.engine.Count(ctx, document.Dates, filter, words, "genre_ids", "type_ids")
	if err != nil {
		return nil, err
	}
	t := &tally{found: f, total: counts.Total, genres: counts.Values["genre_ids"], types: counts.Values["type_ids"]}
	if before != "" && before == s.version(ctx, words) {
		t.version = before
	}
	return t, nil
}

func (s *Searcher) version(ctx context.Context, words string) string {
	if words != "" {
		return ""
	}
	version, err := s.engine.Version(ctx, document.Dates)
	if err != nil {
		return "" // then the counts are not adjusted
	}
	return version
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

package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/engine"
)

// count is how many dates have a type or a genre.
type count struct {
	ID    int `json:"id"`
	Count int `json:"count"`
}

// summary is the payload of the type summary (RULES.md, Type summary).
type summary struct {
	Genres []count `json:"genre_summary"`
	Types  []count `json:"type_summary"`
	Total  int     `json:"total_event_count"`
}

// count returns the summary of the dates that are found: exact counts. Genre 0 is not in the index
// and so not among them.
func (s *Searcher) count(ctx context.Context, f found, filter, words string) (*tally, error) {
	t := &tally{found: f, write: writeSummary}
	question := engine.Counting{Filter: filter, Words: words, By: []string{"genre_ids", "type_ids"}}
	counts, err := s.counted(ctx, t, question)
	if err != nil {
		return nil, err
	}
	t.total = counts[0].Total
	for _, attribute := range question.By {
		t.parts = append(t.parts, part{
			found: f, attributes: []string{attribute}, counts: []map[string]int{counts[0].Values[attribute]},
		})
	}
	return t, nil
}

// counted asks the engine for the counts of a tally. It is asked for the index's version before and
// after, so that it is known of which batches the counts are; with words that is of no use.
func (s *Searcher) counted(ctx context.Context, t *tally, questions ...engine.Counting) ([]engine.Counts, error) {
	words := questions[0].Words
	before := s.version(ctx, words)
	counts, err := s.engine.Count(ctx, document.Dates, questions...)
	if err == nil && before != "" && before == s.version(ctx, words) {
		t.version = before
	}
	return counts, err
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

// writeSummary writes each list by descending count, then by id.
func writeSummary(t *tally) ([]byte, error) {
	data, err := json.Marshal(summary{
		Genres: ordered(t.parts[0].counts[0]), Types: ordered(t.parts[1].counts[0]), Total: t.total,
	})
	if err != nil {
		return nil, fmt.Errorf("encode a summary: %w", err)
	}
	return data, nil
}

func ordered(counts map[string]int) []count {
	list := make([]count, 0, len(counts))
	for value, n := range counts {
		id, err := strconv.Atoi(value)
		if err != nil {
			continue // cannot happen: the attributes hold integers
		}
		list = append(list, count{ID: id, Count: n})
	}
	slices.SortFunc(list, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return list
}

package search

import (
	"context"
	"errors"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/engine"
)

// totals counts the dates, or the events, of each selection, in one request to the engine.
func (s *Searcher) totals(ctx context.Context, selections []selection, events bool) ([]int, error) {
	if !events {
		return s.sums(ctx, selections, func(all selection) []counting { return []counting{{all.filter, false}} })
	}
	totals, err := s.sums(ctx, selections, func(all selection) []counting { return eventsOf(all.expr) })
	if errors.Is(err, engine.ErrOutdated) { // the index does not know how dates are related
		return s.sums(ctx, selections, func(all selection) []counting { return []counting{{all.filter, true}} })
	}
	return totals, err
}

// sums returns for each selection the sum of its counts.
func (s *Searcher) sums(ctx context.Context, selections []selection, of func(selection) []counting) ([]int, error) {
	sums := make([]int, len(selections))
	var questions []engine.Counting
	var asked []int // index of the selection, for each question
	for i, selected := range selections {
		if !selected.matches {
			continue
		}
		for _, part := range of(selected) {
			questions, asked = append(questions, part.question(selected.words)), append(asked, i)
		}
	}
	if len(questions) == 0 {
		return sums, nil
	}
	counts, err := s.engine.Count(ctx, document.Dates, questions...)
	if err != nil {
		return nil, err
	}
	for n, i := range asked {
		sums[i] += counts[n].Total
	}
	return sums, nil
}

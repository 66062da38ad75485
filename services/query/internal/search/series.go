package search

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Span is the days of the dates of a series, such as 2026-11-20, and the number of these dates; the
// zero value has none. Last is "" if one of the dates has no end.
type Span struct {
	First, Last string
	Dates       int
}

// Spans returns the days of the public dates of series. The errors are the engine's.
func (s *Searcher) Spans(ctx context.Context, uuids []string) ([]Span, error) {
	spans := make([]Span, len(uuids))
	if len(uuids) == 0 {
		return spans, nil
	}
	questions, countings := make([]engine.Question, 0, 2*len(uuids)), make([]engine.Counting, len(uuids))
	for i, uuid := range uuids {
		of, _ := filter.Compile(filter.Simplify(filter.Dates(params.Query{SeriesUUIDs: []string{uuid}}, filter.Places{})))
		countings[i] = engine.Counting{Filter: of}
		questions = append(questions,
			engine.Question{Filter: of, Sort: byStart, Attributes: []string{"start_day"}, Limit: 1},
			engine.Question{Filter: of, Sort: []string{"ends_at:desc"}, Attributes: []string{"end_day"}, Limit: 1})
	}
	hits, err := s.engine.SearchAll(ctx, document.Dates, questions...)
	if err != nil {
		return nil, err
	}
	counts, err := s.engine.Count(ctx, document.Dates, countings...)
	if err != nil {
		return nil, err
	}
	for i := range spans {
		spans[i].Dates = counts[i].Total
		for n, day := range map[int]*string{2 * i: &spans[i].First, 2*i + 1: &spans[i].Last} {
			if len(hits[n]) == 0 {
				continue
			}
			if *day, err = dayOf(hits[n][0][questions[n].Attributes[0]]); err != nil {
				return nil, err
			}
		}
	}
	return spans, nil
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

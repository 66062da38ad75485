package search

import (
	"context"
	"slices"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// period are the attributes by which the days of most dates are counted, and opens the one that
// only dates with opening hours have.
var period, opens = []string{"start_day", "end_day"}, "first_open"

// countedBy returns the attributes by which the engine counts for a dimension.
func (s selection) countedBy(dimension string) []string {
	switch {
	case dimension != params.DayDimension:
		return dimensions[dimension].attributes
	case s.byPeriod:
		return period
	default:
		return append([]string{opens}, period...)
	}
}

// countDays returns the numbers of dates that run on each day of a window, given the counts of the
// dates that run on any of its days. Those with opening hours are counted on each day.
func (s *Searcher) countDays(
	ctx context.Context, selected selection, q params.Query, running engine.Counts,
) (map[string]int, error) {
	if len(running.Values[opens]) == 0 {
		return histogram(running.Values[period[0]], running.Values[period[1]], q.Window), nil
	}
	days := q.Window.Each()
	questions := make([]engine.Counting, len(days), len(days)+1)
	for i, day := range days {
		open, _ := filter.Compile(filter.OpenOn(selected.expr, day, q.Time))
		questions[i] = counting{open, false}.question(q.Search)
	}
	others, _ := filter.Compile(filter.WithoutHours(selected.expr))
	rest := counting{others, false}.question(q.Search)
	rest.By = period
	counts, err := s.engine.Count(ctx, document.Dates, append(questions, rest)...)
	if err != nil {
		return nil, err
	}
	byDay := histogram(counts[len(days)].Values[period[0]], counts[len(days)].Values[period[1]], q.Window)
	for i, day := range days {
		byDay[day.String()] += counts[i].Total
	}
	return byDay, nil
}

// daysOf returns a function that returns the days of the window of a query on which a date runs,
// with opening hours at the time of the query.
func daysOf(q params.Query, byPeriod bool) func(*cache.Document) []string {
	days := q.Window.Each()
	open := make([]filter.Expr, len(days))
	for i, day := range days {
		open[i] = filter.OpenOn(filter.All(), day, q.Time)
	}
	return func(d *cache.Document) (on []string) {
		_, starts, _ := d.Values(period[0])
		_, ends, _ := d.Values(period[1])
		if len(starts) == 0 || len(ends) == 0 {
			return nil
		}
		_, _, hasHours := d.Values(opens)
		for i, day := range days {
			runs := starts[0] <= float64(day) && float64(day) <= ends[0]
			if runs && (!hasHours || byPeriod || open[i].Matches(d)) {
				on = append(on, day.String())
			}
		}
		return on
	}
}

// histogram returns the number of dates that run on each day of a window: the dates that have
// started minus the dates that ended before. starts and ends are the counts of all dates that run
// in the window.
func histogram(starts, ends map[string]int, window params.Days) map[string]int {
	days := window.Each()
	running := make([]int, len(days))
	for text, n := range starts {
		from, _ := slices.BinarySearch(days, dayIn(text))
		for i := from; i < len(days); i++ {
			running[i] += n
		}
	}
	for text, n := range ends {
		to, runs := slices.BinarySearch(days, dayIn(text))
		if runs {
			to++
		}
		for i := to; i < len(days); i++ {
			running[i] -= n
		}
	}
	byDay := make(map[string]int, len(days))
	for i, day := range days {
		if running[i] > 0 {
			byDay[day.String()] = running[i]
		}
	}
	return byDay
}

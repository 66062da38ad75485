package search

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// countEventsBy counts events instead of dates. The engine counts an event by the values of any one
// of its dates, which is right for all events but those whose dates vary. So these are counted
// separately, and in a second request once for each value that one of their dates has.
func (s *Searcher) countEventsBy(ctx context.Context, t *cache.Tally, f facetSelections) (found facetCounts, err error) {
	err = s.versioned(ctx, t, f.query.Search, func() error {
		found, err = s.eventsBy(ctx, f)
		return err
	})
	return found, err
}

func (s *Searcher) eventsBy(ctx context.Context, f facetSelections) (facetCounts, error) {
	ask := newCountings(f.query.Search)
	total := groupsOf(f.total, ask)
	each := make([]groups, len(f.each))
	for i, selected := range f.each {
		each[i] = groupsOf(selected, ask)
		each[i].askBy(f.query.By[i], f.query.Window)
	}
	counts, err := s.countings(ctx, ask)
	if err != nil {
		return facetCounts{}, err
	}
	again := newCountings(f.query.Search)
	for i, name := range f.query.By {
		each[i].askAgain(name, counts, again)
	}
	varying, err := s.countings(ctx, again)
	if err != nil {
		return facetCounts{}, err
	}
	found := facetCounts{total: total.all(counts), each: make([][]map[string]int, len(f.each))}
	for i, name := range f.query.By {
		found.each[i] = each[i].countsBy(name, f.query.Window, counts, varying)
	}
	return found, nil
}

// countings asks the collected questions, if there are any.
func (s *Searcher) countings(ctx context.Context, ask *countings) (answers, error) {
	if len(ask.questions) == 0 {
		return answers{countings: ask}, nil
	}
	counts, err := s.engine.Count(ctx, document.Dates, ask.questions...)
	return answers{ask, counts}, err
}

// answers are the answers to collected questions.
type answers struct {
	*countings
	counts []engine.Counts
}

func (a answers) of(filter string, events bool) engine.Counts { return a.counts[a.at(filter, events)] }

// groups are the dates of a selection by whether the dates of their events vary.
type groups struct {
	selection
	ask             *countings
	steady, varying string // filters
	// values are the values of an attribute in varying dates that are counted as one, in order. An
	// event counts for the first of them that one of its dates has.
	values [][]string
}

// groupsOf returns the groups of a selection, whose events are counted.
func groupsOf(selected selection, ask *countings) groups {
	g := groups{selection: selected, ask: ask}
	if g.matches {
		g.steady, _ = filter.Compile(filter.Steady(g.expr))
		g.varying, _ = filter.Compile(filter.Varying(g.expr))
		ask.add(g.steady, true)
		ask.add(g.varying, true)
	}
	return g
}

// all returns the number of events.
func (g groups) all(a answers) int {
	if !g.matches {
		return 0
	}
	return a.of(g.steady, true).Total + a.of(g.varying, true).Total
}

// askBy counts the events by the values of a dimension.
func (g groups) askBy(name string, window params.Days) {
	d := dimensions[name]
	switch {
	case !g.matches:
	case name == params.DayDimension:
		for _, day := range window.Each() {
			g.ask.add(g.on(day), true)
		}
	default:
		g.ask.add(g.steady, true, d.attributes...)
		g.ask.add(g.varying, !d.varies, d.attributes...)
	}
}

// on returns the filter of the dates that run on a day.
func (g groups) on(day params.Day) string {
	running, _ := filter.Compile(filter.Running(g.expr, params.Days{From: day, To: day}))
	return running
}

// daysOf returns a function that returns the days of a window on which a date runs.
func daysOf(window params.Days) func(*cache.Document) []string {
	return func(d *cache.Document) (days []string) {
		_, starts, _ := d.Values("start_day")
		_, ends, _ := d.Values("end_day")
		if len(starts) == 0 || len(ends) == 0 {
			return nil
		}
		for _, day := range window.Each() {
			if starts[0] <= float64(day) && float64(day) <= ends[0] {
				days = append(days, day.String())
			}
		}
		return days
	}
}

// askAgain counts the events whose dates vary by each value of a dimension that these have.
func (g *groups) askAgain(name string, first answers, ask *countings) {
	d := dimensions[name]
	if !g.matches || !d.varies {
		return
	}
	attribute := d.attributes[0]
	alike := map[string][]string{}
	for value := range first.of(g.varying, false).Values[attribute] {
		key := value
		if d.spelled {
			key = document.Fold(document.Spelled(value))
		}
		alike[key] = append(alike[key], value)
	}
	for _, key := range slices.Sorted(maps.Keys(alike)) {
		values := alike[key]
		slices.SortFunc(values, func(a, b string) int { return cmp.Compare(document.Spelled(a), document.Spelled(b)) })
		g.values = append(g.values, values)
		for i := range values {
			ask.add(g.having(attribute, values[:i+1]), true)
		}
	}
}

func (g groups) having(attribute string, values []string) string {
	having, _ := filter.Compile(filter.Having(filter.Varying(g.expr), attribute, values))
	return having
}

// countsBy returns the numbers of events by the values of a dimension, for each of its attributes;
// of days only for the first.
func (g groups) countsBy(name string, window params.Days, first, again answers) []map[string]int {
	d := dimensions[name]
	counts := make([]map[string]int, len(d.attributes))
	switch {
	case !g.matches:
	case name == params.DayDimension:
		counts[0] = map[string]int{}
		for _, day := range window.Each() {
			counts[0][day.String()] = first.of(g.on(day), true).Total
		}
	default:
		attribute := d.attributes[0]
		counts[0] = maps.Clone(first.of(g.steady, true).Values[attribute])
		if counts[0] == nil {
			counts[0] = map[string]int{}
		}
		if !d.varies {
			for value, n := range first.of(g.varying, true).Values[attribute] {
				counts[0][value] += n
			}
		}
		for _, values := range g.values {
			counted := 0
			for i, value := range values {
				n := again.of(g.having(attribute, values[:i+1]), true).Total
				counts[0][value] += n - counted
				counted = n
			}
		}
	}
	return counts
}

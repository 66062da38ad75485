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
// separately, in a second request and once for each value that one of their dates has.
func (s *Searcher) countEventsBy(ctx context.Context, t *cache.Tally, f facetSelections) (found facetCounts, err error) {
	t.Version, err = s.versions.of(func() error {
		found, err = s.eventsBy(ctx, f)
		return err
	})
	return found, err
}

func (s *Searcher) eventsBy(ctx context.Context, f facetSelections) (found facetCounts, err error) {
	a := requests{newCountings(f.query.Search), newCountings(f.query.Search)}
	total := groupsOf(f.total, a)
	each := make([]groups, len(f.each))
	for i, selected := range f.each {
		each[i] = groupsOf(selected, a)
		each[i].ask(f.query.By[i], f.query)
	}
	if err := s.answer(ctx, a.first); err != nil {
		return found, err
	}
	total.askVarying("")
	for i, name := range f.query.By {
		each[i].askVarying(name)
	}
	if err := s.answer(ctx, a.second); err != nil {
		return found, err
	}
	found = facetCounts{total: total.all(), each: make([][]map[string]int, len(f.each))}
	for i, name := range f.query.By {
		found.each[i] = each[i].countsBy(name)
	}
	return found, nil
}

// answer asks the collected questions, if there are any.
func (s *Searcher) answer(ctx context.Context, ask *countings) (err error) {
	if len(ask.questions) > 0 {
		ask.counts, err = s.engine.Count(ctx, document.Dates, ask.questions...)
	}
	return err
}

// requests are two requests with their answers: the first counts the events whose dates do not vary
// and the dates of all others, and the second the events that have these.
type requests struct{ first, second *countings }

// groups are the dates of a selection by whether the dates of their events vary.
type groups struct {
	selection
	requests
	steadyEvents, varyingDates, varyingEvents counting
	days                                      []dayGroups
	// values are the values of an attribute in varying dates that are counted as one, in order. An
	// event counts for the first of them that one of its dates has.
	values [][]string
}

// dayGroups are the dates that run on a day.
type dayGroups struct {
	day params.Day
	groups
}

// groupsOf returns the groups of a selection, whose events are counted.
func groupsOf(selected selection, r requests) groups {
	g := partOf(selected, r)
	if g.matches {
		g.first.add(g.varyingDates)
	}
	return g
}

// partOf returns the groups of a part of a selection. Whether that has varying dates is not asked.
func partOf(selected selection, r requests) groups {
	g := groups{selection: selected, requests: r}
	if g.matches {
		g.steadyEvents = steadyEvents(g.expr)
		varying, _ := filter.Compile(filter.Varying(g.expr))
		g.varyingDates, g.varyingEvents = counting{varying, false}, counting{varying, true}
		g.first.add(g.steadyEvents)
	}
	return g
}

// steadyEvents counts the events that an expression finds and whose dates do not vary: by their
// first dates, if a filter finds these.
func steadyEvents(e filter.Expr) counting {
	first, found := filter.First(e)
	if !found {
		first = filter.Steady(e)
	}
	compiled, _ := filter.Compile(first)
	return counting{compiled, !found}
}

// vary reports whether dates of varying events were found.
func (g groups) vary() bool { return g.matches && g.first.of(g.varyingDates).Total > 0 }

// all returns the number of events.
func (g groups) all() int {
	if !g.matches {
		return 0
	}
	return g.first.of(g.steadyEvents).Total + g.second.of(g.varyingEvents).Total
}

// ask counts by the values of a dimension of a query.
func (g *groups) ask(name string, q params.Query) {
	d := dimensions[name]
	switch {
	case !g.matches:
	case name == params.DayDimension:
		for _, day := range q.Window.Each() {
			running := g.selection
			running.expr = filter.RunningOn(g.expr, day, q.Time, g.byPeriod)
			g.days = append(g.days, dayGroups{day, partOf(running, g.requests)})
		}
	default:
		g.first.add(g.steadyEvents, d.attributes...)
		if d.varies {
			g.first.add(g.varyingDates, d.attributes...)
		}
	}
}

// askVarying counts the events whose dates vary, also by the values of a dimension; "" is none.
func (g *groups) askVarying(name string) {
	if !g.vary() {
		return
	}
	switch d := dimensions[name]; {
	case name == params.DayDimension:
		for _, on := range g.days {
			g.second.add(on.varyingEvents)
		}
	case d.varies:
		g.askEach(d)
	default:
		g.second.add(g.varyingEvents, d.attributes...)
	}
}

// askEach counts the events whose dates vary by each value of a dimension that these dates have.
func (g *groups) askEach(d dimension) {
	attribute := d.attributes[0]
	alike := map[string][]string{}
	for value := range g.first.of(g.varyingDates).Values[attribute] {
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
			g.second.add(g.having(attribute, values[:i+1]))
		}
	}
}

func (g groups) having(attribute string, values []string) counting {
	having, _ := filter.Compile(filter.Having(filter.Varying(g.expr), attribute, values))
	return counting{having, true}
}

// countsBy returns the numbers of events by the values of a dimension, for each of its attributes;
// of days only for the first.
func (g groups) countsBy(name string) []map[string]int {
	d := dimensions[name]
	counts := make([]map[string]int, len(d.attributes))
	switch {
	case !g.matches:
	case name == params.DayDimension:
		counts[0] = map[string]int{}
		for _, on := range g.days {
			counts[0][on.day.String()] = on.all()
		}
	default:
		attribute := d.attributes[0]
		counts[0] = map[string]int{}
		for _, events := range []engine.Counts{g.first.of(g.steadyEvents), g.second.of(g.varyingEvents)} {
			for value, n := range events.Values[attribute] {
				counts[0][value] += n
			}
		}
		for _, values := range g.values {
			counted := 0
			for i, value := range values {
				n := g.second.of(g.having(attribute, values[:i+1])).Total
				counts[0][value] += n - counted
				counted = n
			}
		}
	}
	return counts
}

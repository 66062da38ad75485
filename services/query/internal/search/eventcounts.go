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
// of its dates, which is right for all events but those whose dates vary in these values. So these
// are counted separately, in a second request and once for each value that one of their dates has.
func (s *Searcher) countEventsBy(ctx context.Context, t *cache.Tally, f facetSelections) (found facetCounts, err error) {
	t.Version, err = s.versions.of(func() error {
		found, err = s.eventsBy(ctx, f)
		return err
	})
	return found, err
}

func (s *Searcher) eventsBy(ctx context.Context, f facetSelections) (found facetCounts, err error) {
	a := requests{newCountings(f.query.Search), newCountings(f.query.Search)}
	total := groupsOf(f.total, usual, a)
	each := make([]groups, len(f.each))
	for i, selected := range f.each {
		if d := dimensions[f.query.By[i]]; d.often {
			selected.expr = filter.Present(selected.expr, d.attributes[0])
			each[i] = groupsOf(selected, d.attributes, a)
		} else {
			each[i] = groupsOf(selected, usual, a)
		}
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

// usual are the attributes of the dimensions in which the dates of few events vary. They are
// counted together, with few questions; events whose dates often vary in another one do not get in
// the way.
var usual = func() (attributes []string) {
	for _, name := range slices.Sorted(maps.Keys(dimensions)) {
		if d := dimensions[name]; d.varies && !d.often {
			attributes = append(attributes, d.attributes...)
		}
	}
	return attributes
}()

// groups are the dates of a selection by whether the dates of their events vary.
type groups struct {
	selection
	requests
	steady  []counting // of events, see eventsOf
	varying filter.Expr
	days    []dayCounts

	varyingDates, varyingEvents counting
	// values are the values of an attribute in varying dates that are counted as one, in order. An
	// event counts for the first of them that one of its dates has.
	values [][]string
}

// dayCounts are the counts of the events that run on a day.
type dayCounts struct {
	day    params.Day
	events []counting
}

// groupsOf returns the groups of a selection, whose events are counted. Dates of an event vary if
// they differ in some attributes.
func groupsOf(selected selection, attributes []string, r requests) groups {
	g := groups{selection: selected, requests: r}
	if g.matches {
		g.steady = eventsOf(filter.Steady(g.expr, attributes))
		g.varying = filter.Varying(g.expr, attributes)
		g.varyingDates, g.varyingEvents = counted(g.varying, false), counted(g.varying, true)
		g.first.add(g.varyingDates)
		g.askSteady()
	}
	return g
}

// eventsOf returns the counts that add up to the events that an expression finds: of first dates,
// if a filter finds these, and of all events whose dates the engine must compare.
func eventsOf(e filter.Expr) []counting {
	first, found := filter.First(e)
	if !found {
		return []counting{counted(e, true)}
	}
	differences := filter.Differences(e)
	return []counting{counted(filter.Steady(first, differences), false), counted(filter.Varying(e, differences), true)}
}

// counted returns the count of the dates, or the events, that an expression finds.
func counted(e filter.Expr, events bool) counting {
	compiled, _ := filter.Compile(e)
	return counting{compiled, events}
}

// vary reports whether dates of varying events were found.
func (g *groups) vary() bool { return g.matches && g.first.of(g.varyingDates).Total > 0 }

// all returns the number of events.
func (g *groups) all() int {
	if !g.matches {
		return 0
	}
	return g.first.sum(g.steady) + g.second.of(g.varyingEvents).Total
}

// askSteady counts the events whose dates do not vary, also by the values of some attributes.
func (g *groups) askSteady(attributes ...string) {
	for _, events := range g.steady {
		g.first.add(events, attributes...)
	}
}

// ask counts by the values of a dimension of a query.
func (g *groups) ask(name string, q params.Query) {
	d := dimensions[name]
	switch {
	case !g.matches:
	case name == params.DayDimension:
		for _, day := range q.Window.Each() {
			on := dayCounts{day, eventsOf(filter.RunningOn(g.expr, day, q.Time, g.byPeriod))}
			g.first.add(on.events[0])
			g.days = append(g.days, on)
		}
	case d.varies:
		g.askSteady(d.attributes...)
		g.first.add(g.varyingDates, d.attributes...)
	default:
		g.askSteady(d.attributes...)
	}
}

// askVarying counts the events whose dates vary, also by the values of a dimension; "" is none.
func (g *groups) askVarying(name string) {
	d := dimensions[name]
	switch {
	case !g.matches:
	case name == params.DayDimension:
		g.askDays()
	case !g.vary():
	case d.varies:
		g.askEach(d)
	default:
		g.second.add(g.varyingEvents, d.attributes...)
	}
}

// askDays counts the events of each day whose dates the engine must compare, if there are any.
func (g *groups) askDays() {
	if g.first.sum(g.steady[1:])+g.first.of(g.varyingDates).Total == 0 {
		return
	}
	for _, on := range g.days {
		for _, events := range on.events[1:] {
			g.second.add(events)
		}
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

func (g *groups) having(attribute string, values []string) counting {
	return counted(filter.Having(g.varying, attribute, values), true)
}

// countsBy returns the numbers of events by the values of a dimension, for each of its attributes;
// of days only for the first.
func (g *groups) countsBy(name string) []map[string]int {
	d := dimensions[name]
	counts := make([]map[string]int, len(d.attributes))
	if !g.matches {
		return counts
	}
	counts[0] = map[string]int{}
	if name == params.DayDimension {
		for _, on := range g.days {
			counts[0][on.day.String()] = g.first.sum(on.events) + g.second.sum(on.events)
		}
		return counts
	}
	attribute := d.attributes[0]
	found := []engine.Counts{g.second.of(g.varyingEvents)}
	for _, events := range g.steady {
		found = append(found, g.first.of(events))
	}
	for _, events := range found {
		for value, n := range events.Values[attribute] {
			counts[0][value] += n
		}
	}
	for _, values := range g.values {
		before := 0
		for i, value := range values {
			n := g.second.of(g.having(attribute, values[:i+1])).Total
			counts[0][value] += n - before
			before = n
		}
	}
	return counts
}

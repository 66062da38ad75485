package search

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// dimension is a property that dates are counted by.
type dimension struct {
	attributes []string
	own        string // first parameter of the condition that its counts leave out; "" for none
	spelled    bool   // its values are document.Spelling of texts
	records    string // index of the records that have the names of its values; "" for none
}

// dimensions describes each of params.Dimensions.
var dimensions = map[string]dimension{
	"categories":        {attributes: []string{"categories"}, own: "categories"},
	"event_types":       {attributes: []string{"type_ids"}, own: "event_types"},
	"genres":            {attributes: []string{"genre_ids"}, own: "genres"},
	"price_type":        {attributes: []string{"price_type"}, own: "price"},
	"languages":         {attributes: []string{"languages"}, own: "languages"},
	"accessibility":     {attributes: []string{"accessibility_bits"}, own: "accessibility"},
	"visitor_infos":     {attributes: []string{"visitor_bits"}, own: "visitor_infos"},
	"space_types":       {attributes: []string{"space_type"}, own: "space_types"},
	"city":              {attributes: []string{"city_spelling"}, own: "city", spelled: true},
	"countries":         {attributes: []string{"venue_country"}, own: "countries"},
	"tags":              {attributes: []string{"tag_spellings"}, own: "tags", spelled: true},
	"release_statuses":  {attributes: []string{"release_status"}, own: "release_statuses"},
	"venue_uuids":       {attributes: []string{"venue_uuid"}, own: "venue_uuids", records: document.Venues},
	"org_uuids":         {attributes: []string{"org_uuid"}, own: "org_uuids", records: document.Organizations},
	params.DayDimension: {attributes: []string{"start_day", "end_day"}},
}

// Names returns the names of values.
type Names interface {
	// Version changes when Of may return other names.
	Version() string
	// Of returns the name of a value of a dimension; "" when it has none.
	Of(dimension, value string) string
	// Records returns the names of all records of an index by uuid. The error is the engine's.
	Records(ctx context.Context, index string) (map[string]string, error)
}

// Facets returns the payload of the counts that a query asks for. Like the summary it counts all
// dates that paging would show. The errors are the engine's.
func (s *Searcher) Facets(ctx context.Context, q params.Query, names Names) (encoded.Payload, error) {
	tally, err := s.facets(ctx, q, names)
	if err != nil {
		return encoded.Payload{}, err
	}
	return tally.Payload()
}

// Counts returns the values of one dimension as Facets shows them.
func (s *Searcher) Counts(ctx context.Context, q params.Query, dimension string, names Names) ([]publicapi.Facet, error) {
	q.By = []string{dimension}
	tally, err := s.facets(ctx, q, names)
	if err != nil {
		return nil, err
	}
	return namedValues(tally.Facets[0], names), nil
}

func (s *Searcher) facets(ctx context.Context, q params.Query, names Names) (*cache.Tally, error) {
	q.After = nil
	f, err := s.compileFacets(ctx, q)
	if err != nil {
		return nil, err
	}
	return cache.Get(ctx, s.cache, "facets", f.key(names.Version()), func(ctx context.Context) (*cache.Tally, error) {
		return s.loadFacets(ctx, f, names)
	})
}

// facetSelections are the dates that facets count.
type facetSelections struct {
	query params.Query
	total selection
	each  []selection // for each dimension of the query
}

func (s *Searcher) compileFacets(ctx context.Context, q params.Query) (f facetSelections, err error) {
	f = facetSelections{query: q, each: make([]selection, len(q.By))}
	if f.total, err = s.compile(ctx, q); err != nil {
		return f, err
	}
	for i, name := range q.By {
		f.each[i] = f.total
		less, given := without(q, dimensions[name].own)
		switch {
		case name == params.DayDimension:
			f.each[i].expr = filter.Running(f.total.expr, q.Window)
			f.each[i].filter, f.each[i].matches = filter.Compile(f.each[i].expr)
		case given:
			if f.each[i], err = s.compile(ctx, less); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

func (f facetSelections) key(version string) cache.Key {
	var written strings.Builder
	fmt.Fprintf(&written, "facets\x00%s\x00%t\x00%v\x00%s\x00%t\x00%s",
		f.query.Search, f.query.Grouped, f.query.Window, version, f.total.matches, f.total.filter)
	for i, selected := range f.each {
		fmt.Fprintf(&written, "\x00%s\x00%t\x00%s", f.query.By[i], selected.matches, selected.filter)
	}
	return sha256.Sum256([]byte(written.String()))
}

// loadFacets counts in one request to the engine: all dates (or events), and for each filter the
// values of its dimensions.
func (s *Searcher) loadFacets(ctx context.Context, f facetSelections, names Names) (*cache.Tally, error) {
	t := &cache.Tally{Criteria: f.total.criteria(), Grouped: f.query.Grouped}
	t.Encode = func(t *cache.Tally) ([]byte, error) { return encodeFacets(t, f.query.Window, names) }
	ask := countings{words: f.query.Search, byFilter: map[string]int{}}
	const none = -1
	total := none
	switch {
	case f.total.matches && t.Grouped:
		total = ask.events(f.total.filter)
	case f.total.matches:
		total = ask.dates(f.total.filter)
	}
	at := make([]int, len(f.each))
	for i, selected := range f.each {
		at[i] = none
		if selected.matches {
			at[i] = ask.dates(selected.filter, dimensions[f.query.By[i]].attributes...)
		}
	}
	var counts []engine.Counts
	if len(ask.questions) > 0 {
		var err error
		if counts, err = s.count(ctx, t, ask.questions...); err != nil {
			return nil, err
		}
	}
	if total != none {
		t.Total = counts[total].Total
	}
	for i, selected := range f.each {
		d := dimensions[f.query.By[i]]
		facet := cache.Facet{
			Criteria: selected.criteria(), Name: f.query.By[i], Attributes: d.attributes,
			Counts: make([]map[string]int, len(d.attributes)),
		}
		if d.records != "" {
			var err error
			if facet.Labels, err = names.Records(ctx, d.records); err != nil {
				return nil, err
			}
			t.Records = append(t.Records, d.records)
		}
		if at[i] != none {
			for n, attribute := range d.attributes {
				facet.Counts[n] = counts[at[i]].Values[attribute]
			}
		}
		t.Facets = append(t.Facets, facet)
	}
	return t, nil
}

// countings collects questions to the engine, one for each filter.
type countings struct {
	words     string
	questions []engine.Counting
	byFilter  map[string]int // questions that count dates
}

// events counts the events that a filter finds, and returns the index of the answer.
func (c *countings) events(filter string) int {
	c.questions = append(c.questions, engine.Counting{Filter: filter, Words: c.words, Distinct: cache.EventAttribute})
	return len(c.questions) - 1
}

// dates counts the dates that a filter finds, by the values of attributes, and returns the index of
// the answer.
func (c *countings) dates(filter string, attributes ...string) int {
	at, known := c.byFilter[filter]
	if !known {
		at = len(c.questions)
		c.byFilter[filter] = at
		c.questions = append(c.questions, engine.Counting{Filter: filter, Words: c.words})
	}
	c.questions[at].By = append(c.questions[at].By, attributes...)
	return at
}

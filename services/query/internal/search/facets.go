package search

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
)

// dimension is what dates are counted by.
type dimension struct {
	attributes []string
	own        string // the first parameter of the filter that its counts leave out; "" for none
	spelled    bool   // its values are document.Spelling of texts
	records    string // the index of the records that name its values; "" for none
}

// dimensions are those of params.Dimensions.
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

// Names says what values are called.
type Names interface {
	// Version is a text that is another one when Of may return another name.
	Version() string
	// Of returns the name of a value of a dimension; "" when it has none.
	Of(dimension, value string) string
	// Records returns the names of all records of an index by uuid. The error is the engine's.
	Records(ctx context.Context, index string) (map[string]string, error)
}

// Facets returns the payload of the counts that a query asks for. Like the summary they are of all
// dates that paging would show. The errors are the engine's.
func (s *Searcher) Facets(ctx context.Context, q params.Query, names Names) (encoded.Payload, error) {
	q.After = nil
	a, err := s.facetsOf(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	kept, err := fresh.Answer(ctx, s.kept, "facets", a.key(names.Version()), func(ctx context.Context) (*tally, error) {
		return s.countFacets(ctx, a, names)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	return kept.payload()
}

// facetsAsked is what facets are counted of.
type facetsAsked struct {
	query params.Query
	whole compiled
	of    []compiled // for each dimension of the query
}

func (s *Searcher) facetsOf(ctx context.Context, q params.Query) (a facetsAsked, err error) {
	a = facetsAsked{query: q, of: make([]compiled, len(q.By))}
	if a.whole, err = s.compile(ctx, q); err != nil {
		return a, err
	}
	for i, name := range q.By {
		a.of[i] = a.whole
		less, given := without(q, dimensions[name].own)
		switch {
		case name == params.DayDimension:
			a.of[i].expr = filter.Running(a.whole.expr, q.Window)
			a.of[i].filter, a.of[i].matches = filter.Compile(a.of[i].expr)
		case given:
			if a.of[i], err = s.compile(ctx, less); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

func (a facetsAsked) key(version string) fresh.Key {
	var written strings.Builder
	fmt.Fprintf(&written, "facets\x00%s\x00%t\x00%v\x00%s\x00%t\x00%s",
		a.query.Search, a.query.Grouped, a.query.Window, version, a.whole.matches, a.whole.filter)
	for i, c := range a.of {
		fmt.Fprintf(&written, "\x00%s\x00%t\x00%s", a.query.By[i], c.matches, c.filter)
	}
	return sha256.Sum256([]byte(written.String()))
}

// found returns what a compiled query finds, as it is kept.
func (c compiled) found(words string) found {
	return page{expr: c.expr, filter: c.filter, words: words}.found()
}

// countFacets asks the engine once: how many dates (or events) there are in all, and for each
// filter by what it is to be counted.
func (s *Searcher) countFacets(ctx context.Context, a facetsAsked, names Names) (*tally, error) {
	words := a.query.Search
	t := &tally{found: a.whole.found(words), grouped: a.query.Grouped}
	t.write = func(t *tally) ([]byte, error) { return writeFacets(t, a.query.Window, names) }
	ask := counting{words: words, at: map[string]int{}}
	total := -1
	if a.whole.matches {
		total = ask.total(a.whole.filter, t.grouped)
	}
	at := make([]int, len(a.of))
	for i, c := range a.of {
		at[i] = -1
		if c.matches {
			at[i] = ask.by(c.filter, dimensions[a.query.By[i]].attributes)
		}
	}
	var counts []engine.Counts
	if len(ask.questions) > 0 {
		var err error
		if counts, err = s.counted(ctx, t, ask.questions...); err != nil {
			return nil, err
		}
	}
	if total >= 0 {
		t.total = counts[total].Total
	}
	for i, c := range a.of {
		p, err := partOf(ctx, a.query.By[i], names)
		if err != nil {
			return nil, err
		}
		p.found = c.found(words)
		if at[i] >= 0 {
			p.take(counts[at[i]])
		}
		if index := dimensions[p.name].records; index != "" {
			t.records = append(t.records, index)
		}
		t.parts = append(t.parts, p)
	}
	return t, nil
}

// partOf returns the part of a dimension, without counts.
func partOf(ctx context.Context, name string, names Names) (p part, err error) {
	d := dimensions[name]
	p = part{name: name, attributes: d.attributes, counts: make([]map[string]int, len(d.attributes))}
	if d.records != "" {
		p.names, err = names.Records(ctx, d.records)
	}
	return p, err
}

// take takes over the counts of its attributes.
func (p *part) take(counts engine.Counts) {
	for i, attribute := range p.attributes {
		p.counts[i] = counts.Values[attribute]
	}
}

// counting gathers questions, one for each filter.
type counting struct {
	words     string
	questions []engine.Counting
	at        map[string]int // places by filter, of questions that count dates
}

// total asks how many dates or events a filter finds, and returns the place of the answer.
func (c *counting) total(filter string, events bool) int {
	if events {
		c.questions = append(c.questions, engine.Counting{Filter: filter, Words: c.words, Distinct: eventAttribute})
		return len(c.questions) - 1
	}
	return c.by(filter, nil)
}

// by asks for the values of attributes of the dates that a filter finds.
func (c *counting) by(filter string, attributes []string) int {
	at, known := c.at[filter]
	if !known {
		at = len(c.questions)
		c.at[filter] = at
		c.questions = append(c.questions, engine.Counting{Filter: filter, Words: c.words})
	}
	c.questions[at].By = append(c.questions[at].By, attributes...)
	return at
}

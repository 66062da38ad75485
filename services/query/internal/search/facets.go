package search

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

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
	varies     bool   // dates of one event may have different values
	often      bool   // they have them in many events, and no value in many others
	records    string // index of the records that have the names of its values; "" for none
	merged     bool   // dates have values of records, too, that were merged into others; these have no name
	most       int    // values that an answer shows; 0 for all
}

// mostContributors is the number of contributors in an answer: a large catalogue names thousands,
// and each list of the site asks for those with the most dates.
const mostContributors = 100

// dimensions describes each of params.Dimensions.
var dimensions = map[string]dimension{
	"categories":        {attributes: []string{"categories"}, own: "categories"},
	"event_types":       {attributes: []string{"type_ids"}, own: "event_types"},
	"genres":            {attributes: []string{"genre_ids"}, own: "genres"},
	"price_type":        {attributes: []string{"price_type"}, own: "price_types", varies: true},
	"languages":         {attributes: []string{"languages"}, own: "languages"},
	"accessibility":     {attributes: []string{"accessibility_bits"}, varies: true}, // all chosen bits are needed
	"visitor_infos":     {attributes: []string{"visitor_bits"}},
	"space_types":       {attributes: []string{"space_type"}, own: "space_types", varies: true},
	"city":              {attributes: []string{"city_spelling"}, own: "city", spelled: true, varies: true},
	"countries":         {attributes: []string{"venue_country"}, own: "countries", varies: true},
	"tags":              {attributes: []string{"tag_spellings"}, own: "tags", spelled: true},
	"label":             {attributes: []string{"labels"}, own: "label"},
	"availability":      {attributes: []string{"availability"}, own: "availability", varies: true, often: true},
	"release_statuses":  {attributes: []string{"release_status"}, own: "release_statuses", varies: true},
	"venue_uuids":       {attributes: []string{"venue_uuid"}, own: "venue_uuids", varies: true, records: document.Venues},
	"org_uuids":         {attributes: []string{"org_uuid"}, own: "org_uuids", records: document.Organizations},
	"series_uuids":      {attributes: []string{"series_uuids"}, own: "series_uuids", records: document.Series},
	"contributor":       {attributes: []string{"contributor_uuids"}, own: "contributor", records: document.Contributors, merged: true, most: mostContributors},
	params.DayDimension: {attributes: []string{"start_day"}}, // see daysOf
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

// EventsAndFacets returns the payload of the event search with that of the counts as its member
// facets. Both are cached for themselves, so a batch patches them. The errors are those of Events.
func (s *Searcher) EventsAndFacets(ctx context.Context, q params.Query, names Names) (encoded.Payload, error) {
	var found, counted encoded.Payload
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		found, err = s.Events(reading, q, QueryString{})
		return err
	})
	reads.Go(func() (err error) {
		counted, err = s.Facets(reading, q, names)
		return err
	})
	if err := reads.Wait(); err != nil {
		return encoded.Payload{}, err
	}
	return found.With("facets", counted), nil
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
		less, given := withoutOwn(q, name)
		switch {
		case name == params.DayDimension:
			f.each[i].expr = filter.Running(f.total.expr, q.Window, f.total.byPeriod)
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

// withoutOwn returns a query without the filter on a dimension itself, and whether it had one.
func withoutOwn(q params.Query, name string) (less params.Query, given bool) {
	less, given = without(q, dimensions[name].own)
	if name == "price_type" && q.Price != nil && q.Price.Type != "" { // the other parameter for types
		less.Price, given = nil, true
	}
	return less, given
}

// facetCounts are the counts of facets: the dates or events that all filters find, and for each
// dimension of the query the counts by the values of its attributes.
type facetCounts struct {
	total int
	each  [][]map[string]int
}

func (s *Searcher) loadFacets(ctx context.Context, f facetSelections, names Names) (*cache.Tally, error) {
	t := &cache.Tally{Criteria: f.total.criteria(), Grouped: f.query.Grouped}
	t.Encode = func(t *cache.Tally) ([]byte, error) { return encodeFacets(t, f.query.Window, names) }
	count := s.countDatesBy
	if t.Grouped {
		count = s.countEventsBy
	}
	counts, err := count(ctx, t, f)
	if errors.Is(err, engine.ErrOutdated) && t.Grouped { // the index does not know how dates are related
		counts, err = s.countDatesBy(ctx, t, f)
		t.Version = nil // so that no batch is counted
	}
	if err != nil {
		return nil, err
	}
	t.Total = counts.total
	for i, selected := range f.each {
		d := dimensions[f.query.By[i]]
		facet := cache.Facet{
			Criteria: selected.criteria(), Name: f.query.By[i], Attributes: d.attributes, Counts: counts.each[i],
			Merges: t.Grouped && d.varies && d.spelled,
		}
		if facet.Name == params.DayDimension {
			facet.Values = daysOf(f.query, selected.byPeriod)
		}
		if d.records != "" {
			records, err := names.Records(ctx, d.records)
			if err != nil {
				return nil, err
			}
			facet.Records, facet.Labels = d.records, make(map[string]string, len(facet.Counts[0]))
			facet.Translated = d.records == document.Series && f.query.TextLang != ""
			for value := range facet.Counts[0] {
				facet.Labels[value] = records[value]
			}
		}
		t.Facets = append(t.Facets, facet)
	}
	return t, nil
}

// countDatesBy counts dates in one request to the engine: all (or their events), and for each
// filter the values of its dimensions. The days of dates with opening hours take a second one.
func (s *Searcher) countDatesBy(ctx context.Context, t *cache.Tally, f facetSelections) (found facetCounts, err error) {
	t.Version, err = s.versions.of(func() error {
		found, err = s.datesBy(ctx, t, f)
		return err
	})
	return found, err
}

func (s *Searcher) datesBy(ctx context.Context, t *cache.Tally, f facetSelections) (found facetCounts, err error) {
	ask := newCountings(f.query.Search)
	total := counting{f.total.filter, t.Grouped}
	if f.total.matches {
		ask.add(total)
	}
	for i, selected := range f.each {
		if selected.matches {
			ask.add(counting{selected.filter, false}, selected.countedBy(f.query.By[i])...)
		}
	}
	var counts []engine.Counts
	if len(ask.questions) > 0 {
		if counts, err = s.engine.Count(ctx, document.Dates, ask.questions...); err != nil {
			return found, err
		}
	}
	if f.total.matches {
		found.total = counts[ask.known[total]].Total
	}
	found.each = make([][]map[string]int, len(f.each))
	for i, selected := range f.each {
		found.each[i] = make([]map[string]int, len(dimensions[f.query.By[i]].attributes))
		if !selected.matches {
			continue
		}
		if f.query.By[i] == params.DayDimension {
			running := counts[ask.known[counting{selected.filter, false}]]
			if found.each[i][0], err = s.countDays(ctx, selected, f.query, running); err != nil {
				return found, err
			}
			continue
		}
		for n, attribute := range dimensions[f.query.By[i]].attributes {
			found.each[i][n] = counts[ask.known[counting{selected.filter, false}]].Values[attribute]
		}
	}
	return found, nil
}

// countings collects questions to the engine, one for each filter and unit.
type countings struct {
	words     string
	questions []engine.Counting
	known     map[counting]int // index of the question
	counts    []engine.Counts  // the answers, once there are any
}

// counting identifies a question: what a filter finds, counted as dates or events.
type counting struct {
	filter string
	events bool
}

func (c counting) question(words string) engine.Counting {
	q := engine.Counting{Filter: c.filter, Words: words}
	if c.events {
		q.Distinct = cache.EventAttribute
	}
	return q
}

func newCountings(words string) *countings {
	return &countings{words: words, known: map[counting]int{}}
}

// add asks for a count, also by the values of attributes.
func (c *countings) add(ask counting, attributes ...string) {
	at, known := c.known[ask]
	if !known {
		at = len(c.questions)
		c.known[ask] = at
		c.questions = append(c.questions, ask.question(c.words))
	}
	for _, attribute := range attributes {
		if !slices.Contains(c.questions[at].By, attribute) {
			c.questions[at].By = append(c.questions[at].By, attribute)
		}
	}
}

// of returns the answer to a question; no counts if it was not asked.
func (c *countings) of(ask counting) engine.Counts {
	at, known := c.known[ask]
	if !known {
		return engine.Counts{}
	}
	return c.counts[at]
}

// sum returns the sum of the answers to some questions.
func (c *countings) sum(asks []counting) (total int) {
	for _, ask := range asks {
		total += c.of(ask).Total
	}
	return total
}

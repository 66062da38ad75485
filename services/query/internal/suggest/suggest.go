// Package suggest completes the words that a visitor types: with titles, venues, cities, tags,
// organizations and contributors, each with the filter of the event search that it stands for. It
// reads only the indexes, so it suggests only public entities, and of those only the ones with
// upcoming dates.
package suggest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"slices"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Suggester makes suggestions from the indexes of one read node.
type Suggester struct {
	engine *engine.Engine
	cache  *cache.Cache
}

// New returns a suggester that caches its answers.
func New(e *engine.Engine, answers *cache.Cache) *Suggester { return &Suggester{e, answers} }

// Suggest returns the payload of GET /api/suggest for the words in q and its limit. Dates from
// today on are upcoming; what q leaves out as over is not counted. narrow leaves only the dates
// that a visitor is shown. The error is the engine's.
func (s *Suggester) Suggest(
	ctx context.Context, q params.Query, today params.Day, narrow func(filter.Expr) filter.Expr,
) (encoded.Payload, error) {
	upcoming := filter.Simplify(narrow(filter.Upcoming(today)))
	compiled, some := filter.Compile(upcoming)
	if !some {
		return encode(nil)
	}
	in := func(language string) (*cache.Suggestions, error) {
		key := sha256.Sum256(fmt.Appendf(nil, "suggest\x00%s\x00%d\x00%d\x00%d\x00%d\x00%s\x00%s",
			q.Search, q.Limit, today, q.EndsAfter, q.EndsOn, language, compiled))
		return cache.Get(ctx, s.cache, "suggest", key, func(ctx context.Context) (*cache.Suggestions, error) {
			return s.load(ctx, question{
				words: q.Search, limit: q.Limit, language: language, upcoming: upcoming, narrow: narrow,
				counted: params.Query{Start: today, Ongoing: true, NotOver: true, EndsAfter: q.EndsAfter, EndsOn: q.EndsOn},
			})
		})
	}
	answer, err := in("")
	if err == nil && q.TextLang != "" && answer.Translated { // else they are the same in all languages
		answer, err = in(q.TextLang)
	}
	if err != nil {
		return encoded.Payload{}, err
	}
	return answer.Payload, nil
}

// question is a request for suggestions.
type question struct {
	words    string // separated by single spaces
	limit    int
	language string       // of titles; "" for that of the original
	upcoming filter.Expr  // matches upcoming dates
	counted  params.Query // finds the dates that are counted
	// narrow leaves only the dates that a visitor is shown.
	narrow func(filter.Expr) filter.Expr
}

// load makes the suggestions: it finds everything that has the words, and selects those with
// upcoming dates.
func (s *Suggester) load(ctx context.Context, q question) (*cache.Suggestions, error) {
	m, err := s.match(ctx, q)
	if err != nil {
		return nil, err
	}
	found, err := s.withDates(ctx, q, m)
	if err != nil {
		return nil, err
	}
	chosen := mix(found, q.limit)
	if err := s.countEvents(ctx, q, chosen); err != nil {
		return nil, err
	}
	payload, err := encode(chosen)
	if err != nil {
		return nil, err
	}
	compiled, _ := filter.Compile(q.upcoming)
	counted := filter.Simplify(q.narrow(filter.Dates(q.counted, filter.Places{})))
	return &cache.Suggestions{
		Payload: payload, Criteria: cache.NewCriteria(filter.Simplify(q.upcoming), compiled, q.words),
		Translated: m.translated(), Places: m.places(), Counted: cache.NewCriteria(counted, compiled, q.words),
	}, nil
}

func encode(chosen []publicapi.Suggestion) (encoded.Payload, error) {
	data, err := value.JSON(publicapi.Suggestions{Suggestions: append([]publicapi.Suggestion{}, chosen...)})
	if err != nil {
		return encoded.Payload{}, fmt.Errorf("encode suggestions: %w", err)
	}
	return encoded.NewPayload(data), nil
}

// countEvents sets the number of events that the search for each suggestion finds.
func (s *Suggester) countEvents(ctx context.Context, of question, chosen []publicapi.Suggestion) error {
	questions, counted := make([]engine.Counting, len(chosen)), of.counted
	for i, suggestion := range chosen {
		parameters := url.Values{}
		for name, text := range suggestion.Filter {
			parameters.Set(name, text)
		}
		q, err := params.Events.FromURL(parameters.Encode(), counted.Start)
		if err != nil {
			return fmt.Errorf("search for a suggestion: %w", err)
		}
		q.Start, q.Ongoing, q.EndsAfter, q.EndsOn = counted.Start, true, counted.EndsAfter, counted.EndsOn
		questions[i].Filter, _ = filter.Compile(of.narrow(filter.Dates(q, filter.Places{})))
		questions[i].Distinct = cache.EventAttribute
	}
	if len(questions) == 0 {
		return nil
	}
	counts, err := s.engine.Count(ctx, document.Dates, questions...)
	for i := range counts {
		chosen[i].Count = counts[i].Total
	}
	return err
}

// translated reports whether the title of an event is translated.
func (m matches) translated() bool {
	return slices.ContainsFunc(m.dates, func(date publicapi.Entry) bool { return len(titlesOf(date)) > 1 })
}

// places returns the venues, organizations, contributors and cities: values by attribute of dates.
func (m matches) places() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, attribute := range cache.PlaceAttributes {
		all[attribute] = map[string]bool{}
	}
	for _, venue := range m.venues {
		all["venue_uuid"][venue.UUID] = true
	}
	for _, organization := range m.organizations {
		all["org_uuid"][organization.UUID] = true
	}
	for _, contributor := range m.contributors {
		all["contributor_uuids"][contributor.UUID] = true
	}
	for _, city := range m.cities {
		all["city_key"][document.ExactKey(city.City)] = true
	}
	return all
}

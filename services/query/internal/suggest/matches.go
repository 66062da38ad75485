package suggest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// maxMatches is the number of venues, organizations, contributors and cities that are considered.
const maxMatches = 40

// matches is everything that has the words, whether or not it has dates to come.
type matches struct {
	dates         []publicapi.Entry // of events with dates to come: of each its best date
	tagged        tagged
	venues        []place
	cities        []place
	organizations []place
	contributors  []place // with the note in place of the city
}

// place is a venue or an organization in its index; a city has only its name.
type place struct {
	UUID string `json:"id"`
	Name string `json:"name"`
	City string `json:"city"`
}

// tagged describes the tags with the words: how many upcoming dates have each, by its key, and some
// of these dates.
type tagged struct {
	counts map[string]int
	dates  []publicapi.Entry
}

func (s *Suggester) match(ctx context.Context, q question) (matches, error) {
	var m matches
	questions, ctx := errgroup.WithContext(ctx)
	questions.Go(func() (err error) {
		titles := engine.Question{Words: q.words, In: []string{"title_words"}, Distinct: "uuid", Limit: maxMatches}
		m.dates, _, err = s.dates(ctx, q.upcoming, titles)
		return err
	})
	questions.Go(func() (err error) { m.tagged, err = s.tagged(ctx, q); return err })
	questions.Go(func() (err error) {
		m.venues, err = s.byWords(ctx, document.Venues, engine.Question{Words: q.words, In: []string{"name_words"}})
		return err
	})
	questions.Go(func() (err error) {
		m.organizations, err = s.byWords(ctx, document.Organizations, engine.Question{Words: q.words})
		return err
	})
	questions.Go(func() (err error) {
		m.contributors, err = s.byWords(ctx, document.Contributors, engine.Question{Words: q.words})
		if errors.Is(err, engine.ErrNoIndex) { // built by a release without contributors; without any index, dates fail
			err = nil
		}
		return err
	})
	questions.Go(func() (err error) {
		m.cities, err = s.byWords(ctx, document.Venues, engine.Question{
			Words: q.words, In: []string{"city_words"}, Distinct: "city_key",
		})
		return err
	})
	return m, questions.Wait()
}

// tagged returns the tags of dates to come that have the words in a tag.
func (s *Suggester) tagged(ctx context.Context, q question) (tagged, error) {
	question := engine.Question{
		Words: q.words, In: []string{"tag_words"}, Limit: q.limit, Facets: []string{"tag_keys"},
	}
	dates, answer, err := s.dates(ctx, q.upcoming, question)
	if err != nil {
		return tagged{}, err
	}
	if answer == nil {
		return tagged{}, nil
	}
	counts, err := engine.Values(answer)
	return tagged{counts["tag_keys"], dates}, err
}

// dates returns the entries of the dates that match, with the engine's whole answer; nil when none
// has the words because none has the attribute.
func (s *Suggester) dates(
	ctx context.Context, match filter.Expr, q engine.Question,
) (entries []publicapi.Entry, answer []byte, err error) {
	q.Filter, _ = filter.Compile(match)
	q.Attributes = document.EntryAttributes
	switch answer, err = s.engine.Search(ctx, document.Dates, q); {
	case errors.Is(err, engine.ErrUnsearchable):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	var found struct {
		Hits []struct {
			Entry document.Encoded[publicapi.Entry] `json:"entry"`
		} `json:"hits"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, nil, fmt.Errorf("decode dates to suggest: %w", err)
	}
	for _, hit := range found.Hits {
		entries = append(entries, hit.Entry.Value)
	}
	return entries, answer, nil
}

// byWords returns the venues, organizations or contributors that have the words of a question.
func (s *Suggester) byWords(ctx context.Context, index string, q engine.Question) ([]place, error) {
	q.Filter, _ = filter.Compile(filter.Existing())
	q.Attributes, q.Limit = []string{"id", "name", "city"}, maxMatches
	answer, err := s.engine.Search(ctx, index, q)
	switch {
	case errors.Is(err, engine.ErrUnsearchable):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var found struct {
		Hits []place `json:"hits"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, fmt.Errorf("decode %s to suggest: %w", index, err)
	}
	return found.Hits, nil
}

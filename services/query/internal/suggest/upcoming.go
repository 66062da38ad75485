package suggest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// withDates returns suggestions of the matches that have upcoming dates.
func (s *Suggester) withDates(ctx context.Context, q question, m matches) ([]candidate, error) {
	var counts map[string]map[string]int
	var found, tags []candidate
	questions, asking := errgroup.WithContext(ctx)
	questions.Go(func() (err error) { counts, err = s.count(asking, q, m); return err })
	questions.Go(func() (err error) { found, err = s.events(asking, q, m.dates); return err })
	questions.Go(func() (err error) { tags, err = s.tags(asking, q, m.tagged); return err })
	if err := questions.Wait(); err != nil {
		return nil, err
	}
	found = append(found, tags...)
	for _, venue := range m.venues {
		found = append(found, candidate{
			Suggestion: publicapi.Suggestion{
				Kind: publicapi.SuggestedVenue, Text: venue.Name, Detail: venue.City, UUID: value.Text(venue.UUID),
				Filter: map[string]string{"venue_uuids": venue.UUID},
			}, fit: fitOf(q.words, venue.Name), dates: counts["venue_uuid"][venue.UUID],
		})
	}
	for _, organization := range m.organizations {
		found = append(found, candidate{
			Suggestion: publicapi.Suggestion{
				Kind: publicapi.SuggestedOrganization, Text: organization.Name, Detail: organization.City,
				UUID: value.Text(organization.UUID), Filter: map[string]string{"org_uuids": organization.UUID},
			}, fit: fitOf(q.words, organization.Name), dates: counts["org_uuid"][organization.UUID],
		})
	}
	for _, contributor := range m.contributors {
		found = append(found, candidate{
			Suggestion: publicapi.Suggestion{
				Kind: publicapi.SuggestedContributor, Text: contributor.Name, Detail: contributor.City,
				UUID: value.Text(contributor.UUID), Filter: map[string]string{"contributor": contributor.UUID},
			}, fit: fitOf(q.words, contributor.Name), dates: counts["contributor_uuids"][contributor.UUID],
		})
	}
	for _, city := range m.cities {
		found = append(found, candidate{
			Suggestion: publicapi.Suggestion{
				Kind: publicapi.SuggestedCity, Text: city.City, Filter: map[string]string{"city": city.City},
			}, fit: fitOf(q.words, city.City), dates: counts["city_key"][document.ExactKey(city.City)],
		})
	}
	return slices.DeleteFunc(found, candidate.useless), nil
}

// count counts the upcoming dates of the places, by attribute and value. Each attribute is a
// separate question: together they would count all values of all dates of any of the places.
func (s *Suggester) count(ctx context.Context, q question, m matches) (map[string]map[string]int, error) {
	uuid := func(p place) string { return p.UUID }
	var questions []engine.Counting
	for attribute, match := range map[string]filter.Expr{
		"venue_uuid":        filter.AtVenues(q.upcoming, values(m.venues, uuid)),
		"org_uuid":          filter.ByOrganizations(q.upcoming, values(m.organizations, uuid)),
		"contributor_uuids": filter.WithContributors(q.upcoming, values(m.contributors, uuid)),
		"city_key":          filter.InCities(q.upcoming, values(m.cities, func(p place) string { return p.City })),
	} {
		if compiled, some := filter.Compile(match); some {
			questions = append(questions, engine.Counting{Filter: compiled, By: []string{attribute}})
		}
	}
	answers, err := s.engine.Count(ctx, document.Dates, questions...)
	counts := map[string]map[string]int{}
	for _, answer := range answers {
		maps.Copy(counts, answer.Values)
	}
	return counts, err
}

// values returns a field of each place.
func values(places []place, field func(place) string) []string {
	all := make([]string, len(places))
	for i, p := range places {
		all[i] = field(p)
	}
	return all
}

// events returns the events of dates. Several of one name are one suggestion, which stands for all
// events of that name, also for those that are not among the dates.
func (s *Suggester) events(ctx context.Context, q question, dates []publicapi.Entry) ([]candidate, error) {
	var found []candidate
	var questions []engine.Counting
	at := map[string]int{} // by name without regard to case, as the search compares titles
	for _, date := range dates {
		place, title := joined(", ", date.VenueName, date.VenueCity), titleIn(date, q.language)
		if n, again := at[document.Fold(title)]; again {
			found[n].Filter["event_uuids"] += "," + date.UUID
			if found[n].Detail != place {
				found[n].Detail = ""
			}
			continue
		}
		at[document.Fold(title)] = len(found)
		found = append(found, candidate{Suggestion: publicapi.Suggestion{
			Kind: publicapi.SuggestedEvent, Text: title, Detail: place,
			UUID: value.Text(date.UUID), Filter: map[string]string{"event_uuids": date.UUID},
		}, fit: bestFit(q.words, titlesOf(date)), dates: 1})
		compiled, _ := filter.Compile(filter.Titled(q.upcoming, title))
		questions = append(questions, engine.Counting{Filter: compiled, Distinct: cache.EventAttribute})
	}
	counts, err := s.engine.Count(ctx, document.Dates, questions...)
	if err != nil {
		return nil, err
	}
	for n, events := range counts {
		if events.Total < 2 {
			continue
		}
		found[n].UUID = ""
		if title := found[n].Text; !isPattern(title) {
			found[n].Filter = map[string]string{"title": title}
		}
	}
	return found, nil
}

// titleIn returns the title in a language, or else of the original.
func titleIn(date publicapi.Entry, language string) string {
	return cmp.Or(date.Texts[language].Title, date.Title)
}

// titlesOf returns the titles in all languages.
func titlesOf(date publicapi.Entry) []string {
	titles := []string{date.Title}
	for _, text := range date.Texts {
		if text.Title != "" {
			titles = append(titles, text.Title)
		}
	}
	return titles
}

// bestFit returns the best fit of several titles.
func bestFit(words string, titles []string) fit {
	best := similar
	for _, title := range titles {
		best = min(best, fitOf(words, title))
	}
	return best
}

// isPattern reports whether the search takes a text for a pattern: an asterisk at an end of it is a
// placeholder.
func isPattern(text string) bool { return strings.HasPrefix(text, "*") || strings.HasSuffix(text, "*") }

func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), separator)
}

// tags returns the tags that have the words, in a spelling that a date to come has.
func (s *Suggester) tags(ctx context.Context, q question, t tagged) ([]candidate, error) {
	keys := slices.DeleteFunc(slices.Collect(maps.Keys(t.counts)), func(key string) bool {
		folded, whole := document.KeyText(key)
		return !whole || !resembles(q.words, folded)
	})
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(tagFit(q.words, a), tagFit(q.words, b)), cmp.Compare(t.counts[b], t.counts[a]), cmp.Compare(a, b))
	})
	found := make([]candidate, min(len(keys), q.limit))
	questions, ctx := errgroup.WithContext(ctx)
	for i := range found {
		questions.Go(func() error {
			text, err := s.spelled(ctx, q, t, keys[i])
			found[i] = candidate{Suggestion: publicapi.Suggestion{
				Kind: publicapi.SuggestedTag, Text: text, Filter: map[string]string{"tags": text},
			}, fit: tagFit(q.words, keys[i]), dates: t.counts[keys[i]]}
			return err
		})
	}
	return found, questions.Wait()
}

func tagFit(words, key string) fit {
	folded, _ := document.KeyText(key)
	return fitOf(words, folded)
}

// spelled returns a tag in the spelling of an upcoming date: keys have no case.
func (s *Suggester) spelled(ctx context.Context, q question, t tagged, key string) (string, error) {
	if tag, found := tagIn(t.dates, key); found {
		return tag, nil
	}
	dates, _, err := s.dates(ctx, filter.Tagged(q.upcoming, key), engine.Question{Limit: 1})
	if err != nil {
		return "", err
	}
	tag, _ := tagIn(dates, key) // none: it has gone since it was counted
	return tag, nil
}

func tagIn(dates []publicapi.Entry, key string) (tag string, found bool) {
	for _, date := range dates {
		for _, tag := range date.Tags {
			if document.ExactKey(tag) == key {
				return tag, true
			}
		}
	}
	return "", false
}

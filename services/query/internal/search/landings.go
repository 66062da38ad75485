package search

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/params"
)

// Landing is a list of events that is worth finding: those of a town, of a type, or of a type in a
// town.
type Landing struct {
	City string // "" for everywhere
	Type string // id; "" for all
	// Events is their number.
	Events int
}

// Landings returns the lists with at least so many of the events that a query finds, those with the
// most first, and at most limit. It asks for the counts of each type of events. The errors are the
// engine's.
func (s *Searcher) Landings(ctx context.Context, q params.Query, least, limit int, names Names) ([]Landing, error) {
	q.By, q.Grouped = []string{"city", "event_types"}, true
	tally, err := s.facets(ctx, q, names)
	if err != nil {
		return nil, err
	}
	var found []Landing
	for _, city := range from(least, namedValues(tally.Facets[0], names)) {
		found = append(found, Landing{City: city.Value, Events: city.Count})
	}
	for _, kind := range from(least, namedValues(tally.Facets[1], names)) {
		found = append(found, Landing{Type: kind.Value, Events: kind.Count})
		id, err := strconv.Atoi(kind.Value)
		if err != nil {
			continue // cannot happen: the index holds integers
		}
		of := q
		of.EventTypes = []int{id}
		cities, err := s.Counts(ctx, of, "city", names)
		if err != nil {
			return nil, err
		}
		for _, city := range from(least, cities) {
			found = append(found, Landing{City: city.Value, Type: kind.Value, Events: city.Count})
		}
	}
	slices.SortStableFunc(found, func(a, b Landing) int { return cmp.Compare(b.Events, a.Events) })
	return found[:min(len(found), limit)], nil
}

// from returns the values with at least so many events.
func from(least int, values []publicapi.Facet) []publicapi.Facet {
	return slices.DeleteFunc(values, func(v publicapi.Facet) bool { return v.Count < least || v.Value == "" })
}

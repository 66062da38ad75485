package search

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

// encodeFacets writes the payload of facets: days in order, other values by descending count.
func encodeFacets(t *cache.Tally, window params.Days, names Names) ([]byte, error) {
	facets := publicapi.Facets{Total: t.Total, Facets: make(map[string][]publicapi.Facet, len(t.Facets))}
	for _, f := range t.Facets {
		if f.Name == params.DayDimension {
			facets.Facets[f.Name] = eachDay(f.Counts[0], window)
		} else {
			values := namedValues(f, names)
			if most := dimensions[f.Name].most; most > 0 {
				values = values[:min(len(values), most)]
			}
			facets.Facets[f.Name] = values
		}
	}
	data, err := value.JSON(facets)
	if err != nil {
		return nil, fmt.Errorf("encode facets: %w", err)
	}
	return data, nil
}

// namedValues returns the values of a facet with their names, by descending count, then by value.
func namedValues(f cache.Facet, names Names) []publicapi.Facet {
	counts := f.Counts[0]
	if dimensions[f.Name].spelled {
		counts = mergeSpellings(counts)
	}
	list := make([]publicapi.Facet, 0, len(counts))
	for value, n := range counts {
		name := f.Labels[value]
		if f.Labels == nil {
			name = names.Of(f.Name, value)
		}
		if name == "" && dimensions[f.Name].merged {
			continue
		}
		list = append(list, publicapi.Facet{Value: value, Name: name, Count: n})
	}
	slices.SortFunc(list, func(a, b publicapi.Facet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), compareValues(a.Value, b.Value))
	})
	return list
}

// compareValues orders numbers by size and texts by their characters.
func compareValues(a, b string) int {
	x, xErr := strconv.Atoi(a)
	y, yErr := strconv.Atoi(b)
	if xErr == nil && yErr == nil && x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

// mergeSpellings counts texts that differ only in case as one, as the search does. The most
// frequent spelling is shown.
func mergeSpellings(counts map[string]int) map[string]int {
	type merged struct {
		spelling string
		max      int // count of the spelling
		total    int
	}
	texts := map[string]merged{}
	bySpelling := make(map[string]int, len(counts))
	for value, n := range counts {
		bySpelling[document.Spelled(value)] += n
	}
	for _, text := range slices.Sorted(maps.Keys(bySpelling)) {
		n, key := bySpelling[text], document.Fold(text)
		m := texts[key]
		if n > m.max {
			m.spelling, m.max = text, n
		}
		m.total += n
		texts[key] = m
	}
	totals := make(map[string]int, len(texts))
	for _, m := range texts {
		totals[m.spelling] = m.total
	}
	return totals
}

// eachDay returns the counts of the days of a window.
func eachDay(counts map[string]int, window params.Days) []publicapi.Facet {
	list := []publicapi.Facet{}
	for _, day := range window.Each() {
		list = append(list, publicapi.Facet{Value: day.String(), Count: counts[day.String()]})
	}
	return list
}

// dayIn reads a day as the index holds it.
func dayIn(text string) params.Day {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0 // cannot happen: the attributes hold integers
	}
	return params.Day(n)
}

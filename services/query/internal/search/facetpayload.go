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
	"litfass/services/query/internal/params"
)

// writeFacets writes the payload of facets: days in order, other values the most frequent first.
func writeFacets(t *tally, window params.Days, names Names) ([]byte, error) {
	facets := publicapi.Facets{Total: t.total, Facets: make(map[string][]publicapi.Facet, len(t.parts))}
	for _, p := range t.parts {
		if p.name == params.DayDimension {
			facets.Facets[p.name] = histogram(p.counts[0], p.counts[1], window)
		} else {
			facets.Facets[p.name] = valuesCounted(p, names)
		}
	}
	data, err := value.JSON(facets)
	if err != nil {
		return nil, fmt.Errorf("encode facets: %w", err)
	}
	return data, nil
}

// valuesCounted returns the values of a part with their names, by descending count, then by value.
func valuesCounted(p part, names Names) []publicapi.Facet {
	counts := p.counts[0]
	if dimensions[p.name].spelled {
		counts = spelledAlike(counts)
	}
	list := make([]publicapi.Facet, 0, len(counts))
	for value, n := range counts {
		name := p.names[value]
		if p.names == nil {
			name = names.Of(p.name, value)
		}
		list = append(list, publicapi.Facet{Value: value, Name: name, Count: n})
	}
	slices.SortFunc(list, func(a, b publicapi.Facet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), compareValues(a.Value, b.Value))
	})
	return list
}

// compareValues orders numbers by their size and texts by their characters.
func compareValues(a, b string) int {
	x, xErr := strconv.Atoi(a)
	y, yErr := strconv.Atoi(b)
	if xErr == nil && yErr == nil && x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

// spelledAlike counts texts that differ only in case as one, for the search takes them for one. It
// is shown in its most frequent spelling.
func spelledAlike(counts map[string]int) map[string]int {
	type alike struct {
		spelling string
		most     int
		all      int
	}
	texts := map[string]alike{}
	bySpelling := make(map[string]int, len(counts))
	for value, n := range counts {
		bySpelling[document.Spelled(value)] += n
	}
	for _, text := range slices.Sorted(maps.Keys(bySpelling)) {
		n, key := bySpelling[text], document.Fold(text)
		a := texts[key]
		if n > a.most {
			a.spelling, a.most = text, n
		}
		a.all += n
		texts[key] = a
	}
	shown := make(map[string]int, len(texts))
	for _, a := range texts {
		shown[a.spelling] = a.all
	}
	return shown
}

// histogram returns how many dates run on each day of a window: those that have started less those
// that have ended before. starts and ends are the counts of all dates that run in the window.
func histogram(starts, ends map[string]int, window params.Days) []publicapi.Facet {
	days := window.Each()
	list := make([]publicapi.Facet, len(days))
	for i, day := range days {
		list[i] = publicapi.Facet{Value: day.String()}
	}
	for text, n := range starts {
		from, _ := slices.BinarySearch(days, dayIn(text))
		for i := from; i < len(days); i++ {
			list[i].Count += n
		}
	}
	for text, n := range ends {
		to, runs := slices.BinarySearch(days, dayIn(text))
		if runs {
			to++
		}
		for i := to; i < len(days); i++ {
			list[i].Count -= n
		}
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

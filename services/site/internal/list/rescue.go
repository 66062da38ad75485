package list

import (
	"slices"
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
)

// longAgo is a day before all dates: with it, past ones are listed as well.
const longAgo = "1900-01-01"

// mostWithout is how many filters are offered to be left out.
const mostWithout = 5

// rescueOf returns the API's suggestions after a search without results.
func rescueOf(r *page.Request, read answers) (rescue Rescue) {
	hints := read.found.Hints
	if hints == nil {
		return rescue
	}
	if hints.Search != "" {
		words := string(hints.Search)
		rescue.Spelling = filter.Choice{Name: words, Link: r.LinkWith("search", words)}
	}
	chips := filter.Chips(r, read.names)
	for _, relaxed := range hints.Without[:min(len(hints.Without), mostWithout)] {
		rescue.Without = append(rescue.Without, without(r, chips, relaxed))
	}
	return rescue
}

// without returns a filter that may be left out. Without the one that hides past dates they are
// asked for. Without days the list begins today, so that the API's count would be another one.
func without(r *page.Request, chips []filter.Choice, relaxed publicapi.Relaxed) filter.Choice {
	if slices.Contains(relaxed.Parameters, "start") {
		return filter.Choice{Name: r.Text.T("list.past"), Count: relaxed.Count, Link: r.LinkWith("start", longAgo)}
	}
	var named []string
	for _, chip := range chips {
		if slices.Contains(relaxed.Parameters, chip.Value) {
			named = append(named, chip.Name)
		}
	}
	if len(named) == 0 {
		named = relaxed.Parameters
	}
	choice := filter.Choice{
		Name: r.Text.With("list.without", "Filter", strings.Join(named, ", ")),
		Link: r.LinkWithout(relaxed.Parameters...),
	}
	if !slices.Contains(relaxed.Parameters, "on") && !slices.Contains(relaxed.Parameters, "end") {
		choice.Count = relaxed.Count
	}
	return choice
}

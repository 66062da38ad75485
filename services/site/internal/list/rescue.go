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

// maxWithout is the number of filters that are offered to be removed.
const maxWithout = 5

// rescueOf returns the API's suggestions after a search without results.
func rescueOf(r *page.Request, hints *publicapi.Hints, chips []filter.Choice) (rescue Rescue) {
	if hints == nil {
		return rescue
	}
	if hints.Search != "" {
		words := string(hints.Search)
		rescue.Spelling = filter.Choice{Name: words, Link: r.LinkWith("search", words)}
	}
	for _, relaxed := range hints.Without[:min(len(hints.Without), maxWithout)] {
		rescue.Without = append(rescue.Without, without(r, chips, relaxed))
	}
	return rescue
}

// without returns a filter that may be removed. Removing the one that hides past dates selects
// them. Without days the list begins today, for which the API's count is wrong.
func without(r *page.Request, chips []filter.Choice, relaxed publicapi.Relaxed) filter.Choice {
	if slices.Contains(relaxed.Parameters, page.NotOver) {
		return filter.Choice{Name: r.Text.Count("list.earlier", relaxed.Count), Link: r.LinkWith(page.NotOver, "false")}
	}
	if slices.Contains(relaxed.Parameters, "start") {
		return filter.Choice{Name: r.Text.T("list.past"), Count: relaxed.Count, Link: r.LinkWith("start", longAgo)}
	}
	var names []string
	for _, chip := range chips {
		if slices.Contains(relaxed.Parameters, chip.Value) {
			names = append(names, chip.Name)
		}
	}
	if len(names) == 0 {
		names = relaxed.Parameters
	}
	choice := filter.Choice{
		Name: r.Text.With("list.without", "Filter", strings.Join(names, ", ")),
		Link: r.LinkWithout(relaxed.Parameters...),
	}
	if !slices.Contains(relaxed.Parameters, "on") && !slices.Contains(relaxed.Parameters, "end") {
		choice.Count = relaxed.Count
	}
	return choice
}

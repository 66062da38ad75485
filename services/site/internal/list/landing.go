package list

import (
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
)

const (
	// minLanding is the number of events from which a list of one town, or one kind, is worth
	// finding, as the sitemap has it.
	minLanding = 3
	// maxLandings is the number of towns, and of kinds, that a list links.
	maxLandings = 24
)

// landings are lists that search engines index, next to that of the page: those of the towns and of
// the kinds of its events.
type landings struct{ Cities, Kinds []filter.Choice }

// isLanding reports whether the address has at most one town, at most one kind, and nothing else.
func isLanding(r *page.Request) bool {
	for name, values := range r.Filter() {
		if name != "city" && name != "event_types" || len(values) > 1 || strings.ContainsAny(values[0], ",*") {
			return false
		}
	}
	return true
}

// noIndex reports whether search engines should not index a list of so many events: the
// combinations of filters are endless. They index all events from today on, those of one town or
// one kind, and those of one kind in one town, where there are some.
func noIndex(r *page.Request, total int) bool {
	return !isLanding(r) || len(r.Filter()) > 0 && total < minLanding
}

// named names a list of one town, or one kind, as people search for it.
func (l *Listing) named(r *page.Request) {
	if !isLanding(r) {
		return
	}
	city, kind := r.Value("city"), ""
	for _, chip := range l.Bar.Chips {
		if chip.Value == "event_types" {
			kind = chip.Name
		}
	}
	switch {
	case city != "" && kind != "":
		l.Words = r.Text.With("event.kind_in_city", "Kind", kind, "City", city)
		l.Title, l.From = l.Words, "· "+l.Words
	case city != "":
		l.City, l.Title, l.From = city, r.Text.With("list.events_in", "City", city), r.Text.With("list.in", "City", city)
	case kind != "":
		l.Title, l.From = r.Text.With("list.events_of", "Kind", kind), "· "+kind
	default:
		l.From = r.Text.T("list.from_today")
	}
}

// landingsOf returns the lists that a list links: that of all events links towns and kinds, that of
// a town its kinds, and that of a kind its towns.
func landingsOf(r *page.Request, counts publicapi.Facets) (l landings) {
	if !isLanding(r) {
		return l
	}
	if !r.Has("city") {
		l.Cities = linked(r, "city", counts.Facets["city"])
	}
	if !r.Has("event_types") {
		l.Kinds = linked(r, "event_types", counts.Facets["event_types"])
	}
	return l
}

// linked returns links to the lists of the values of a parameter that have enough events.
func linked(r *page.Request, name string, values []publicapi.Facet) (links []filter.Choice) {
	for _, value := range values {
		if value.Count < minLanding || len(links) == maxLandings {
			break // they are in the order of their counts
		}
		parameters := r.Filter()
		parameters.Set(name, value.Value)
		title := value.Name
		if title == "" {
			title = value.Value
		}
		links = append(links, filter.Choice{Value: value.Value, Name: title, Count: value.Count, Link: r.Link(r.Path, parameters)})
	}
	return links
}

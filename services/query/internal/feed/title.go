package feed

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/value"
)

// maxNames is the number of parts in the name of a feed.
const maxNames = 6

// namedDimensions are the filters whose values have names.
var namedDimensions = []string{
	"categories", "event_types", "genres", "languages", "accessibility", "visitor_infos", "space_types", "countries",
	"release_statuses", "price_type",
}

// TitleOf returns the title of a feed: the name of the site and the filters of the search, with
// words and patterns as sent, the names of values by dimension, and days. The names of events,
// venues and organizations are those of the items. Days by words, such as today, are left out: the
// name of a calendar that people subscribe to should last.
func (s Site) TitleOf(sent url.Values, items []Item, nameOf func(dimension, value string) string) string {
	var parts []string
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	for _, name := range []string{"search", "title", "venue", "city", "postal_code"} {
		add(strings.Trim(sent.Get(name), "*"))
	}
	events, venues, organizations := values(sent, "event_uuids"), values(sent, "venue_uuids"), values(sent, "org_uuids")
	for _, i := range items {
		if slices.Contains(events, i.UUID) {
			add(i.Title)
		}
		if slices.Contains(venues, string(i.VenueUUID)) {
			add(i.VenueName)
		}
		if slices.Contains(organizations, i.OrgUUID) {
			add(i.OrgName)
		}
	}
	for _, uuid := range values(sent, "series_uuids") {
		add(nameOf("series_uuids", uuid))
	}
	for _, dimension := range namedDimensions {
		for _, value := range values(sent, dimension) {
			add(nameOf(dimension, value))
		}
	}
	add(nameOf("price_type", sent.Get("price")))
	for _, tag := range values(sent, "tags") {
		add(tag)
	}
	add(days(sent.Get("start"), sent.Get("end")))
	add(days(cutDays(sent.Get("on"))))
	return joined(": ", s.Name, strings.Join(parts[:min(len(parts), maxNames)], ", "))
}

// values returns the items of a list that is repeated, separated by commas, or both.
func values(sent url.Values, name string) []string {
	var all []string
	for _, list := range sent[name] {
		for item := range strings.SplitSeq(list, ",") {
			if uuid, is := value.UUIDv7(item); is {
				item = uuid
			}
			all = append(all, item)
		}
	}
	return all
}

// cutDays returns the first and the last day of on.
func cutDays(on string) (from, to string) {
	from, to, two := strings.Cut(on, ",")
	if !two {
		to = from
	}
	return from, to
}

// days writes a range of days; words are no days.
func days(from, to string) string {
	isDay := func(text string) bool { _, err := time.Parse(time.DateOnly, text); return err == nil }
	switch {
	case isDay(from) && from == to:
		return from
	case !isDay(from) && !isDay(to):
		return ""
	case !isDay(from):
		return "– " + to
	case !isDay(to):
		return from + " –"
	default:
		return from + " – " + to
	}
}

// Package oembed writes the frame that other websites show in place of the address of a page
// (oembed.com): the events of the page. It is pure: callers provide the names of events and venues.
package oembed

import (
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/params"
)

// Kind is the sort of a page.
type Kind string

// The kinds of pages that are embedded.
const (
	List         Kind = "" // of events, with its filters
	Event        Kind = "event"
	Venue        Kind = "venue"
	Organization Kind = "organization"
	Region       Kind = "region"
)

// Target is a page.
type Target struct {
	Kind Kind
	ID   string // of the event, venue or organization; the three slugs of a region, separated by commas
	// Filter are the parameters of the events on the page.
	Filter url.Values
}

// lists are the paths of the pages that show a list of events.
var lists = []string{"", "/", "/month", "/map"}

// filters are the parameters by which the pages of Kind show events.
var filters = map[Kind]string{
	Event: "event_uuids", Venue: "venue_uuids", Organization: "org_uuids", Region: "geolist_region",
}

// Find returns the page below publicURL that an address names; ok is false when it names none.
func Find(publicURL, address string, today params.Day) (t Target, ok bool) {
	base, err := url.Parse(publicURL)
	if err != nil {
		return t, false
	}
	page, err := url.Parse(address)
	if err != nil || page.User != nil || (page.Scheme != "http" && page.Scheme != "https") ||
		value.Host(page.Host) != value.Host(base.Host) {
		return t, false
	}
	path, below := strings.CutPrefix(page.Path, strings.TrimRight(base.Path, "/"))
	if !below {
		return t, false
	}
	if slices.Contains(lists, path) {
		t.Filter, ok = filterOf(page.RawQuery, today)
		return t, ok
	}
	return entity(path)
}

// entity returns the page of an event, venue, organization or region.
func entity(path string) (t Target, ok bool) {
	kind, id, _ := strings.Cut(strings.Trim(path, "/"), "/")
	t.Kind = Kind(kind)
	name, known := filters[t.Kind]
	if !known {
		return t, false
	}
	if t.Kind == Region {
		t.ID = strings.ReplaceAll(id, ".", ",")
		ok = strings.Count(t.ID, ",") == 2
	} else {
		t.ID, ok = value.UUIDv7(id)
	}
	t.Filter = url.Values{name: {t.ID}}
	return t, ok
}

// passing are parameters of the search that only set the position in a list.
var passing = []string{"offset", "last_event_start_at", "last_event_date_uuid"}

// filterOf returns the event search's parameters from a page's query string; ok is false if they
// are invalid.
func filterOf(rawQuery string, today params.Day) (filter url.Values, ok bool) {
	all, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, false
	}
	filter = url.Values{}
	for name, values := range all {
		if slices.Contains(params.Events.Names(), name) && !slices.Contains(passing, name) {
			filter[name] = values
		}
	}
	_, err = params.Events.FromURL(filter.Encode(), today)
	return filter, err == nil
}

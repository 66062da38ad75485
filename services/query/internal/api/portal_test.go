package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/index/indextest"
)

// TestEventsOfAPortal: the search, its counts and its feeds take a portal, which other filters
// narrow.
func TestEventsOfAPortal(t *testing.T) {
	client := indextest.New(t)
	for name, documents := range catalogue() {
		for _, one := range documents {
			put(t, client, name, encode(t, one))
		}
	}
	s := newSite(t, client)
	all, nord, jazz := s.total(t, ""), s.total(t, "?city=Flensburg"), s.total(t, "?event_uuids="+eventJazz)
	if all == nord || nord == 0 || jazz == 0 || jazz == all {
		t.Fatalf("%v, %v and %v dates", all, nord, jazz)
	}
	for query, want := range map[string]any{
		"?portal=nord": nord, "?portal=jazz": jazz, "?portal=broken": 0.0, "?portal=nord&city=" + "S%C3%B8nderborg": 0.0,
		"?portal=nord&event_uuids=" + eventJazz: s.total(t, "?city=Flensburg&event_uuids="+eventJazz), "?portal=": all,
	} {
		if got := s.total(t, query); got != want {
			t.Errorf("%s: %v dates, want %v", query, got, want)
		}
	}
	for _, path := range []string{
		"/api/events", "/api/events/type-summary", "/api/events/week?week_start=2026-11-16", "/api/events/venue-summary",
		"/api/events/geojson", "/api/events.ics", "/api/events.rss", "/api/events/facets?by=city", "/api/venues", "/api/venues.geojson",
		"/api/organizations?search=a", "/api/suggest?q=jazz", "/api/changes",
	} {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		if answer, body := s.do(t, http.MethodGet, path+separator+"portal=nord", ""); answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
		answer, body := s.do(t, http.MethodGet, path+separator+"portal=unknown", "")
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"unknown_reference"`) {
			t.Errorf("%s of an unknown portal: %d %s", path, answer.StatusCode, body)
		}
	}
}

// total returns the number of dates that the search finds.
func (s site) total(t *testing.T, query string) any {
	t.Helper()
	var answer struct {
		Data struct {
			Total any `json:"total_event_count"`
		}
	}
	s.get(t, "/api/events/type-summary"+query, &answer)
	return answer.Data.Total
}

// TestPlacesAndSuggestionsOfAPortal: what the dates of a portal have is found in it, and nothing
// else.
func TestPlacesAndSuggestionsOfAPortal(t *testing.T) {
	client := indextest.New(t)
	for name, documents := range catalogue() {
		for _, one := range documents {
			put(t, client, name, encode(t, one))
		}
	}
	s := newSite(t, client)
	type found struct {
		Data struct {
			Venues        []struct{ UUID string }
			Organizations []struct{ UUID string }
			Suggestions   []struct{ Text string }
			Facets        map[string][]struct{ Value string }
		}
	}
	ask := func(path string) (answer found) {
		s.get(t, path, &answer)
		return answer
	}
	for _, portal := range []string{"nord", "jazz", "broken"} {
		of := ask("/api/events/facets?by=venue_uuids,org_uuids&portal=" + portal).Data.Facets
		venues, organizations := ask("/api/venues?limit=200&portal="+portal).Data.Venues, ask("/api/organizations?search=u&limit=200&portal="+portal).Data.Organizations
		if len(venues) != len(of["venue_uuids"]) {
			t.Errorf("%s has %v, found are %v", portal, of["venue_uuids"], venues)
		}
		for _, one := range venues {
			if !slices.ContainsFunc(of["venue_uuids"], func(f struct{ Value string }) bool { return f.Value == one.UUID }) {
				t.Errorf("%s has no venue %s", portal, one.UUID)
			}
		}
		for _, one := range organizations {
			if !slices.ContainsFunc(of["org_uuids"], func(f struct{ Value string }) bool { return f.Value == one.UUID }) {
				t.Errorf("%s has no organization %s", portal, one.UUID)
			}
		}
		if (len(organizations) > 0) != (portal == "jazz") {
			t.Errorf("%s has the organizations %v", portal, organizations)
		}
	}
	for path, some := range map[string]bool{"/api/suggest?q=jazz": true, "/api/suggest?q=jazz&portal=jazz": true, "/api/suggest?q=jazz&portal=broken": false} {
		if found := ask(path).Data.Suggestions; (len(found) > 0) != some {
			t.Errorf("%s: %v", path, found)
		}
	}
	if everywhere, here := ask("/api/venues").Data.Venues, ask("/api/venues?portal=jazz").Data.Venues; len(here) == 0 || len(here) >= len(everywhere) {
		t.Errorf("%d of %d venues", len(here), len(everywhere))
	}
}

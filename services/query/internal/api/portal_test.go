package api

import (
	"net/http"
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
		"/api/events/geojson", "/api/events.ics", "/api/events.rss", "/api/events/facets?by=city",
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

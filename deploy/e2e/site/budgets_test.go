package site

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
)

// The most bytes, by gzip, that visitors of the list load, and other websites for the widget.
const (
	mostHTML, mostStyles, mostScripts = 30_000, 15_000, 20_000
	mostMap, mostWidget               = 470_000, 6_500 // the map has MapLibre and its worker
	mostPlace                         = 1_000          // of an event before its map is seen
	mostRequests                      = 10             // without images
	// mostLongEvent is the most bytes of HTML of an event with 200 dates, which search engines read.
	mostLongEvent = 60_000
)

// testBudgets weighs what a browser loads that knows nothing of the site.
func (s *siteTest) testBudgets(t *testing.T) {
	list := s.loads(t, "/")
	for kind, most := range map[string]int{"document": mostHTML, "stylesheet": mostStyles, "script": mostScripts} {
		if got := harness.Weight(list, kind); got == 0 || got > most {
			t.Errorf("the list loads %d bytes of the type %s, at most %d", got, kind, most)
		}
	}
	requests := 0
	for _, request := range list {
		if request.Type != "image" {
			requests++
		}
	}
	if requests > mostRequests {
		t.Errorf("the list needs %d requests: %+v", requests, list)
	}
	chunk := s.chunk(t, list, "/map")
	if chunk == 0 || chunk > mostMap {
		t.Errorf("the map loads %d bytes of scripts and styles more than the list, at most %d", chunk, mostMap)
	}
	if chunk := s.chunk(t, list, "/event/"+serenade); chunk == 0 || chunk > mostPlace {
		t.Errorf("an event loads %d bytes of scripts and styles more than the list, at most %d", chunk, mostPlace)
	}
	s.wantLightWidget(t)
	s.wantLightDates(t)
}

// wantLightDates weighs the page of an event with 200 dates and a text of some length.
func (s *siteTest) wantLightDates(t *testing.T) {
	t.Helper()
	organizer := s.SignUp(t, "evenings@example.org")
	org := organizer.Write(t, http.MethodPut, "/organization", `{"name": "Abendverein"}`)["uuid"]
	venue := organizer.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Haubarg", "city": "Husum", "lat": 54.48, "lon": 9.05}`, org))["uuid"]
	dates := make([]string, 200)
	for n := range dates {
		dates[n] = fmt.Sprintf(`{"start_date": %q, "start_time": "20:00", "end_time": "22:00"}`, harness.Day(1+n))
	}
	event := organizer.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Zweihundert Abende",
		"description": %q, "event_types": [{"type_id": 1, "genre_id": 0}], "dates": [%s]}`,
		org, venue, strings.Repeat("Ein Abend mit Musik, Gesprächen und Wein. ", 60), strings.Join(dates, ",")))["uuid"]
	status, page := s.ask(t, "", fmt.Sprintf("/event/%s", event), s.released(t, organizer, fmt.Sprint(event), "released"))
	if status != http.StatusOK {
		t.Fatal(status)
	}
	if links := strings.Count(page, `?date=`); len(page) > mostLongEvent || links < len(dates) {
		t.Errorf("an event with %d dates has %d bytes and %d links to them, at most %d bytes", len(dates), len(page), links, mostLongEvent)
	}
	t.Logf("an event with %d dates has %d bytes of HTML", len(dates), len(page))
}

// wantLightWidget weighs the widget as it is sent, which other websites load.
func (s *siteTest) wantLightWidget(t *testing.T) {
	t.Helper()
	for _, encoding := range []string{"gzip", "zstd"} {
		answer, err := s.Client.Do(t.Context(), http.MethodGet, "/widget.v1.js", http.Header{"Accept-Encoding": {encoding}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := answer.Header.Get("Content-Encoding"); got != encoding || len(answer.Body) > mostWidget {
			t.Errorf("the widget has %d bytes in %q, at most %d in %s", len(answer.Body), got, mostWidget, encoding)
		}
	}
}

// loads returns the requests for a page.
func (s *siteTest) loads(t *testing.T, path string) []browser.Request {
	t.Helper()
	result := s.walk(t, "visit", true, map[string]any{"path": path})
	for _, request := range result.Requests {
		if !strings.HasPrefix(request.URL, s.URL()+"/") {
			t.Errorf("%s loads %s", path, request.URL)
		}
	}
	return result.Requests
}

// chunk returns how many bytes of scripts and styles a page loads that the list has not.
func (s *siteTest) chunk(t *testing.T, list []browser.Request, path string) (bytes int) {
	t.Helper()
	known := map[string]bool{}
	for _, request := range list {
		known[request.URL] = true
	}
	for _, request := range s.loads(t, path) {
		if !known[request.URL] && (request.Type == "script" || request.Type == "stylesheet") {
			bytes += request.Bytes
		}
	}
	return bytes
}

package page

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/publicapi"
)

// monday is the day of the tests.
var monday = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

// fakeAPI answers with what a test sets, and remembers what it was asked.
type fakeAPI struct {
	data map[string]any // by path; a string is the body of a list without envelope

	mu    sync.Mutex
	asked map[string]url.Values // the last parameters by path
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked[r.URL.Path] = r.URL.Query()
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	data, found := f.data[r.URL.Path]
	if failed, is := data.(failed); is {
		w.WriteHeader(failed.status)
		_, _ = io.WriteString(w, failed.body)
		return
	}
	if !found {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"there is nothing at this path","code":"not_found"}`)
		return
	}
	if list, bare := data.(string); bare {
		_, _ = io.WriteString(w, list)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func (f *fakeAPI) lastAsked(path string) url.Values {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked[path]
}

// failed is an answer that is an error.
type failed struct {
	status int
	body   string
}

// newSite returns the pages above an API that answers with data.
func newSite(t *testing.T, data map[string]any) (*fiber.App, *fakeAPI) {
	t.Helper()
	fake := &fakeAPI{data: data, asked: map[string]url.Values{}}
	return siteOver(t, fake, monday), fake
}

// get returns the status and the body of a page.
func get(t *testing.T, app *fiber.App, address string) (int, string) {
	t.Helper()
	status, _, body := ask(t, app, http.MethodGet, address, "")
	return status, body
}

// lacks fails for each text that a page has.
func lacks(t *testing.T, html string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(html, text) {
			t.Errorf("the page has %q", text)
		}
	}
}

// entry returns an entry of the search on a day.
func entry(title, day string) publicapi.Listed {
	return publicapi.Listed{DateCount: 1, Entry: publicapi.Entry{
		UUID: "01890000-0000-7000-8000-000000000001", DateUUID: "01890000-0000-7000-8000-0000000000d1", Title: title,
		StartDate: day, StartTime: "19:30", VenueName: "Kulturhof", VenueCity: "Flensburg", VenueStreet: "Hafen",
		VenueHouseNumber: "3", ReleaseStatus: "released", PriceType: "free",
	}}
}

// events are entries as the search answers with them.
func events(entries ...publicapi.Listed) publicapi.Events {
	found := publicapi.Events{Events: entries}
	if len(entries) > 0 {
		found.LastEventStartAt, found.LastEventDateUUID = "2026-11-24T19:30", "01890000-0000-7000-8000-0000000000d1"
	}
	return found
}

// counts are those of a small calendar.
func counts() publicapi.Facets {
	return publicapi.Facets{Total: 31, Facets: map[string][]publicapi.Facet{
		"city":          {{Value: "Kiel", Count: 20}, {Value: "Flensburg", Count: 11}},
		"categories":    {{Value: "1", Name: "Culture", Count: 25}, {Value: "3", Name: "Sports", Count: 6}},
		"event_types":   {{Value: "2", Name: "Concert", Count: 12}, {Value: "5", Name: "Theatre", Count: 4}},
		"genres":        {{Value: "21", Name: "Jazz", Count: 7}, {Value: "51", Name: "Comedy", Count: 3}},
		"price_type":    {{Value: "free", Count: 9}},
		"languages":     {{Value: "de", Name: "German", Count: 30}},
		"accessibility": {{Value: "0", Name: "Wheelchair accessible", Count: 8}},
	}}
}

// calendar is what the fake API answers for the list.
func calendar(found publicapi.Events) map[string]any {
	return map[string]any{
		"/api/events": found, "/api/events/facets": counts(),
		"/api/choosable-categories": `[{"id":1,"name":"Culture"},{"id":3,"name":"Sports"},{"id":6,"name":"Society"}]`,
		"/api/event/type-genre-lookup": map[string]publicapi.Types{"en": {Types: map[string]publicapi.Type{
			"2": {Name: "Concert", Genres: map[string]string{"21": "Jazz", "22": "Rock"}},
			"5": {Name: "Theatre", Genres: map[string]string{"51": "Comedy"}},
		}}},
	}
}

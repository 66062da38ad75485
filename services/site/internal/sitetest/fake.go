package sitetest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"litfass/pkg/contracts/publicapi"

	"github.com/gofiber/fiber/v2"
)

// Monday is the day of the tests.
var Monday = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

// FakeAPI answers with the data of a test, and records the requests.
type FakeAPI struct {
	data map[string]any // by path; a string is the body of a list without envelope

	mu      sync.Mutex
	queries map[string]url.Values // the last parameters by path
}

// ServeHTTP answers with the data of the path.
func (f *FakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.queries[r.URL.Path] = r.URL.Query()
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	data, found := f.data[r.URL.Path]
	if failed, is := data.(Failure); is {
		w.WriteHeader(failed.Status)
		_, _ = io.WriteString(w, failed.Body)
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

// LastQuery returns the last parameters of a path.
func (f *FakeAPI) LastQuery(path string) url.Values {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.queries[path]
}

// Failure is an answer that is an error.
type Failure struct {
	Status int
	Body   string
}

// New returns a site above an API that answers with data.
func New(t *testing.T, data map[string]any, mounts ...Mount) (*fiber.App, *FakeAPI) {
	t.Helper()
	fake := &FakeAPI{data: data, queries: map[string]url.Values{}}
	return Over(t, fake, Monday, mounts...), fake
}

// Entry returns an entry of the search on a day.
func Entry(title, day string) publicapi.Listed {
	return publicapi.Listed{DateCount: 1, Entry: publicapi.Entry{
		UUID: "01890000-0000-7000-8000-000000000001", DateUUID: "01890000-0000-7000-8000-0000000000d1", Title: title,
		StartDate: day, StartTime: "19:30", VenueName: "Kulturhof", VenueCity: "Flensburg", VenueStreet: "Hafen",
		VenueHouseNumber: "3", ReleaseStatus: "released", PriceType: "free",
	}}
}

// Events are entries as the search answers with them.
func Events(entries ...publicapi.Listed) publicapi.Events {
	found := publicapi.Events{Events: entries}
	if len(entries) > 0 {
		found.LastEventStartAt, found.LastEventDateUUID = "2026-11-24T19:30", "01890000-0000-7000-8000-0000000000d1"
	}
	return found
}

// Counts returns the counts of a small calendar.
func Counts() publicapi.Facets {
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

// Calendar is the data of the fake API for the list.
func Calendar(found publicapi.Events) map[string]any {
	return map[string]any{
		"/api/events": found, "/api/events/facets": Counts(),
		"/api/choosable-categories": `[{"id":1,"name":"Culture"},{"id":3,"name":"Sports"},{"id":6,"name":"Society"}]`,
		"/api/event/type-genre-lookup": map[string]publicapi.Types{"en": {Types: map[string]publicapi.Type{
			"2": {Name: "Concert", Genres: map[string]string{"21": "Jazz", "22": "Rock"}},
			"5": {Name: "Theatre", Genres: map[string]string{"51": "Comedy"}},
		}}},
	}
}

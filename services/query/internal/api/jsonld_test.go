package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// TestStructuredDataOfALongEvent: of 200 dates the next five, each with the properties that search
// engines require and recommend of an event, in plain text, and the way to the event.
func TestStructuredDataOfALongEvent(t *testing.T) {
	client, now := indextest.New(t), time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	long := jazz()
	long.Summary, long.Description = "", "## Programm\n\n*Jazz* & [Blues](https://band.example/)\n\n"+strings.Repeat("Wörter ", 1_000)
	long.Dates, long.Contributors = nil, nil
	for n := range 200 {
		day := now.AddDate(0, 0, n-100).Format(time.DateOnly)
		uuid := fmt.Sprintf("01930000-0000-7000-8000-%012d", n)
		long.Dates = append(long.Dates, publicapi.Date{UUID: uuid, Slug: day, StartDate: day, StartTime: "20:00", EndTime: "22:00", Place: long.Place, ReleaseStatus: "released"})
	}
	put(t, client, document.Events, encode(t, eventOf(long)))
	put(t, client, document.Dates, encode(t, dated{'a', "2026-11-23", "", "Jazz", nil}.document()))
	s := newSite(t, client, func(d *Deps) { d.Now = func() time.Time { return now } })

	response, body := s.do(t, "GET", "/api/event/"+eventJazz+".jsonld", "")
	var structured struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(body, &structured); err != nil || response.StatusCode != http.StatusOK || structured.Context != "https://schema.org" {
		t.Fatalf("answered %d: %v", response.StatusCode, err)
	}
	if len(structured.Graph) != datesForSearchEngines+1 || len(body) > 15_000 {
		t.Fatalf("%d items in %d bytes", len(structured.Graph), len(body))
	}
	for n, date := range structured.Graph[:datesForSearchEngines] {
		if date["@type"] != "MusicEvent" {
			t.Fatalf("item %d: %v", n, date)
		}
		// https://developers.google.com/search/docs/appearance/structured-data/event
		for _, required := range []string{"name", "startDate", "location"} {
			if date[required] == nil || date[required] == "" {
				t.Errorf("date %d lacks %s", n, required)
			}
		}
		for _, recommended := range []string{"description", "endDate", "eventStatus", "eventAttendanceMode", "image", "offers", "organizer"} {
			if date[recommended] == nil {
				t.Errorf("date %d lacks %s", n, recommended)
			}
		}
		for _, location := range date["location"].([]any) {
			place := location.(map[string]any)
			address, _ := place["address"].(map[string]any)
			if place["@type"] != "Place" || place["name"] == "" || address["addressLocality"] == nil || address["addressCountry"] == nil {
				t.Errorf("date %d is at %v", n, place)
			}
		}
		if start := date["startDate"].(string); start[:10] != now.AddDate(0, 0, n).Format(time.DateOnly) {
			t.Errorf("date %d starts at %s", n, start)
		}
		if text := date["description"].(string); strings.ContainsAny(text, "#*[]") || !strings.HasPrefix(text, "Programm\n\nJazz & Blues (https://band.example/)") || len([]rune(text)) > 500 {
			t.Errorf("the description is %q", text)
		}
	}
	way := structured.Graph[datesForSearchEngines]
	if items, _ := way["itemListElement"].([]any); way["@type"] != "BreadcrumbList" || len(items) != 3 {
		t.Errorf("the last item is %v", way)
	}
}

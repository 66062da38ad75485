package pagetest

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
)

// The uuids of an event, of its date, of two venues, and of a space in the first one.
const (
	Event = "0192f0a0-0000-7000-8000-0000000000e1"
	Other = "0192f0a0-0000-7000-8000-0000000000e2"
	Hall  = "0192f0a0-0000-7000-8000-0000000000f1"
	Club  = "0192f0a0-0000-7000-8000-0000000000f2"
	Stage = "0192f0a0-0000-7000-8000-0000000000f3"
)

// Hostile is a name that breaks a page which does not escape it.
const Hostile = `<script>alert(1)</script>" onload="x`

// EventAt returns an event at a venue; "" for none.
func EventAt(venue, name value.Text) adminapi.Event {
	e := adminapi.Event{PartOfEvent: adminapi.PartOfEvent{UUID: Event}}
	e.OrgUUID, e.Title, e.ReleaseStatus = Org, "Jazz", adminapi.StatusDraft
	e.VenueUUID, e.VenueName = venue, name
	e.Dates = []adminapi.Date{{UUID: Other, DateFields: adminapi.DateFields{StartDate: "2026-12-04", StartTime: "20:00"}}}
	return e
}

// foundVenues are the venues that the service knows.
func foundVenues() adminapi.FoundVenues {
	return adminapi.FoundVenues{Page: adminapi.Page{TotalCount: 2, Limit: 20}, Venues: []adminapi.FoundVenue{
		{
			UUID: Hall, Name: Hostile, OrgUUID: Org, OrgName: "Speicher", Own: true, Street: "Sandhafen", HouseNumber: "3",
			PostalCode: "24143", City: "Kiel", Lat: new(54.31), Lon: new(10.14), Distance: new(1234),
			Spaces: []adminapi.FoundSpace{{UUID: Stage, Name: "Stage " + Hostile, TotalCapacity: new(80)}},
		},
		{UUID: Club, Name: "Club", OrgUUID: Other, OrgName: "Others"},
	}}
}

// StartPlaces runs the pages over a service that knows an event and two venues.
func StartPlaces(t *testing.T, mount func(page.Router), e adminapi.Event) *Console {
	t.Helper()
	c := Start(t, mount)
	c.Answer("GET /api/admin/event/"+Event, http.StatusOK, e)
	c.Answer("GET /api/admin/venues", http.StatusOK, foundVenues())
	for _, list := range []string{
		"categories", "event-occasions", "price-types", "currencies", "languages", "link-types", "countries",
	} {
		c.Answer("GET /api/choosable-"+list, http.StatusOK, []publicapi.Item{})
	}
	c.Answer("GET /api/choosable-space-types", http.StatusOK, []publicapi.Item{{ID: "hall", Name: "Hall"}})
	c.Answer("GET /api/visitor-info/flags", http.StatusOK, []publicapi.Flag{})
	c.Answer("GET /api/event/type-genre-lookup", http.StatusOK, map[string]any{"data": map[string]publicapi.Types{}})
	c.Answer("GET /api/accessibility/flags", http.StatusOK, []publicapi.Flag{
		{ID: "0", Name: "Wheelchair accessible", TopicID: "1", TopicName: "Physical"}, {ID: "16", Name: "Hearing loop", TopicID: "3", TopicName: "Hearing"},
	})
	return c
}

// Base returns the digest that a form of a page sends.
func Base(t *testing.T, body, form string) string {
	t.Helper()
	_, after, there := strings.Cut(body, `id="`+form+`"`)
	match := regexp.MustCompile(`name="base" value="([^"]*)"`).FindStringSubmatch(after)
	if !there || match == nil {
		t.Fatalf("there is no form %s in %s", form, body)
	}
	return match[1]
}

// Safe fails for a page that lets the words of people through as markup.
func Safe(t *testing.T, body string) {
	t.Helper()
	if strings.Contains(body, "<script>alert") || strings.Contains(body, `" onload="x`) {
		t.Errorf("markup of people is on the page: %s", body)
	}
}

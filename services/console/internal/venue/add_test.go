package venue_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/venue"
)

const (
	event, other      = pagetest.Event, pagetest.Other
	hall, club, stage = pagetest.Hall, pagetest.Club, pagetest.Stage
	hostile           = pagetest.Hostile
)

var at, base, safe = pagetest.EventAt, pagetest.Base, pagetest.Safe

func start(t *testing.T, e adminapi.Event) *pagetest.Console {
	t.Helper()
	return pagetest.StartPlaces(t, func(r page.Router) { venue.Mount(r) }, e)
}

const newAddress = "/console/event/" + event + "/place/new"

func TestANewVenueIsComparedFirst(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("GET /api/admin/venue/similar", http.StatusOK, adminapi.SimilarVenues{Venues: []adminapi.SimilarVenue{
		{UUID: hall, Name: hostile, OrgName: "Speicher", City: "Kiel", Distance: pointer(42.0)},
	}})
	c.Answer("PUT /api/admin/venue", http.StatusCreated, adminapi.WrittenVenue{Venue: adminapi.Venue{UUID: other}})
	c.Answer("PUT /api/admin/event/"+event+"/place", http.StatusOK, adminapi.WrittenPlace{})
	form := url.Values{"org_uuid": {pagetest.Org}, "name": {"Speicher"}, "lat": {"54,31"}, "lon": {"10.14"}}
	got := c.Post(newAddress, form)
	safe(t, got.Body)
	for _, want := range []string{"Is it one of these?", "40 m away", `form="similar-` + hall + `"`, `value="Speicher"`, `value="54,31"`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %d %s", want, got.Status, got.Body)
		}
	}
	if calls := c.Calls("PUT /api/admin/venue"); len(calls) > 0 {
		t.Fatalf("stored %s", calls[0].Body)
	}
	form.Set("confirmed", strings.Join([]string{"Speicher", "54,31", "10.14", "", "", "", ""}, "\n"))
	got = c.Post(newAddress, form)
	if want := page.EventPath(event) + "?notice=venue_chosen#place"; got.Status != http.StatusSeeOther || got.Header.Get("Location") != want {
		t.Errorf("%d to %q, want %q", got.Status, got.Header.Get("Location"), want)
	}
	var sent struct {
		Name string
		Lat  float64
	}
	if err := json.Unmarshal(c.Calls("PUT /api/admin/venue")[0].Body, &sent); err != nil || sent.Name != "Speicher" || sent.Lat != 54.31 {
		t.Errorf("stored %+v, %v", sent, err)
	}
	if calls := c.Calls("PUT /api/admin/event/" + event + "/place"); len(calls) != 1 || !strings.Contains(string(calls[0].Body), other) {
		t.Errorf("chosen %v", calls)
	}
}

// TestANewVenueHasOpeningHours, and ids in registers: hours are read as they are typed, and
// explained if they cannot be.
func TestANewVenueHasOpeningHours(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("PUT /api/admin/venue", http.StatusCreated, adminapi.WrittenVenue{Venue: adminapi.Venue{UUID: other}})
	c.Answer("PUT /api/admin/event/"+event+"/place", http.StatusOK, adminapi.WrittenPlace{})
	form := url.Values{"org_uuid": {pagetest.Org}, "name": {"Museum"}, "hours_tue": {"10 or so"}}
	if got := c.Post(newAddress, form); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `href="#hours_tue"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	form.Set("confirmed", "Museum\n\n\n\n\n\n") // no other one
	form.Set("hours_tue", "10–18")
	form.Set("hours_closed", "24.12.2026")
	form.Set("wikidata_id", "Q64")
	got := c.Post(newAddress, form)
	const want = `"hours":{"weekly":[{"day":"tue","from":"10:00","to":"18:00"}],"closed":[{"from":"2026-12-24","to":"2026-12-24","note":null}],"special":[]}`
	if calls := c.Calls("PUT /api/admin/venue"); len(calls) != 1 || !strings.Contains(string(calls[0].Body), want) ||
		!strings.Contains(string(calls[0].Body), `"osm_id":null`) || !strings.Contains(string(calls[0].Body), `"wikidata_id":"Q64"`) {
		t.Errorf("%d stored %v: %s", got.Status, calls, got.Body)
	}
}

// TestAChangedVenueIsComparedAgain: what was confirmed of another name or place does not count.
func TestAChangedVenueIsComparedAgain(t *testing.T) {
	c := start(t, at("", ""))
	form := url.Values{"org_uuid": {pagetest.Org}, "name": {"Club"}, "confirmed": {"Speicher\n\n\n\n"}}
	if got := c.Post(newAddress, form); !strings.Contains(got.Body, "Is it one of these?") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestWhatIsWrongWithANewVenue(t *testing.T) {
	c := start(t, at("", ""))
	got := c.Post(newAddress, url.Values{"name": {" "}, "street": {hostile}, "lat": {"999"}, "lon": {"9"}})
	safe(t, got.Body)
	for _, want := range []string{`id="problems"`, "Please fill this in", "Latitude is a number", `value="999"`, "2 fields"} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %d %s", want, got.Status, got.Body)
		}
	}
}

func TestThePositionOfANeighbourIsTaken(t *testing.T) {
	c := start(t, at("", ""))
	got := c.Post(newAddress, url.Values{"name": {"Hall"}, "like": {"54.31 10.14"}, "look": {"1"}})
	if got.Status != http.StatusOK || !strings.Contains(got.Body, `name="lat" type="text" value="54.31"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	part := c.Get("/console/position?city=Kiel&lat=54.31&lon=10.14", pagetest.Script...)
	safe(t, part.Body)
	if !strings.HasPrefix(part.Body, `<svg id="position-map"`) || !strings.Contains(part.Body, "data-here transform=") {
		t.Errorf("a script gets %s", part.Body)
	}
	if strings.Contains(part.Body, `name="lat"`) {
		t.Error("the map around an address comes with the fields of the position, in which people may be typing")
	}
}

func TestANewVenueIsInTheCountryOfItsOrganization(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("GET /api/admin/organization/"+pagetest.Org, http.StatusOK, adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{Country: "DNK"}})
	if body := c.Get(newAddress).Body; !strings.Contains(body, `<option value="DNK" selected`) {
		t.Errorf("another country is chosen: %s", body)
	}
	if body := c.Post(newAddress, url.Values{"country": {""}}).Body; strings.Contains(body, `<option value="DNK" selected`) {
		t.Error("a country that was taken back is chosen again")
	}
}

// TestANewVenueOverwritesNoChoice: another person chose a venue while the new one was written.
func TestANewVenueOverwritesNoChoice(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("GET /api/admin/venues", http.StatusOK, adminapi.FoundVenues{})
	c.Answer("PUT /api/admin/venue", http.StatusCreated, adminapi.WrittenVenue{Venue: adminapi.Venue{UUID: other}})
	form := url.Values{"org_uuid": {pagetest.Org}, "name": {"Speicher"}, "base": {base(t, c.Get(newAddress).Body, "venue-new")}}
	c.Answer("GET /api/admin/event/"+event, http.StatusOK, at(hall, "Hall"))
	got := c.Post(newAddress, form)
	if want := page.EventPath(event) + "?notice=venue_not_chosen#place"; got.Header.Get("Location") != want {
		t.Errorf("%d to %q, want %q", got.Status, got.Header.Get("Location"), want)
	}
	if calls := c.Calls("PUT /api/admin/event/" + event + "/place"); len(calls) > 0 {
		t.Errorf("stored %s", calls[0].Body)
	}
}

func pointer[T any](v T) *T { return &v }

func TestPositionsAreProposed(t *testing.T) {
	c := start(t, at("", ""))
	house := adminapi.Position{Street: hostile, HouseNumber: "22", City: "Kiel", Lat: 54.3233, Lon: 10.1394, Precision: adminapi.PreciseAddress}
	town := adminapi.Position{Name: "Kiel", City: "Kiel", Lat: 54.32, Lon: 10.13, Precision: adminapi.PreciseTown}
	c.Answer("GET /api/admin/positions", http.StatusOK, adminapi.Positions{
		Positions: []adminapi.Position{house, town}, Credits: []string{"GeoNames"},
	})
	form := url.Values{"name": {"Hall"}, "street": {"Haßstraße"}, "city": {"Kiel"}, "look": {"1"}}
	got := c.Post(newAddress, form)
	safe(t, got.Body)
	for _, want := range []string{`value="54.3233 10.1394" checked`, `value="54.32 10.13"`, "the middle of the town", "Positions: GeoNames"} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %s", want, got.Body)
		}
	}
	if calls := c.Calls("GET /api/admin/positions"); len(calls) != 1 || calls[0].Query.Get("street") != "Haßstraße" || calls[0].Query.Get("city") != "Kiel" {
		t.Errorf("asked for %+v", calls)
	}
	form.Set("lat", "54.5, 9.5") // as maps copy a position
	got = c.Post(newAddress, form)
	if !strings.Contains(got.Body, `value="54.5"`) || !strings.Contains(got.Body, `value="9.5"`) || strings.Contains(got.Body, `10.1394" checked`) {
		t.Errorf("a pair of coordinates: %s", got.Body)
	}
}

func TestTownsAreCompleted(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("GET /api/admin/towns", http.StatusOK, adminapi.Positions{Positions: []adminapi.Position{{Name: hostile, Country: "DEU"}}})
	got := c.Get("/console/towns?city=Ki&country=DEU", pagetest.Script...)
	safe(t, got.Body)
	if !strings.HasPrefix(got.Body, `<datalist id="towns"><option value="`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := c.Get("/console/towns?city=+", pagetest.Script...); got.Body != `<datalist id="towns"></datalist>` || len(c.Calls("GET /api/admin/towns")) != 1 {
		t.Errorf("of nothing: %s", got.Body)
	}
}

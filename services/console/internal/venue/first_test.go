package venue_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/venue"
)

const firstPath = "/console/first/place"

// startFirst knows the town of the organization, and the positions of its hall and its middle.
func startFirst(t *testing.T) *pagetest.Console {
	t.Helper()
	c := start(t, at("", ""))
	c.Answer("GET /api/admin/organization/"+pagetest.Org, http.StatusOK, adminapi.Organization{
		OrganizationFields: adminapi.OrganizationFields{City: "Kiel", Country: "DEU"},
	})
	c.Answer("GET /api/admin/positions", http.StatusOK, adminapi.Positions{Positions: []adminapi.Position{
		{Street: hostile, HouseNumber: "3", City: "Kiel", Lat: 54.31, Lon: 10.14, Precision: adminapi.PreciseAddress},
		{City: "Kiel", Lat: 54.32, Lon: 10.13, Precision: adminapi.PreciseTown},
	}, Credits: []string{"GeoNames"}})
	c.Answer("PUT /api/admin/venue", http.StatusCreated, map[string]any{"uuid": other})
	return c
}

// TestTheFirstPlaceLeadsToTheFirstEvent: the second of the three steps adds a venue in the town of
// the organization at a proposed position, for people who may.
func TestTheFirstPlaceLeadsToTheFirstEvent(t *testing.T) {
	c := startFirst(t)
	got := c.Get(firstPath + "?organization=" + pagetest.Org)
	safe(t, got.Body)
	for _, want := range []string{
		`aria-current="step"`, `value="Kiel"`, `hx-get="/console/towns"`, `value="54.31 10.14" checked`, "Positions: GeoNames",
		strings.ReplaceAll(venue.FirstEventPath(pagetest.Org, ""), "&", "&amp;"),
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the form has no %s: %s", want, got.Body)
		}
	}
	part := c.Get("/console/first/positions?city=Kiel", pagetest.Script...)
	if !strings.HasPrefix(part.Body, `<div id="position-likes">`) || !strings.Contains(part.Body, `value="54.32 10.13"`) {
		t.Errorf("a script gets %s", part.Body)
	}
	form := url.Values{"org_uuid": {pagetest.Org}, "city": {"Kiel"}, "like": {"54.32 10.13"}}
	got = c.Post(firstPath, form)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `href="#name"`) || !strings.Contains(got.Body, `value="54.32 10.13" checked`) {
		t.Errorf("without a name: %d %s", got.Status, got.Body)
	}
	c.Answer("GET /api/admin/venues", http.StatusOK, adminapi.FoundVenues{})
	form.Set("name", hostile)
	got = c.Post(firstPath, form)
	if want := venue.FirstEventPath(pagetest.Org, other); !strings.HasPrefix(got.Header.Get("Location"), want) {
		t.Errorf("%d to %q, want %q", got.Status, got.Header.Get("Location"), want)
	}
	var sent adminapi.Venue
	if err := json.Unmarshal(c.Calls("PUT /api/admin/venue")[0].Body, &sent); err != nil || *sent.Lat != 54.32 || *sent.Lon != 10.13 || sent.City != "Kiel" {
		t.Errorf("stored %+v, %v", sent, err)
	}
	c.Answer("GET /api/admin/user/attention", http.StatusOK, adminapi.Attention{}) // no administrator
	viewer, _ := permission.Of(permission.Viewer)
	c.Member(viewer)
	for _, got := range []pagetest.Answer{c.Get(firstPath + "?organization=" + pagetest.Org), c.Post(firstPath, form), c.Get(firstPath)} {
		if got.Status != http.StatusForbidden && got.Status != http.StatusNotFound {
			t.Errorf("a viewer: %d", got.Status)
		}
	}
}

// TestTheFirstPlaceIsComparedWithOthers: a newcomer takes the venue of another organization with
// one click, unless its owner is asked first, and adds none twice by accident.
func TestTheFirstPlaceIsComparedWithOthers(t *testing.T) {
	c := startFirst(t)
	found := adminapi.FoundVenue{UUID: club, Name: hostile, OrgUUID: other, OrgName: "Others", City: "Kiel"}
	form := url.Values{"org_uuid": {pagetest.Org}, "name": {"Club"}, "city": {"Kiel"}, "like": {"54.32 10.13"}}
	post := func() string {
		c.Answer("GET /api/admin/venues", http.StatusOK, adminapi.FoundVenues{Venues: []adminapi.FoundVenue{found}})
		got := c.Post(firstPath, form)
		safe(t, got.Body)
		if got.Status != http.StatusConflict || len(c.Calls("PUT /api/admin/venue")) > 0 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		return got.Body
	}
	choose := strings.ReplaceAll(venue.FirstEventPath(pagetest.Org, club), "&", "&amp;")
	for _, want := range []string{"Is it one of these?", `href="` + choose + `"`, `value="54.32 10.13" checked`} {
		if body := post(); !strings.Contains(body, want) {
			t.Errorf("%q is missing in %s", want, body)
		}
	}
	found.Asks = true
	if body := post(); strings.Contains(body, choose) || !strings.Contains(body, "which decides on requests") {
		t.Errorf("the owner decides, but the page says %s", body)
	}
	form.Set("confirmed", strings.Join([]string{"Club", "54.32", "10.13", "", "", "", "Kiel"}, "\n"))
	if got := c.Post(firstPath, form); got.Status != http.StatusSeeOther {
		t.Errorf("another venue: %d %s", got.Status, got.Body)
	}
}

// TestASimilarVenueIsAskedFor: on the way to a new venue for an event, one whose owner decides
// leads to its request, and one of another organization to the page that visitors see.
func TestASimilarVenueIsAskedFor(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("GET /api/admin/venues", http.StatusOK, adminapi.FoundVenues{Venues: []adminapi.FoundVenue{
		{UUID: club, Name: "Club & Bar", OrgUUID: other, OrgName: "Others", Asks: true},
	}})
	form := url.Values{"org_uuid": {pagetest.Org}, "name": {"Club"}}
	if body := c.Post(newAddress, form).Body; !strings.Contains(body, `href="`+page.EventPath(event)+`/place?search=Club+%26+Bar"`) {
		t.Errorf("the request is not offered: %s", body)
	}
	if body := c.Post("/console/organization/"+pagetest.Org+"/venues/new", form).Body; !strings.Contains(body, `href="/venue/`+club+`"`) {
		t.Errorf("the venue is not shown: %s", body)
	}
}

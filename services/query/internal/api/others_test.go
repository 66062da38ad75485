package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

func TestOtherOperations(t *testing.T) {
	client := seeded(t)
	s := newSite(t, client, dumped(t))
	t.Run("small catalogue", func(t *testing.T) { askSmallCatalogue(t, s) })
	t.Run("after a change", func(t *testing.T) { askAfterAChange(t, s, client) })
}

func askSmallCatalogue(t *testing.T, s site) {
	for name, test := range map[string]func(*testing.T, site){
		"venues":        testVenues,
		"venue":         testVenue,
		"organizations": testOrganizations,
		"event":         testEvent,
		"event date":    testEventDate,
		"lookup":        testTypeGenreLookup,
		"aliases":       testAliases,
		"geolist":       testGeolist,
		"choosable":     testChoosable,
		"flags":         testFlags,
		"caching":       testCaching,
		"bad input":     testBadInput,
		"not found":     testNotFound,
		"reports":       testReports,
		"suggest":       testSuggest,
		"languages":     testLanguages,
		"feeds":         testFeedsInLanguages,
		"series":        testSeriesInLanguages,
		"discovery":     testDiscovery,
		"description":   testDescription,
		"names counted": testCountedIdsAreNamed,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t, s) })
	}
}

func testVenues(t *testing.T, s site) {
	for _, test := range []struct {
		query string
		want  []string
		total int
	}{
		{"", []string{venueAttic, venueBar, venueOpen, venueHall}, 4}, // by name without case, then uuid; none that is gone
		{"limit=2", []string{venueAttic, venueBar}, 4},
		{"limit=2&offset=2", []string{venueOpen, venueHall}, 4},
		{"offset=10", nil, 4},
		{"name=BAR+1", []string{venueBar, venueOpen}, 2},
		{"name=*Halle*", []string{venueHall}, 1},
		{"name=" + url.QueryEscape(`*& "Söhne"`), []string{venueHall}, 1},
		{"name=gro%C3%9Fe*", []string{venueHall}, 1},
		{"name=bar", nil, 0},
		{"name=" + url.QueryEscape(`" OR gone = true OR name_key = "`), nil, 0},
		{"city=flensburg", []string{venueBar, venueHall}, 2},
		{"city=s%C3%B8nder*", []string{venueAttic}, 1},
		{"city=*", []string{venueAttic, venueBar, venueHall}, 3},
		{"postal_code=249*", []string{venueBar, venueHall}, 2},
		{"postal_code=*39", []string{venueBar}, 1},
		{"countries=dnk", []string{venueAttic}, 1},
		{"countries=DNK,DEU", []string{venueAttic, venueBar, venueHall}, 3},
		{"org_uuids=" + orgSued, []string{venueAttic, venueOpen}, 2},
		{"org_uuids=" + strings.ToUpper(orgSued) + "," + orgNord, []string{venueAttic, venueBar, venueOpen, venueHall}, 4},
		{"venue_uuids=" + venueBar + "," + venueGone + "," + unknown, []string{venueBar}, 1},
		{"accessibility=0,47", []string{venueHall}, 1},
		{"accessibility=1", nil, 0},
		{"lat=54.79&lon=9.43&radius=0", []string{venueHall}, 1},
		{"lat=54.79&lon=9.43&radius=1500", []string{venueBar, venueHall}, 2},
		{"lat=54.79&lon=9.43", []string{venueAttic, venueBar, venueOpen, venueHall}, 4}, // incomplete: no filter
		{"geolist_region=deu,sh,flensburg", []string{venueBar, venueHall}, 2},
		{"geolist_region=deu,sh,angeln", nil, 0},
		{"geolist_region=deu,sh,atlantis", nil, 0},
		{"geolist_region=deu,sh,flensburg&name=*1", []string{venueBar}, 1},
	} {
		var got enveloped[struct {
			Venues []publicapi.Venue
			Total  int
		}]
		s.get(t, "/api/venues?"+test.query, &got)
		var uuids []string
		for _, venue := range got.Data.Venues {
			uuids = append(uuids, venue.UUID)
		}
		if !slices.Equal(uuids, test.want) || got.Data.Total != test.total || got.Data.Venues == nil {
			t.Errorf("%s: got %v of %d, want %v of %d", test.query, uuids, got.Data.Total, test.want, test.total)
		}
		if got.ResponseType != "get-venues" {
			t.Errorf("response type %q", got.ResponseType)
		}
	}
}

func testVenue(t *testing.T, s site) {
	var got enveloped[publicapi.Venue]
	for _, path := range []string{"/api/venue/" + venueHall, "/api/venue/" + strings.ToUpper(venueHall) + "/?lang=de"} {
		s.get(t, path, &got)
		if !reflect.DeepEqual(got.Data, hall()) || got.ResponseType != "get-venue" {
			t.Errorf("%s: got %+v", path, got)
		}
	}
	response, body := s.do(t, "GET", "/api/venue/"+venueHall, "")
	if !strings.Contains(string(body), `Große <b>Halle</b> & \"Söhne\"`) || response.Header.Get("Content-Type") != "application/json" ||
		response.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("markup in a name must be plain JSON text: %v %s", response.Header, body)
	}
}

func testOrganizations(t *testing.T, s site) {
	var one enveloped[publicapi.Organization]
	s.get(t, "/api/organization/"+orgNord, &one)
	if one.Data.Name != "Kulturhaus Nord" || one.Data.LegalForm != "registered_association" {
		t.Errorf("got %+v", one.Data)
	}
	for search, want := range map[string][]string{
		"nord": {orgNord}, "HAUS NO": {orgNord}, `"süd" 100%`: {orgSued}, "r": {orgNord, orgSued}, "*": nil, "verein.example": nil,
		"secretary@verein.example": nil, `" OR gone = true OR name_key CONTAINS "`: nil,
	} {
		var got enveloped[struct {
			Organizations []publicapi.Organization
			Total         int
		}]
		s.get(t, "/api/organizations?search="+url.QueryEscape(search), &got)
		var uuids []string
		for _, organization := range got.Data.Organizations {
			uuids = append(uuids, organization.UUID)
		}
		slices.Sort(uuids)
		if !slices.Equal(uuids, want) || got.Data.Total != len(want) || got.Data.Organizations == nil {
			t.Errorf("%s: got %v of %d, want %v", search, uuids, got.Data.Total, want)
		}
	}
	var page enveloped[struct {
		Organizations []publicapi.Organization
		Total         int
	}]
	s.get(t, "/api/organizations?search=r&limit=1&offset=1", &page)
	if len(page.Data.Organizations) != 1 || page.Data.Total != 2 {
		t.Errorf("second page: %+v", page.Data)
	}
}

type namedType struct {
	TypeID    int    `json:"type_id"`
	TypeName  string `json:"type_name"`
	GenreID   int    `json:"genre_id"`
	GenreName string `json:"genre_name"`
}

func testEvent(t *testing.T, s site) {
	for lang, names := range map[string][]string{"de": {"Konzert", "Jazz", "Party", ""}, "xx": {"Concert", "Jazz", "Party", ""}, "": {"Concert", "Jazz", "Party", ""}} {
		var got enveloped[struct {
			publicapi.Event
			EventTypes []namedType `json:"event_types"`
		}]
		s.get(t, "/api/event/"+eventJazz+"?lang="+lang, &got)
		want := []namedType{{1, names[0], 1003, names[1]}, {3, names[2], 0, names[3]}}
		if !slices.Equal(got.Data.EventTypes, want) {
			t.Errorf("%q: types %+v, want %+v", lang, got.Data.EventTypes, want)
		}
		view := jazz()
		view.EventTypes = nil // decoded into the outer field
		if !reflect.DeepEqual(got.Data.Event, view) || got.ResponseType != "get-event" {
			t.Errorf("%q: got %+v", lang, got.Data.Event)
		}
	}
	var empty enveloped[map[string]any]
	s.get(t, "/api/event/"+eventFair, &empty)
	for _, key := range []string{"event_types", "event_links", "images", "tags", "languages", "categories", "ticket_flags"} {
		if list, ok := empty.Data[key].([]any); !ok || len(list) != 0 {
			t.Errorf("%s is %v, want an empty list", key, empty.Data[key])
		}
	}
	for _, key := range []string{"venue_uuid", "min_age", "visitor_info_flags", "image_path"} {
		if absent, ok := empty.Data[key]; !ok || absent != nil {
			t.Errorf("%s is %v, want null", key, absent)
		}
	}
	if currency := empty.Data["currency"]; currency != "" {
		t.Errorf("the currency is %v, want none, as in entries", currency)
	}
}

func testEventDate(t *testing.T, s site) {
	all := jazz().Dates
	for named, at := range map[string]int{
		jazzFirst: 0, strings.ToUpper(jazzSecond): 1, "2026-11-20-1930": 0, "2026-11-20-1930-2": 1, "2026-11-27-2000": 2,
	} {
		var got enveloped[struct {
			Title        string
			EventTypes   []namedType `json:"event_types"`
			Dates        *json.RawMessage
			Date         publicapi.Date
			FurtherDates []publicapi.Date `json:"further_dates"`
		}]
		s.get(t, "/api/event/"+eventJazz+"/date/"+named+"/?lang=de", &got)
		further := slices.Delete(slices.Clone(all), at, at+1)
		if !reflect.DeepEqual(got.Data.Date, all[at]) || !reflect.DeepEqual(got.Data.FurtherDates, further) {
			t.Errorf("%s: date %+v, further %+v", named, got.Data.Date, got.Data.FurtherDates)
		}
		if got.Data.Title != jazz().Title || got.Data.EventTypes[0].TypeName != "Konzert" || got.Data.Dates != nil {
			t.Errorf("%s: got %+v", named, got.Data)
		}
	}
	_, body := s.do(t, "GET", "/api/event/"+eventFair+"/date/2028-02-29", "")
	if !strings.Contains(string(body), `"further_dates":[]`) {
		t.Errorf("an only date: %s", body)
	}
}

func testBadInput(t *testing.T, s site) {
	long := strings.Repeat("x", 20_000)
	for path, fields := range map[string]string{
		"/api/venues?nmae=x": "nmae",
		"/api/venues?limit=0&offset=-1&countries=D&lon=181": "limit offset countries lon",
		"/api/venues?venue_uuids=" + version4:               "venue_uuids",
		"/api/venues?name=" + long:                          "name",
		"/api/venues?name=%ff":                              "name",
		"/api/venues?search=x":                              "search",
		"/api/venue/" + version4:                            "uuid",
		"/api/venue/" + version4 + "?land=de":               "uuid land",
		"/api/venue/1":                                      "uuid",
		"/api/venue/" + long:                                "uuid",
		"/api/venue/%ff%00":                                 "uuid",
		"/api/venue/%2e%2e%2fkeys":                          "uuid",
		"/api/event/'%20OR%201=1--":                         "uuid",
		"/api/event/" + eventJazz + "?lang=%ff":             "lang",
		"/api/event/" + eventJazz + "/date/" + version4:     "date",
		"/api/event/x/date/y?z=1":                           "date uuid z",
		"/api/organizations":                                "search",
		"/api/organizations?search=" + long:                 "search",
		"/api/organization/x":                               "uuid",
		"/api/event/type-genre-lookup?lang=,":               "lang",
		"/api/geolist/regions?region=x":                     "region",
		"/api/choosable-states?country=D'":                  "country",
		"/api/choosable-event-genres?event_type=1.5":        "event_type",
		"/api/choosable-event-genres/event-type/one":        "id",
		"/api/choosable-venues/organization/" + version4:    "uuid",
		"/api/choosable-spaces/venue/x?lang=de&lang=en":     "uuid lang",
		"/api/accessibility/flags?lang=" + long:             "lang",
	} {
		response, body := s.do(t, "GET", path, "")
		var got enveloped[any]
		if err := json.Unmarshal(body, &got); err != nil {
			t.Errorf("%.80s: %v in %.200s", path, err, body)
			continue
		}
		var named []string
		for _, detail := range got.Details {
			if detail.Code == "" || detail.Params == nil {
				t.Errorf("%.80s: %+v has no code or no parameters", path, detail)
			}
			named = append(named, detail.Field)
		}
		slices.Sort(named)
		want := strings.Fields(fields)
		slices.Sort(want)
		if response.StatusCode != http.StatusBadRequest || !slices.Equal(named, want) {
			t.Errorf("%.80s: got %d %.300s, want 400 naming %v", path, response.StatusCode, body, want)
		}
	}
}

func testNotFound(t *testing.T, s site) {
	for _, path := range []string{
		"/api/venue/" + unknown, "/api/venue/" + venueGone, "/api/event/" + unknown, "/api/event/" + eventGone,
		"/api/organization/" + unknown, "/api/organization/" + orgGone, "/api/event/" + eventJazz + "/date/" + unknown,
		"/api/event/" + eventJazz + "/date/" + fairDay, "/api/event/" + eventJazz + "/date/2026-11-20", "/api/event/" + unknown + "/date/" + jazzFirst,
		"/api/choosable-venues/organization/" + orgGone, "/api/choosable-spaces/venue/" + unknown, "/api/choosable-event-genres/event-type/99",
		"/api/choosable-nonsense", "/api/geolist", "/api",
	} {
		response, body := s.do(t, "GET", path, "")
		var got enveloped[any]
		if err := json.Unmarshal(body, &got); err != nil || response.StatusCode != http.StatusNotFound || got.Code != "not_found" {
			t.Errorf("%s: got %d %s", path, response.StatusCode, body)
		}
	}
}

func TestOtherOperationsWithoutAnEngine(t *testing.T) {
	d := describe(t)
	for name, config := range map[string]index.Config{
		"down":      {URL: "http://127.0.0.1:9", Key: "key"}, // the discard port: nothing listens
		"not ready": indextest.Config(t),                     // no index of this prefix exists
	} {
		s := newSite(t, index.Connect(config))
		for _, e := range examples() {
			asksNone := slices.Contains([]string{"/api/validate", "/api/changes", "/api/catalog.jsonld", "/api/dumps/{file}"}, e.path)
			if asksNone || e.status != http.StatusOK && e.status != http.StatusAccepted {
				continue
			}
			response, body := s.ask(t, e)
			if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %s %s: got %d %s, want 503 with Retry-After", name, e.method, e.address, response.StatusCode, body)
			} else if err := d.Check(e.method, e.path, response.StatusCode, body); err != nil {
				t.Errorf("%s: %s %s: %v in %s", name, e.method, e.address, err, body)
			}
		}
	}
}

// askAfterAChange shows that cached lists follow the index.
func askAfterAChange(t *testing.T, s site, client *index.Client) {
	var before []struct{ ID string }
	s.get(t, "/api/choosable-venues", &before)
	put(t, client, document.Venues, encode(t, venueOf(publicapi.Venue{UUID: unknown, Name: "New", Spaces: []publicapi.Space{}})))
	for after := before; len(after) != len(before)+1; time.Sleep(20 * time.Millisecond) { // renewed within a second
		s.get(t, "/api/choosable-venues", &after)
	}
}

package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
	"litfass/pkg/chassis/index"
	"litfass/services/query/internal/api/openapi"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/params"
)

func describe(t *testing.T) apidocstest.Description {
	t.Helper()
	return apidocstest.Describe(t, openapi.JSON())
}

// example is a request whose answer must conform to the description.
type example struct {
	method, path string // as the description names it
	address      string
	body         string
	status       int
	header       []string
	sent         string // the method, if it differs
}

func get(path string, status int, address string) example {
	return example{method: "GET", path: path, address: address, status: status}
}

func post(path string, status int, body, contentType string) example {
	return example{method: "POST", path: path, address: path, status: status, body: body, header: []string{"Content-Type", contentType}}
}

func unchanged(path, address string) example {
	e := get(path, 304, address)
	e.header = []string{"If-None-Match", "*"}
	return e
}

// examples are requests that bring about every described answer of every operation, but for 429 and
// 503.
func examples() []example {
	all := []example{
		get("/api/events", 200, "/api/events"),
		get("/api/events", 200, "/api/events/?search=jazz&start=2026-11-01&limit=1"),
		get("/api/events", 200, "/api/events?title=nothing"),
		get("/api/events", 400, "/api/events?genres=1&event_types=1&limit=0&serach=x"),
		get("/api/events/type-summary", 200, "/api/events/type-summary/"),
		get("/api/events/type-summary", 400, "/api/events/type-summary?age=x"),
		get("/api/events", 200, "/api/events?group=event"),
		get("/api/events/facets", 200, "/api/events/facets?by="+strings.Join(params.Dimensions, ",")),
		get("/api/events/facets", 400, "/api/events/facets?by=colour"),
		unchanged("/api/events/facets", "/api/events/facets?by=city"),
		post("/api/events/facets", 200, `{"by":["city","day"],"on":"2026-11-20"}`, "application/json"),
		post("/api/events/facets", 400, `{}`, "application/json"),
		post("/api/events/facets", 413, strings.Repeat(" ", 2<<20), "application/json"),
		post("/api/events/facets", 415, `{}`, "text/plain"),
		get("/api/event/type-genre-lookup", 200, "/api/event/type-genre-lookup"),
		get("/api/event/type-genre-lookup", 400, "/api/event/type-genre-lookup?lang=,"),
		get("/api/event/{uuid}", 200, "/api/event/"+eventJazz+"?lang=de"),
		get("/api/event/{uuid}", 200, "/api/event/"+eventFair),
		get("/api/event/{uuid}", 400, "/api/event/"+version4),
		get("/api/event/{uuid}", 404, "/api/event/"+eventGone),
		get("/api/event/{uuid}/date/{date}", 200, "/api/event/"+eventJazz+"/date/"+jazzThird),
		get("/api/event/{uuid}/date/{date}", 200, "/api/event/"+eventFair+"/date/2028-02-29"),
		get("/api/event/{uuid}/date/{date}", 400, "/api/event/"+eventJazz+"/date/today"),
		get("/api/event/{uuid}/date/{date}", 404, "/api/event/"+eventJazz+"/date/2028-02-29"),
		get("/api/image/{uuid}", 200, "/api/image/"+jazzImage+"?width=160"),
		get("/api/image/{uuid}", 400, "/api/image/1"),
		get("/api/image/{uuid}", 404, "/api/image/"+unknown),
		get("/api/image/{uuid}/{version}", 200, jazzVersion),
		get("/api/image/{uuid}/{version}", 400, jazzVersion+"?x=1"),
		get("/api/image/{uuid}/{version}", 404, "/api/image/"+unknown+"/50-50"),
		get("/api/venues", 200, "/api/venues"),
		get("/api/venues", 200, "/api/venues?geolist_region=a,b,c"),
		get("/api/venues", 400, "/api/venues?radius=-1"),
		get("/api/suggest", 200, "/api/suggest?q=online&limit=20"),
		get("/api/suggest", 200, "/api/suggest/?q=nothing+at+all"),
		get("/api/suggest", 400, "/api/suggest?limit=21"),
		get("/api/changes", 200, "/api/changes"),
		get("/api/changes", 200, "/api/changes?kind=venues&name=*&after="+positionAt(7)),
		get("/api/changes", 200, "/api/changes?kind=events&after="+positionAt(8)),
		get("/api/changes", 400, "/api/changes?search=jazz&after=1&kind=all"),
		get("/api/changes", 410, "/api/changes?after="+positionAt(6)),
		get("/api/venue/{uuid}", 200, "/api/venue/"+venueHall),
		get("/api/venue/{uuid}", 200, "/api/venue/"+venueOpen),
		get("/api/venue/{uuid}", 400, "/api/venue/1"),
		get("/api/venue/{uuid}", 404, "/api/venue/"+unknown),
		get("/api/organizations", 200, "/api/organizations?search=nord"),
		get("/api/organizations", 400, "/api/organizations"),
		get("/api/organization/{uuid}", 200, "/api/organization/"+orgNord),
		get("/api/series", 200, "/api/series?limit=1"),
		get("/api/series", 400, "/api/series?limit=0"),
		get("/api/series/{slug}", 200, "/api/series/hafenfest"),
		get("/api/series/{slug}", 400, "/api/series/hafenfest?x=1"),
		get("/api/series/{slug}", 404, "/api/series/unknown"),
		get("/api/contributors", 200, "/api/contributors?search=TRIO"),
		get("/api/contributors", 400, "/api/contributors"),
		get("/api/contributor/{uuid}", 200, "/api/contributor/"+contributorMerged),
		get("/api/contributor/{uuid}", 400, "/api/contributor/1"),
		get("/api/contributor/{uuid}", 404, "/api/contributor/"+unknown),
		get("/api/lists", 200, "/api/lists"),
		get("/api/lists", 400, "/api/lists?x=1"),
		get("/api/list/{slug}", 200, "/api/list/tipps"),
		get("/api/list/{slug}", 400, "/api/list/tipps?x=1"),
		get("/api/list/{slug}", 404, "/api/list/unknown"),
		get("/api/portal/{slug}", 200, "/api/portal/nord"),
		get("/api/portal/{slug}", 400, "/api/portal/nord?x=1"),
		get("/api/portal/{slug}", 404, "/api/portal/unknown"),
		get("/api/organization/{uuid}", 400, "/api/organization/1"),
		get("/api/organization/{uuid}", 404, "/api/organization/"+unknown),
	}
	reported := func(status int, event, body, contentType string) example {
		e := post("/api/event/{uuid}/report", status, body, contentType)
		e.address = "/api/event/" + event + "/report"
		return e
	}
	all = append(all,
		reported(202, eventJazz, `{"reason":"spam","text":"x","email":"anna@example.org"}`, "application/json"),
		reported(202, eventFair, `{"reason":"other","text":null}`, "application/json"),
		reported(400, eventJazz, `{"reason":"spam","txt":"x"}`, "application/json"),
		reported(404, eventGone, `{"reason":"spam"}`, "application/json"),
		reported(413, eventJazz, strings.Repeat(" ", 33<<10), "application/json"),
		reported(415, eventJazz, `{}`, "text/plain"))
	all = append(all,
		post("/api/validate", 200, `{"answers":[{"path":"/api/events","etag":"x"}]}`, "application/json"),
		post("/api/validate", 400, `{"answers":[]}`, "application/json"),
		post("/api/validate", 413, strings.Repeat(" ", 600<<10), "application/json"),
		post("/api/validate", 415, `{}`, "text/plain"))
	for _, path := range []string{"/api/events", "/api/events/type-summary"} {
		all = append(all,
			post(path, 200, `{"search":"jazz","event_types":[1,3],"price":["20","EUR"]}`, "application/json"),
			post(path, 400, `{"limit":{}}`, "application/json"),
			post(path, 413, strings.Repeat(" ", 2<<20), "application/json"),
			post(path, 415, `{}`, "text/plain"))
	}
	for path, address := range map[string]string{
		"/api/image/{uuid}": "/api/image/" + jazzImage, "/api/image/{uuid}/{version}": jazzVersion,
		"/api/events": "/api/events", "/api/events/type-summary": "/api/events/type-summary", "/api/venues": "/api/venues",
		"/api/event/type-genre-lookup": "/api/event/type-genre-lookup", "/api/event/{uuid}": "/api/event/" + eventJazz,
		"/api/event/{uuid}/date/{date}": "/api/event/" + eventJazz + "/date/" + jazzThird, "/api/venue/{uuid}": "/api/venue/" + venueHall,
		"/api/suggest": "/api/suggest?q=jazz", "/api/organizations": "/api/organizations?search=nord", "/api/organization/{uuid}": "/api/organization/" + orgNord,
		"/api/series": "/api/series", "/api/series/{slug}": "/api/series/" + seriesID,
		"/api/contributors": "/api/contributors?search=nord", "/api/contributor/{uuid}": "/api/contributor/" + contributorTrio,
		"/api/lists": "/api/lists", "/api/list/{slug}": "/api/list/tipps",
		"/api/portal/{slug}": "/api/portal/nord",
	} {
		all = append(all, unchanged(path, address))
	}
	for _, path := range []string{"countries", "states", "regions"} {
		path = "/api/geolist/" + path
		all = append(all, get(path, 200, path), unchanged(path, path), get(path, 400, path+"?x=1"))
	}
	return withoutMethod(ahead(slices.Concat(all, listExamples(), feedExamples(), aliasExamples(), dumpExamples())))
}

// ahead adds for each operation a request for a position that is not reached.
func ahead(all []example) []example {
	seen := map[string]bool{}
	for _, e := range all {
		if operation := e.method + e.path; !seen[operation] && e.status < 300 {
			seen[operation] = true
			e.status, e.header = 409, append(slices.Clip(e.header), "Litfass-Position", "18446744073709551615")
			all = append(all, e)
		}
	}
	return all
}

// withoutMethod adds for each operation a request by a method that its path does not answer.
func withoutMethod(all []example) []example {
	seen := map[string]bool{}
	for _, e := range all {
		if operation := e.method + e.path; !seen[operation] {
			seen[operation] = true
			all = append(all, example{method: e.method, sent: "DELETE", path: e.path, address: e.address, status: 405})
		}
	}
	return all
}

func listExamples() []example {
	lists := map[string]string{ // address by path
		"/api/accessibility/flags": "", "/api/visitor-info/flags": "",
		"/api/choosable-event-genres/event-type/{id}": "/api/choosable-event-genres/event-type/1",
		"/api/choosable-venues/organization/{uuid}":   "/api/choosable-venues/organization/" + orgSued,
		"/api/choosable-spaces/venue/{uuid}":          "/api/choosable-spaces/venue/" + venueHall,
		"/api/choosable-states":                       "/api/choosable-states?country=DEU",
		"/api/choosable-event-genres":                 "/api/choosable-event-genres?event_type=1",
		"/api/choosable-venues":                       "",
		"/api/choosable-organizations":                "",
	}
	for path := range choosableValueSets {
		lists["/api/choosable-"+path] = ""
	}
	all := []example{
		get("/api/choosable-event-genres/event-type/{id}", 404, "/api/choosable-event-genres/event-type/99"),
		get("/api/choosable-venues/organization/{uuid}", 404, "/api/choosable-venues/organization/"+unknown),
		get("/api/choosable-spaces/venue/{uuid}", 404, "/api/choosable-spaces/venue/"+venueGone),
	}
	for path, address := range lists {
		address = cmp.Or(address, path)
		bare, _, _ := strings.Cut(address, "?")
		all = append(all, get(path, 200, address), get(path, 400, bare+"?x=1"), unchanged(path, address))
	}
	return all
}

// aliasAddresses are the aliases of GETs with requests that succeed.
var aliasAddresses = map[string]string{
	"/api/event/{uuid}/date/{date}/ics":              "/api/event/" + eventJazz + "/date/202611201930/ics",
	"/api/events/week":                               "/api/events/week?week_start=2026-11-16",
	"/api/events/venue-summary":                      "/api/events/venue-summary",
	"/api/events/geojson":                            "/api/events/geojson",
	"/api/venues/geojson":                            "/api/venues/geojson?bbox=9,54,10,55",
	"/api/geolist/states/{country}":                  "/api/geolist/states/deu",
	"/api/geolist/regions/{country}/{state}":         "/api/geolist/regions/deu/sh",
	"/api/geolist/region/{country}/{state}/{region}": "/api/geolist/region/deu/sh/flensburg",
	"/api/languages":                                 "/api/languages?lang=de",
	"/api/choosable-license-types":                   "/api/choosable-license-types",
	"/api/choosable-venue-types":                     "/api/choosable-venue-types",
	"/api/event/release-status-i18n":                 "/api/event/release-status-i18n?lang=de,da",
}

func aliasExamples() []example {
	var all []example
	for path, address := range aliasAddresses {
		bare, _, _ := strings.Cut(address, "?")
		all = append(all, get(path, 200, address), unchanged(path, address), get(path, 400, bare+"?x=1"))
	}
	return append(all,
		get("/api/geolist/region/{country}/{state}/{region}", 404, "/api/geolist/region/deu/sh/husum"),
		get("/api/event/{uuid}/date/{date}/ics", 404, "/api/event/"+eventGone+"/date/2026-11-20-1930/ics"),
		post("/api/events/filter", 200, `{"search":"jazz","limit":2}`, "application/json"),
		post("/api/events/filter", 400, `{"portal":"x"}`, "application/json"),
		post("/api/events/filter", 413, strings.Repeat(" ", 2<<20), "application/json"),
		post("/api/events/filter", 415, `{}`, "text/plain"))
}

func feedExamples() []example {
	all := []example{
		get("/api/venues.geojson", 200, "/api/venues.geojson?bbox=9,54,10,55"), unchanged("/api/venues.geojson", "/api/venues.geojson"),
		get("/api/venues.geojson", 400, "/api/venues.geojson?bbox=9,54,10"),
		get("/api/series/{slug}.jsonld", 200, "/api/series/hafenfest.jsonld"), get("/api/series/{slug}.jsonld", 400, "/api/series/hafenfest.jsonld?x=1"),
		get("/api/series/{slug}.jsonld", 404, "/api/series/unknown.jsonld"), unchanged("/api/series/{slug}.jsonld", "/api/series/hafenfest.jsonld"),
	}
	for _, format := range feed.Formats {
		events, event, date := "/api/events."+format.Name, "/api/event/{uuid}."+format.Name, "/api/event/{uuid}/date/{date}."+format.Name
		jazz := func(rest string) string { return "/api/event/" + eventJazz + rest + "." + format.Name }
		all = append(all,
			get(events, 200, events+"/?search=jazz&limit=1"), get(events, 200, events+"?title=nothing"), unchanged(events, events),
			get(events, 400, events+"?limit=1001&serach=x"),
			get(event, 200, jazz("")), unchanged(event, jazz("")), get(event, 400, "/api/event/1."+format.Name),
			get(event, 404, "/api/event/"+eventGone+"."+format.Name),
			get(date, 200, jazz("/date/"+jazzThird)), unchanged(date, jazz("/date/2026-11-20-1930")),
			get(date, 400, jazz("/date/today")), get(date, 404, jazz("/date/2028-02-29")))
	}
	return all
}

func dumpExamples() []example {
	const path, csv = "/api/dumps/{file}", "/api/dumps/events.csv"
	part := func(status int, of string) example {
		e := get(path, status, csv)
		e.header = []string{"Range", of}
		return e
	}
	return []example{
		get("/api/catalog.jsonld", 200, "/api/catalog.jsonld"), get("/api/catalog.jsonld", 400, "/api/catalog.jsonld?x=1"),
		unchanged("/api/catalog.jsonld", "/api/catalog.jsonld"),
		get(path, 200, csv), get(path, 400, csv+"?x=1"), get(path, 404, "/api/dumps/events.pdf"), unchanged(path, csv),
		part(206, "bytes=0-9"), part(416, "bytes=10000000-"),
	}
}

func (s site) ask(t *testing.T, e example) (*http.Response, []byte) {
	t.Helper()
	return s.do(t, cmp.Or(e.sent, e.method), e.address, e.body, e.header...)
}

// testDescription validates real answers against the description, and that every described answer
// was among them.
func testDescription(t *testing.T, s site) {
	d := describe(t)
	seen := map[string]bool{}
	for _, e := range examples() {
		response, body := s.ask(t, e)
		status := response.StatusCode
		if status != e.status {
			t.Errorf("%s %s: got %d %s, want %d", e.method, e.address, status, body, e.status)
			continue
		}
		if err := d.Check(e.method, e.path, status, body); err != nil {
			t.Errorf("%s %s: %d: %v in %s", e.method, e.address, status, err, body)
		}
		seen[fmt.Sprint(e.method, e.path, status)] = true
	}
	for path, operations := range d.Paths {
		for method, operation := range operations.(map[string]any) {
			for status := range operation.(map[string]any)["responses"].(map[string]any) {
				// Limits, and operations that need other services, have tests of their own.
				if status != "429" && status != "503" && !seen[fmt.Sprint(strings.ToUpper(method), path, status)] {
					t.Errorf("%s %s: no example brings about %s", method, path, status)
				}
			}
		}
	}
}

// TestDescriptionIsStrict shows that a wrong answer does not pass.
func TestDescriptionIsStrict(t *testing.T) {
	const right = `{"service":"litfass","api_version":"1.0","response_type":"get-events-type-summary","status":200,` +
		`"timestamp":"2026-11-20T18:30:00Z","metadata":{"response_time_ms":0},` +
		`"data":{"genre_summary":[],"type_summary":[{"id":1,"count":2}],"total_event_count":2}}`
	d := describe(t)
	for _, change := range []struct{ old, new string }{
		{"", ""}, // none: right
		{`"total_event_count":2`, `"total_event_count":"2"`},
		{`,"total_event_count":2`, ``},
		{`"count":2}`, `"count":2,"more":1}`},
		{`"status":200,`, `"status":200,"more":1,`},
		{`"genre_summary":[]`, `"genre_summary":null`},
		{`get-events-type-summary`, `get-events`},
		{`2026-11-20T18:30:00Z`, `2026-11-20T18:30:00.5Z`},
	} {
		body := strings.Replace(right, change.old, change.new, 1)
		err := d.Check("GET", "/api/events/type-summary", http.StatusOK, []byte(body))
		if passes := err == nil; passes != (change.old == "") {
			t.Errorf("%s instead of %s: %v", change.new, change.old, err)
		}
	}
}

// TestEveryRouteIsDescribed compares the routes and their parameters with the description, both
// ways.
func TestEveryRouteIsDescribed(t *testing.T) {
	app := newSite(t, index.Connect(index.Config{URL: "http://127.0.0.1:9"})).app
	described, served := describe(t).Described(), apidocstest.Served(app)
	if !slices.Equal(described, served) {
		t.Errorf("described: %v\nserved: %v", described, served)
	}
}

// TestEveryOperationIsPublic: each is described as answering without a key, and has an example.
func TestEveryOperationIsPublic(t *testing.T) {
	var document struct{ Security []map[string]any }
	if err := json.Unmarshal(openapi.JSON(), &document); err != nil {
		t.Fatal(err)
	}
	if none := func(scheme map[string]any) bool { return len(scheme) == 0 }; !slices.ContainsFunc(document.Security, none) {
		t.Errorf("security %v needs a key", document.Security)
	}
	for path, operations := range describe(t).Paths {
		for method, operation := range operations.(map[string]any) {
			operation := operation.(map[string]any)
			if security, said := operation["security"]; said {
				t.Errorf("%s %s: security %v", method, path, security)
			}
			if hasNoText(path) {
				continue
			}
			responses := operation["responses"].(map[string]any)
			success, immediate := responses["200"]
			if !immediate {
				success = responses["202"]
			}
			for kind, media := range success.(map[string]any)["content"].(map[string]any) {
				if _, shown := media.(map[string]any)["example"]; !shown {
					t.Errorf("%s %s has no example of %s", method, path, kind)
				}
			}
		}
	}
}

// TestEveryOperationTakesAPosition: each describes the header.
func TestEveryOperationTakesAPosition(t *testing.T) {
	for path, operations := range describe(t).Paths {
		for method, operation := range operations.(map[string]any) {
			parameters, _ := operation.(map[string]any)["parameters"].([]any)
			if !slices.ContainsFunc(parameters, func(parameter any) bool {
				described := resolve(t, parameter)
				return described["in"] == "header" && described["name"] == "Litfass-Position"
			}) {
				t.Errorf("%s %s: no Litfass-Position", method, path)
			}
		}
	}
}

func TestEveryParameterIsDescribed(t *testing.T) {
	taken := map[string][]string{
		"/api/events": params.EventSearch.Names(), "/api/events/type-summary": params.Events.Names(), "/api/venues": params.Venues.Names(),
		"/api/events/facets":           params.Facets.Names(),
		"/api/event/type-genre-lookup": params.TypesByLang.Names(), "/api/organizations": params.Organizations.Names(), "/api/contributors": params.Organizations.Names(),
		"/api/series": params.AllSeries.Names(), "/api/lists": params.AllLists.Names(), "/api/series/{slug}.jsonld": params.SeriesFeed.Names(),
		"/api/suggest":        params.Suggest.Names(),
		"/api/changes":        slices.Compact(slices.Sorted(slices.Values(slices.Concat(params.Changes.Names(), params.VenueChanges.Names())))),
		"/api/geolist/states": params.GeoStates.Names(), "/api/geolist/regions": params.GeoRegions.Names(),
		"/api/image/{uuid}": params.Images.Names(), "/api/image/{uuid}/{version}": params.Images.Names(),
		"/api/venues.geojson": params.VenueFeeds.Names(),
		"/api/events/week":    params.Week.Names(), "/api/events/venue-summary": params.Events.Names(), "/api/events/geojson": params.Events.Names(),
		"/api/venues/geojson": params.VenueFeeds.Names(), "/api/event/release-status-i18n": params.TypesByLang.Names(),
		"/api/choosable-states": params.StatesOf.Names(), "/api/choosable-event-genres": params.GenresOfType.Names(),
	}
	for _, format := range feed.Formats {
		taken["/api/events."+format.Name] = params.EventFeeds.Names()
	}
	d := describe(t)
	for path := range d.Paths {
		method := "GET"
		want, special := taken[path]
		switch {
		case path == "/api/event/{uuid}/report" || path == "/api/events/filter" || path == "/api/validate":
			method, want = "POST", nil
		case !special:
			want = params.Named.Names()
		}
		var named []string
		for _, parameter := range d.Operation(method, path)["parameters"].([]any) {
			if parameter := resolve(t, parameter); parameter["in"] == "query" {
				named = append(named, parameter["name"].(string))
			}
		}
		slices.Sort(named)
		if !slices.Equal(named, want) {
			t.Errorf("%s: described %v, taken %v", path, named, want)
		}
	}
	for schema, want := range map[string][]string{"EventQuery": params.Events.Names(), "EventSearchQuery": params.EventSearch.Names(), "FacetsQuery": params.Facets.Names()} {
		body := d.Schemas[schema].(map[string]any)["properties"].(map[string]any)
		if named := slices.Sorted(maps.Keys(body)); !slices.Equal(named, want) {
			t.Errorf("%s: described %v, taken %v", schema, named, want)
		}
	}
	if dimensions := d.Schemas["Dimension"].(map[string]any)["enum"]; fmt.Sprint(dimensions) != fmt.Sprint(params.Dimensions) {
		t.Errorf("described dimensions %v, taken %v", dimensions, params.Dimensions)
	}
}

// resolve follows a reference to a parameter.
func resolve(t *testing.T, parameter any) map[string]any {
	t.Helper()
	ref, ok := parameter.(map[string]any)["$ref"].(string)
	if !ok {
		return parameter.(map[string]any)
	}
	var document struct {
		Components struct{ Parameters map[string]map[string]any }
	}
	if err := json.Unmarshal(openapi.JSON(), &document); err != nil {
		t.Fatal(err)
	}
	return document.Components.Parameters[strings.TrimPrefix(ref, "#/components/parameters/")]
}

package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"litfass/pkg/index"
	"litfass/services/query/internal/openapi"
	"litfass/services/query/internal/params"
)

// description is the OpenAPI description made strict: an answer may hold nothing that it does not name.
type description struct {
	paths    map[string]any
	compiler *jsonschema.Compiler
	schemas  map[string]any
}

func describe(t *testing.T) description {
	t.Helper()
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(openapi.JSON()))
	if err != nil {
		t.Fatal(err)
	}
	document := decoded.(map[string]any)
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
	parts := map[string]bool{} // names of schemas that stand for a part of others
	findParts(document, parts)
	for name, schema := range schemas {
		closeSchema(schema, parts[name])
	}
	closeSchema(document["paths"], false)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", document); err != nil {
		t.Fatal(err)
	}
	return description{paths: document["paths"].(map[string]any), compiler: compiler, schemas: schemas}
}

func findParts(node any, parts map[string]bool) {
	switch node := node.(type) {
	case map[string]any:
		if all, ok := node["allOf"].([]any); ok {
			for _, part := range all {
				if ref, ok := part.(map[string]any)["$ref"].(string); ok {
					parts[strings.TrimPrefix(ref, "#/components/schemas/")] = true
				}
			}
		}
		for _, child := range node {
			findParts(child, parts)
		}
	case []any:
		for _, child := range node {
			findParts(child, parts)
		}
	}
}

// closeSchema forbids what schemas do not name. A part of another schema stays open: the whole is closed.
func closeSchema(node any, part bool) {
	switch node := node.(type) {
	case map[string]any:
		_, composed := node["allOf"]
		_, object := node["properties"]
		_, said := node["additionalProperties"]
		switch {
		case part || said:
		case composed:
			node["unevaluatedProperties"] = false
		case object:
			node["additionalProperties"] = false
		}
		for key, child := range node {
			closeSchema(child, key == "allOf")
		}
	case []any:
		for _, child := range node {
			closeSchema(child, part)
		}
	}
}

// check returns what is wrong with an answer of an operation, by the schema of its status.
func (d description) check(method, path string, status int, body []byte) error {
	pointer := fmt.Sprintf("openapi.json#/paths/%s/%s/responses/%d", escape(path), strings.ToLower(method), status)
	response, ok := d.operation(method, path)["responses"].(map[string]any)[fmt.Sprint(status)].(map[string]any)
	if !ok {
		return fmt.Errorf("the status is not described")
	}
	if ref, ok := response["$ref"].(string); ok {
		pointer = "openapi.json" + ref
	} else if _, ok := response["content"]; !ok {
		if len(body) > 0 {
			return fmt.Errorf("a body is not described")
		}
		return nil
	}
	schema, err := d.compiler.Compile(pointer + "/content/application~1json/schema")
	if err != nil {
		return err
	}
	answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(answer)
}

func (d description) operation(method, path string) map[string]any {
	operations, _ := d.paths[path].(map[string]any)
	operation, _ := operations[strings.ToLower(method)].(map[string]any)
	return operation
}

// escape writes a path as a part of a JSON pointer in an address.
func escape(path string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path)
}

// example is a request whose answer must be as described.
type example struct {
	method, path string // as the description names it
	address      string
	body         string
	status       int
	header       []string
}

func get(path string, status int, address string) example {
	return example{method: "GET", path: path, address: address, status: status}
}

func post(path string, status int, body, contentType string) example {
	return example{method: "POST", path: path, address: path, status: status, body: body, header: []string{"Content-Type", contentType}}
}

// examples are requests that bring about every described answer of every operation, but for 429 and 503.
func examples() []example {
	all := []example{
		get("/api/events", 200, "/api/events"),
		get("/api/events", 200, "/api/events/?search=jazz&start=2026-11-01&limit=1"),
		get("/api/events", 200, "/api/events?title=nothing"),
		get("/api/events", 400, "/api/events?genres=1&event_types=1&limit=0&serach=x"),
		get("/api/events/type-summary", 200, "/api/events/type-summary/"),
		get("/api/events/type-summary", 400, "/api/events/type-summary?age=x"),
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
		get("/api/venues", 200, "/api/venues"),
		get("/api/venues", 200, "/api/venues?geolist_region=a,b,c"),
		get("/api/venues", 400, "/api/venues?radius=-1"),
		get("/api/venue/{uuid}", 200, "/api/venue/"+venueHall),
		get("/api/venue/{uuid}", 200, "/api/venue/"+venueOpen),
		get("/api/venue/{uuid}", 400, "/api/venue/1"),
		get("/api/venue/{uuid}", 404, "/api/venue/"+unknown),
		get("/api/organizations", 200, "/api/organizations?search=nord"),
		get("/api/organizations", 400, "/api/organizations"),
		get("/api/organization/{uuid}", 200, "/api/organization/"+orgNord),
		get("/api/organization/{uuid}", 400, "/api/organization/1"),
		get("/api/organization/{uuid}", 404, "/api/organization/"+unknown),
	}
	for _, path := range []string{"/api/events", "/api/events/type-summary"} {
		all = append(all,
			post(path, 200, `{"search":"jazz","event_types":[1,3],"price":["20","EUR"]}`, "application/json"),
			post(path, 400, `{"limit":{}}`, "application/json"),
			post(path, 413, strings.Repeat(" ", 2<<20), "application/json"),
			post(path, 415, `{}`, "text/plain"))
	}
	for _, path := range []string{"countries", "states", "regions"} {
		all = append(all, get("/api/geolist/"+path, 200, "/api/geolist/"+path), get("/api/geolist/"+path, 400, "/api/geolist/"+path+"?x=1"))
	}
	return append(all, listExamples()...)
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
	for path := range choosableSets {
		lists["/api/choosable-"+path] = ""
	}
	all := []example{
		get("/api/choosable-event-genres/event-type/{id}", 404, "/api/choosable-event-genres/event-type/99"),
		get("/api/choosable-venues/organization/{uuid}", 404, "/api/choosable-venues/organization/"+unknown),
		get("/api/choosable-spaces/venue/{uuid}", 404, "/api/choosable-spaces/venue/"+venueGone),
	}
	for path, address := range lists {
		address = cmp.Or(address, path)
		unchanged := get(path, 304, address)
		unchanged.header = []string{"If-None-Match", "*"}
		bare, _, _ := strings.Cut(address, "?")
		all = append(all, get(path, 200, address), get(path, 400, bare+"?x=1"), unchanged)
	}
	return all
}

func (s site) ask(t *testing.T, e example) (*http.Response, []byte) {
	t.Helper()
	return s.do(t, e.method, e.address, e.body, e.header...)
}

// testDescription validates real answers against the description, and that every described answer was among them.
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
		if err := d.check(e.method, e.path, status, body); err != nil {
			t.Errorf("%s %s: %d: %v in %s", e.method, e.address, status, err, body)
		}
		seen[fmt.Sprint(e.method, e.path, status)] = true
	}
	for path, operations := range d.paths {
		for method, operation := range operations.(map[string]any) {
			for status := range operation.(map[string]any)["responses"].(map[string]any) {
				// This service sets no limits of its own; that the engine is down is tested by itself.
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
		err := d.check("GET", "/api/events/type-summary", http.StatusOK, []byte(body))
		if passes := err == nil; passes != (change.old == "") {
			t.Errorf("%s instead of %s: %v", change.new, change.old, err)
		}
	}
}

// TestEveryRouteIsDescribed compares the routes and their parameters with the description, both ways.
func TestEveryRouteIsDescribed(t *testing.T) {
	app := newSite(t, index.Connect(index.Config{URL: "http://127.0.0.1:9"})).app
	described, served := []string{}, []string{}
	d := describe(t)
	for path, operations := range d.paths {
		for method := range operations.(map[string]any) {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	for _, route := range app.GetRoutes(true) {
		path := route.Path
		for _, name := range route.Params {
			path = strings.Replace(path, ":"+name, "{"+name+"}", 1)
		}
		about := path == "/api/openapi.json" || path == "/api/docs" || strings.HasPrefix(path, "/api/docs/")
		if strings.HasPrefix(path, "/api/") && !about && route.Method != http.MethodHead {
			served = append(served, route.Method+" "+path)
		}
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described: %v\nserved: %v", described, served)
	}
}

func TestEveryParameterIsDescribed(t *testing.T) {
	taken := map[string][]string{
		"/api/events": params.Events.Names(), "/api/events/type-summary": params.Events.Names(), "/api/venues": params.Venues.Names(),
		"/api/event/type-genre-lookup": params.TypesByLang.Names(), "/api/organizations": params.Organizations.Names(),
		"/api/geolist/states": params.GeoStates.Names(), "/api/geolist/regions": params.GeoRegions.Names(),
		"/api/choosable-states": params.StatesOf.Names(), "/api/choosable-event-genres": params.GenresOfType.Names(),
	}
	d := describe(t)
	for path := range d.paths {
		want, special := taken[path]
		if !special {
			want = params.Named.Names()
		}
		var named []string
		for _, parameter := range d.operation("GET", path)["parameters"].([]any) {
			if parameter := d.resolve(t, parameter); parameter["in"] == "query" {
				named = append(named, parameter["name"].(string))
			}
		}
		slices.Sort(named)
		if !slices.Equal(named, want) {
			t.Errorf("%s: described %v, taken %v", path, named, want)
		}
	}
	body := d.schemas["EventQuery"].(map[string]any)["properties"].(map[string]any)
	if named := slices.Sorted(maps.Keys(body)); !slices.Equal(named, params.Events.Names()) {
		t.Errorf("body of POST: described %v, taken %v", named, params.Events.Names())
	}
}

// resolve follows a reference to a parameter.
func (d description) resolve(t *testing.T, parameter any) map[string]any {
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

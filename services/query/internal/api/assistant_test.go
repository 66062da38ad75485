package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"litfass/pkg/chassis/limit"
	"litfass/services/query/internal/keys"
	"litfass/services/query/internal/params"
)

// assistant returns a client of the protocol that is connected to a site.
func (s site) assistant(t *testing.T) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.base + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// called is a call of a tool with the request of the operation that finds the same.
type called struct {
	tool, arguments    string
	method, path, body string
}

var calledTools = []called{
	{"search_events", `{"search":"jazz","facets":["city"],"total":true,"limit":2}`, "GET", "/api/events?search=jazz&facets=city&total=true&limit=2", ""},
	{"search_events", `{"city":"Flensburg","price":"20,EUR","lon":9.43,"lat":54.79,"radius":5000}`, "POST", "/api/events", `{"city":"Flensburg","price":"20,EUR","lon":9.43,"lat":54.79,"radius":5000}`},
	{"search_events", `{"title":"nothing"}`, "GET", "/api/events?title=nothing", ""},
	{"search_events", `null`, "GET", "/api/events", ""},
	{"count_events", `{"by":["city","categories","day"],"start":"2026-11-01","group":"event"}`, "GET", "/api/events/facets?by=city,categories,day&start=2026-11-01&group=event", ""},
	{"get_event", `{"uuid":"` + eventJazz + `","lang":"de"}`, "GET", "/api/event/" + eventJazz + "?lang=de", ""},
	{"search_venues", `{"countries":["DEU","DNK"],"limit":3,"name":"*bar*"}`, "GET", "/api/venues?countries=DEU,DNK&limit=3&name=*bar*", ""},
	{"get_venue", `{"uuid":"` + strings.ToUpper(venueHall) + `"}`, "GET", "/api/venue/" + venueHall, ""},
	{"search_organizations", `{"search":"\"Süd\" 100%"}`, "GET", "/api/organizations?search=%22S%C3%BCd%22%20100%25", ""},
	{"get_organization", `{"uuid":"` + orgSued + `"}`, "GET", "/api/organization/" + orgSued, ""},
	{"search_contributors", `{"search": "trio"}`, "GET", "/api/contributors?search=trio", ""},
	{"get_contributor", `{"uuid": "` + contributorMerged + `"}`, "GET", "/api/contributor/" + contributorMerged, ""},
	{"list_series", `{"limit":1}`, "GET", "/api/series?limit=1", ""},
	{"get_series", `{"slug":"hafenfest"}`, "GET", "/api/series/hafenfest", ""},
	{"suggest", `{"q":"online","limit":5}`, "GET", "/api/suggest?q=online&limit=5", ""},
	{"list_event_types", `{"lang":["de","da"]}`, "GET", "/api/event/type-genre-lookup?lang=de,da", ""},
	{"list_regions", `{"country":null}`, "GET", "/api/geolist/regions", ""},
}

// answerTo returns the payload of an operation's answer.
func (s site) answerTo(t *testing.T, c called) any {
	t.Helper()
	response, body := s.do(t, c.method, c.path, c.body, "Content-Type", "application/json")
	var answer enveloped[any]
	if err := json.Unmarshal(body, &answer); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d %v in %s", c.method, c.path, response.StatusCode, err, body)
	}
	return answer.Data
}

// TestToolsAnswerAsTheirOperations: every tool finds what its operation finds, as text as well, and
// as its schema describes it. Every tool says that it only reads.
func TestToolsAnswerAsTheirOperations(t *testing.T) {
	s := newSite(t, seeded(t))
	session := s.assistant(t)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]*mcp.Tool{}
	for _, tool := range listed.Tools {
		tools[tool.Name] = tool
		hints := tool.Annotations
		if hints == nil || !hints.ReadOnlyHint || hints.OpenWorldHint == nil || *hints.OpenWorldHint || tool.Title == "" || tool.Description == "" {
			t.Errorf("%s is described as %+v, %+v", tool.Name, tool, hints)
		}
	}
	untested := slices.Collect(maps.Keys(tools))
	for _, c := range calledTools {
		untested = slices.DeleteFunc(untested, func(name string) bool { return name == c.tool })
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.arguments)})
		if err != nil || result.IsError || len(result.Content) != 1 {
			t.Errorf("%s %s: %v %+v", c.tool, c.arguments, err, result)
			continue
		}
		if want := s.answerTo(t, c); !reflect.DeepEqual(result.StructuredContent, want) {
			t.Errorf("%s %s:\n%v, want\n%v", c.tool, c.arguments, result.StructuredContent, want)
		}
		var text any
		if err := json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), &text); err != nil || !reflect.DeepEqual(text, result.StructuredContent) {
			t.Errorf("%s %s: the text differs: %v", c.tool, c.arguments, err)
		}
		if err := conforms(tools[c.tool].OutputSchema, result.StructuredContent); err != nil {
			t.Errorf("%s %s: the answer is not as described: %v", c.tool, c.arguments, err)
		}
		if arguments := any(nil); json.Unmarshal([]byte(c.arguments), &arguments) == nil && arguments != nil {
			delete(arguments.(map[string]any), "country") // null counts as absent
			if err := conforms(tools[c.tool].InputSchema, arguments); err != nil {
				t.Errorf("%s %s: the arguments are not as described: %v", c.tool, c.arguments, err)
			}
		}
	}
	if len(untested) > 0 {
		t.Errorf("not called: %v", untested)
	}
}

// conforms checks a value against a schema.
func conforms(schema, value any) error {
	encoded, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	var decoded jsonschema.Schema
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		return err
	}
	resolved, err := decoded.Resolve(nil)
	if err != nil {
		return err
	}
	return resolved.Validate(value)
}

// TestToolsTakeTheParametersOfTheirOperations compares the schemas with the table of parameters.
func TestToolsTakeTheParametersOfTheirOperations(t *testing.T) {
	byUUID := slices.Sorted(slices.Values(append(params.Named.Names(), "uuid")))
	want := map[string][]string{
		"search_events": params.EventSearch.Names(), "count_events": params.Facets.Names(), "search_venues": params.Venues.Names(),
		"search_organizations": params.Organizations.Names(), "search_contributors": params.Organizations.Names(), "suggest": params.Suggest.Names(),
		"list_event_types": params.TypesByLang.Names(), "list_regions": params.GeoRegions.Names(),
		"get_event": byUUID, "get_venue": byUUID, "get_organization": byUUID, "get_contributor": byUUID,
		"list_series": params.AllSeries.Names(), "get_series": slices.Sorted(slices.Values(append(params.Named.Names(), "slug"))),
	}
	listed, err := newSite(t, seeded(t)).assistant(t).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		if names := slices.Sorted(maps.Keys(properties)); !slices.Equal(names, want[tool.Name]) {
			t.Errorf("%s takes %v, want %v", tool.Name, names, want[tool.Name])
		}
		for name, property := range properties {
			if words, _ := property.(map[string]any)["description"].(string); words == "" {
				t.Errorf("%s: %s is not described", tool.Name, name)
			}
		}
		if required, wants := fmt.Sprint(tool.InputSchema.(map[string]any)["required"]), map[string]string{
			"count_events": "[by]", "suggest": "[q]", "search_organizations": "[search]", "get_event": "[uuid]", "get_venue": "[uuid]", "get_organization": "[uuid]", "get_contributor": "[uuid]", "search_contributors": "[search]", "get_series": "[slug]",
		}[tool.Name]; wants != "" && required != wants {
			t.Errorf("%s requires %s", tool.Name, required)
		}
	}
}

// TestToolsRefuseAsTheirOperations: a refusal is the result of the tool, and names every bad
// argument as the operation names it.
func TestToolsRefuseAsTheirOperations(t *testing.T) {
	s := newSite(t, seeded(t))
	session := s.assistant(t)
	for _, test := range []struct {
		called

		says string
	}{
		{called{"search_events", `{"limit":{},"serach":"x","genres":[1],"event_types":[1]}`, "POST", "/api/events", `{"limit":{},"serach":"x","genres":[1],"event_types":[1]}`}, "\nlimit must have the JSON type string | number, not object\n"},
		{called{"count_events", `{}`, "GET", "/api/events/facets", ""}, "by is missing"},
		{called{"get_series", `{"slug":"../event"}`, "", "", ""}, "slug "},
		{called{"search_venues", `{"radius":-1,"limit":2.5}`, "GET", "/api/venues?radius=-1&limit=2.5", ""}, "radius "},
		{called{"get_event", `{"uuid":"` + eventGone + `"}`, "GET", "/api/event/" + eventGone, ""}, "event"},
		{called{"suggest", `{"q":["a","b"]}`, "GET", "/api/suggest?q=a&q=b", ""}, "q is given"},
		{called{"get_venue", `{"uuid":"../events","color":1}`, "", "", ""}, "uuid is not a UUIDv7"},
		{called{"get_venue", `{}`, "", "", ""}, "uuid is missing"},
		{called{"list_regions", `{"country":{"a":1}}`, "", "", ""}, "country must have the JSON type"},
		{called{"list_event_types", `{"lang":[["de"]]}`, "", "", ""}, "lang "},
		{called{"list_regions", `[1]`, "", "", ""}, "arguments "},
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: json.RawMessage(test.arguments)})
		if err != nil || !result.IsError || len(result.Content) != 2 || result.StructuredContent != nil {
			t.Errorf("%s %s: %v %+v", test.tool, test.arguments, err, result)
			continue
		}
		words, refusal := result.Content[0].(*mcp.TextContent).Text, result.Content[1].(*mcp.TextContent).Text
		if !strings.Contains(words+"\n", test.says) {
			t.Errorf("%s %s: %s", test.tool, test.arguments, words)
		}
		if test.path == "" {
			continue
		}
		_, body := s.do(t, test.method, test.path, test.body, "Content-Type", "application/json")
		var got, want struct {
			Code    string
			Details any
		}
		if json.Unmarshal([]byte(refusal), &got) != nil || json.Unmarshal(body, &want) != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: %s, want %s", test.tool, test.arguments, refusal, body)
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete_event", Arguments: json.RawMessage(`{}`)}); err == nil || !strings.Contains(err.Error(), "delete_event") {
		t.Errorf("an unknown tool: %v", err)
	}
}

// TestMessagesThatAreNone are answered with an error that says why, and foreign pages may send
// those that are.
func TestMessagesThatAreNone(t *testing.T) {
	s := newSite(t, seeded(t))
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	const kind = "application/json"
	for _, test := range []struct {
		method, body, contentType string
		status                    int
		says                      string
	}{
		{"POST", list, kind, 200, `"search_events"`},
		{"POST", list, "text/plain", 415, "the body must be application/json"},
		{"POST", `{"jsonrpc":`, kind, 400, "malformed"},
		{"POST", ``, kind, 400, "body"},
		{"POST", `{}`, kind, 400, "malformed"},
		{"POST", " [" + list + "]", kind, 400, "batch"},
		{"POST", list + strings.Repeat(" ", messageBody), kind, 413, "too large"},
		{"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}`, kind, 400, `tools/destroy`},
		{"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, kind, 200, `-32602`},
		{"GET", ``, "", 405, "method_not_allowed"},
		{"DELETE", ``, "", 405, "method_not_allowed"},
	} {
		response, body := s.do(t, test.method, "/mcp", test.body, "Content-Type", test.contentType, "Origin", "https://elsewhere.example")
		if response.StatusCode != test.status || !strings.Contains(string(body), test.says) || response.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %.60q: %d %s %s", test.method, test.body, response.StatusCode, response.Header.Get("Content-Type"), body)
		}
		if response.Header.Get("Access-Control-Allow-Origin") != "*" || response.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s %.60q: %v", test.method, test.body, response.Header)
		}
	}
	response, _ := s.do(t, "OPTIONS", "/mcp", "", "Origin", "https://elsewhere.example", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "content-type,mcp-protocol-version")
	for _, name := range []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Content-Type"} {
		if !strings.Contains(response.Header.Get("Access-Control-Allow-Headers"), name) {
			t.Errorf("pages may not send %s: %v", name, response.Header)
		}
	}
}

// TestToolsAreLimitedAsTheirOperations: a call counts as a request of its client to the operation,
// so that the same number passes by either way, and messages have a limit of their own.
func TestToolsAreLimitedAsTheirOperations(t *testing.T) {
	clock := &atomic.Int64{}
	s := newSite(t, seeded(t), limiting(t, limit.Config{}, clock, keys.New(time.Now)))
	const search = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_events","arguments":{"limit":1}}}`
	passed, refused := 0, ""
	for range 120 {
		response, body := s.do(t, "POST", "/mcp", search, sentBy("203.0.113.1")...)
		if response.StatusCode != http.StatusOK {
			t.Fatalf("after %d messages: %d %s", passed, response.StatusCode, body)
		}
		if strings.Contains(string(body), `"isError":true`) {
			refused = string(body)
		} else {
			passed++
		}
	}
	if passed != 30 || !strings.Contains(refused, "too_many_requests") || !strings.Contains(refused, "retry_after") {
		t.Errorf("%d calls are let through, then %s", passed, refused)
	}
	if response, _ := s.do(t, "POST", "/api/events", "{}", sentBy("203.0.113.1")...); response.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the search by body after as many calls: %d", response.StatusCode)
	}
	if response, body := s.do(t, "POST", "/mcp", search, sentBy("203.0.113.1")...); response.StatusCode != http.StatusTooManyRequests {
		t.Errorf("message 121: %d %s", response.StatusCode, body)
	}
	if response, _ := s.do(t, "POST", "/api/events", "{}", sentBy("203.0.113.2")...); response.StatusCode != http.StatusOK {
		t.Errorf("another client: %d", response.StatusCode)
	}
}

// TestOperationsThatFailAreErrorsOfTheService: an operation that panics is no answer, and stops
// nothing.
func TestOperationsThatFailAreErrorsOfTheService(t *testing.T) {
	asked := newOperations(func(api fiber.Router) {
		api.Get("/broken", func(*fiber.Ctx) error { panic("broken") })
	})
	from := &asker{}
	status, _ := asked.ask(context.WithValue(t.Context(), askerKey{}, from), "GET", "/api/broken", nil)
	if failed := from.failed.Load(); status != http.StatusInternalServerError || failed == nil || !strings.Contains((*failed).Error(), "broken") {
		t.Errorf("status %d, %v", status, failed)
	}
}

// link is a link of Markdown.
var link = regexp.MustCompile(`\]\((https?://[^)]+)\)`)

// TestTheGuideLeadsSomewhere: each link of /llms.txt to this service answers, with dumps and
// without, and the tools of the server are named.
func TestTheGuideLeadsSomewhere(t *testing.T) {
	client := seeded(t)
	for name, s := range map[string]site{"without dumps": newSite(t, client), "with dumps": newSite(t, client, dumped(t))} {
		response, body := s.do(t, "GET", "/llms.txt", "")
		if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != contentText || !strings.HasPrefix(string(body), "# Litfass\n\n> ") {
			t.Fatalf("%s: %d %s %s", name, response.StatusCode, kind, body)
		}
		led := map[string]bool{}
		for _, match := range link.FindAllStringSubmatch(string(body), -1) {
			path, ours := strings.CutPrefix(match[1], strings.TrimSuffix(publicURL, "/"))
			if !ours || path == "/developers" { // a page of the site
				continue
			}
			led[path] = true
			if response, answer := s.do(t, "GET", path, ""); response.StatusCode != http.StatusOK {
				t.Errorf("%s: %s: %d %.200s", name, path, response.StatusCode, answer)
			}
		}
		for path, there := range map[string]bool{
			"/api/events": true, "/api/events.ics": true, "/api/events.xlsx": true, "/api/changes": true, "/api/openapi.json": true,
			"/api/events/facets?by=city%2Ccategories%2Cprice_type": true, "/api/venues": true, "/api/catalog.jsonld": name == "with dumps",
			"/api/dumps/events.jsonl.gz": name == "with dumps",
		} {
			if led[path] != there {
				t.Errorf("%s: a link to %s: %t", name, path, led[path])
			}
		}
		if !strings.Contains(string(body), "`https://litfass.example/mcp`") || !strings.Contains(string(body), "- `search_events`: ") {
			t.Errorf("%s: the tools are not there: %s", name, body)
		}
	}
}

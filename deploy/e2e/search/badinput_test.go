package search

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/chassis/fault"
)

const (
	version7 = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	version4 = "0197a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b"
)

// tooLong is a value of 20 kB.
var tooLong = strings.Repeat("x", 20_000)

// bad are values that each parameter must refuse.
var bad = map[string][]string{
	"categories":           {"x", "1,x", "1.5", "0", "7", "-1", "1;2", "99999999999999999999", tooLong},
	"start":                {"x", "2024-02-30", "2023-02-29", "24-1-1", "2024-13-01", "2024-00-10", "20240101", "2024-01-01T00:00", "yesterday", tooLong},
	"end":                  {"x", "2024-02-30", "2025-02-29", "2024-1-1", "2024-12-32", "-2024-01-01", "now", tooLong},
	"on":                   {"x", "2024-02-30", "2024-01-02,2024-01-01", "2024-01-01,2024-01-02,2024-01-03", "2024-01-01,", "weekend,today", "yesterday", tooLong},
	"starts_before":        {"x", "2024-02-30", "weekend", "2024-01-01,2024-01-02", tooLong},
	"languages":            {"d", "deut", "d!", "de,x", tooLong},
	"release_statuses":     {"x", "draft", "review", "inherited", "released,x", tooLong},
	"ongoing":              {"maybe", "2", tooLong},
	"time":                 {"8", "8,9,10", "25,26", "24,8", "8,25", "860,900", "8:00,9:00", "a,b", "8_9", ",", "8,", "-9", "008,900", "0860,0900", "2400,8", "8,2401", tooLong},
	"title":                {tooLong, "*" + tooLong + "*"},
	"venue":                {tooLong, tooLong + "*"},
	"postal_code":          {tooLong, "*" + tooLong},
	"city":                 {tooLong},
	"tags":                 {tooLong},
	"availability":         {"plenty", "Sold_out", "sold_out,,few_left", tooLong},
	"available":            {"1", "yes", "TRUE", "true,true"},
	"contributor":          {"x", "anna", "01920000-0000-4000-8000-0000000000c1"},
	"label":                {tooLong, "a b", "Tip", "a_b"},
	"event_types":          {"x", "1.5", "1,,x", "-1", "99999999999999999999", tooLong},
	"genres":               {"x", "1.5", "1001,x", "-1", "1e3", tooLong},
	"space_types":          {tooLong},
	"countries":            {tooLong},
	"search":               {tooLong, strings.Repeat("word ", 4000)},
	"age":                  {"x", "-1", "1,2,3", "1.5", "18,6", "1,", "99999999999999999999", tooLong},
	"price":                {"x", "10", "10,EURO", "10,EU", "-1,EUR", "x,EUR", "NaN,EUR", "Inf,EUR", "1e400,EUR", "10,EUR,1", ",EUR", "10,", tooLong},
	"accessibility":        {"x", "64", "-1", "1.5", "1,x", tooLong},
	"visitor_infos":        {"x", "64", "-1", "1.5", "0,1000", tooLong},
	"lon":                  {"x", "180.1", "-181", "NaN", "Inf", "1,5", "1e999", tooLong},
	"lat":                  {"x", "90.1", "-91", "NaN", "-Inf", "1,5", tooLong},
	"radius":               {"x", "-1", "NaN", "Inf", "10m", tooLong},
	"geolist_region":       {"a", "a,b", "a,b,c,d", ",,", "a,,c", tooLong},
	"list":                 {"A", "a,b", "a b", "unknown-list", "secret-list", tooLong},
	"portal":               {"A", "a,b", "a b", "unknown-portal", tooLong},
	"org_uuids":            {"x", version4, version7 + "0", version7[:35], version7 + "," + version4, "null", tooLong},
	"venue_uuids":          {"x", version4, version7 + ";" + version7, tooLong},
	"space_uuids":          {"x", version4, tooLong},
	"series_uuids":         {"x", version4, tooLong},
	"group":                {"x", "event,series", tooLong},
	"price_types":          {"cheap", "free,x", tooLong},
	"total":                {"maybe", "1", tooLong},
	"event_uuids":          {"x", version4, "{" + version7 + "}x", tooLong},
	"limit":                {"x", "0", "201", "-1", "1.5", "99999999999999999999", tooLong},
	"offset":               {"x", "-1", "10001", "1.5", tooLong},
	"sort":                 {"x", "title", "start,title", tooLong},
	"last_event_start_at":  {"x", "2024-01-01", "2024-01-01T25:00", "2024-02-30T10:00", "2024-01-01 10:00x", tooLong},
	"last_event_date_uuid": {"x", version4, tooLong},
}

// partner completes a parameter that needs others, so that only the bad value is bad.
var partner = map[string]reference.Parameters{
	"lon":                  {"lat": "1", "radius": "1"},
	"lat":                  {"lon": "1", "radius": "1"},
	"radius":               {"lon": "1", "lat": "1"},
	"last_event_start_at":  {"last_event_date_uuid": version7},
	"last_event_date_uuid": {"last_event_start_at": "2024-01-01T10:00"},
}

// testBadInput sends invalid values, one at a time and combined, to every operation with the
// parameters.
func testBadInput(s *harness.System, t *testing.T, c *reference.Catalogue) {
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		for _, value := range bad[name] {
			p := reference.Parameters{name: value}
			maps.Copy(p, partner[name])
			refused(s, t, "/api/events", p, name)
			if name != "limit" && name != "offset" && name != "sort" {
				refused(s, t, "/api/events/type-summary/", p, name)
			}
		}
	}
	t.Run("all at once", func(t *testing.T) { testAllBad(s, t) })
	t.Run("combinations", func(t *testing.T) { testBadCombinations(s, t) })
	t.Run("encodings", func(t *testing.T) { testBadEncodings(s, t) })
	t.Run("many ids", func(t *testing.T) { testManyIDs(s, t, c) })
	t.Run("bodies", func(t *testing.T) { testBadBodies(s, t) })
	t.Run("good edges", func(t *testing.T) { testGoodEdges(s, t) })
}

// refused sends a GET, and a POST with the same text as a JSON string; both must answer 400 and
// name the field.
func refused(s *harness.System, t *testing.T, path string, p reference.Parameters, fields ...string) {
	t.Helper()
	refusedRaw(s, t, path+"?"+client.Encode(p, false), fields...)
	if path != "/api/events" {
		return
	}
	body, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	refusedBody(s, t, string(body), fields...)
}

func refusedRaw(s *harness.System, t *testing.T, path string, fields ...string) {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), path)
	if err != nil {
		t.Errorf("GET %.200s: %v", path, err)
	} else if err := names(answer, fields...); err != nil {
		t.Errorf("GET %.200s: %v", path, err)
	}
}

func refusedBody(s *harness.System, t *testing.T, body string, fields ...string) {
	t.Helper()
	answer, err := s.Client.Post(t.Context(), "/api/events", "application/json", []byte(body))
	if err != nil {
		t.Errorf("POST %.200s: %v", body, err)
	} else if err := names(answer, fields...); err != nil {
		t.Errorf("POST %.200s: %v", body, err)
	}
}

// names checks the shape of a refusal (RULES.md, Responses): 400 with every bad field named.
func names(answer client.Answer, fields ...string) error {
	var refusal struct {
		Error     string `json:"error"`
		Code      string `json:"code"`
		RequestID string `json:"request_id"`
		Details   []fault.Violation
	}
	if answer.Status != 400 {
		return fmt.Errorf("status %d, want 400: %.300s", answer.Status, answer.Body)
	}
	if err := json.Unmarshal(answer.Body, &refusal); err != nil {
		return fmt.Errorf("refusal is not JSON: %w: %.300s", err, answer.Body)
	}
	if refusal.Error == "" || refusal.Code == "" || refusal.RequestID == "" {
		return fmt.Errorf("refusal lacks error, code or request_id: %.300s", answer.Body)
	}
	if len(answer.Body) > 20_000 {
		return fmt.Errorf("refusal repeats the input: %d bytes", len(answer.Body))
	}
	for _, field := range fields {
		named := false
		for _, detail := range refusal.Details {
			named = named || detail.Field == field && detail.Reason != "" && detail.Code != "" && detail.Params != nil
		}
		if !named {
			return fmt.Errorf("refusal does not name %s: %.600s", field, answer.Body)
		}
	}
	return nil
}

// testAllBad: every bad field is named, not only the first.
func testAllBad(s *harness.System, t *testing.T) {
	p, fields := reference.Parameters{"no_such_parameter": "1"}, []string{"no_such_parameter"}
	for name, values := range bad {
		if value := values[0]; value != tooLong {
			p[name], fields = value, append(fields, name)
		}
	}
	refused(s, t, "/api/events", p, fields...)
}

func testBadCombinations(s *harness.System, t *testing.T) {
	for _, test := range []struct {
		query  string
		fields []string
	}{
		{"event_types=1&genres=1001", []string{"genres"}},
		{"last_event_start_at=2024-01-01T10:00", []string{"last_event_date_uuid"}},
		{"last_event_date_uuid=" + version7, []string{"last_event_start_at"}},
		{"last_event_start_at=2024-01-01T10:00&last_event_date_uuid=" + version7 + "&offset=5", nil},
		{"last_event_start_at=2024-01-01T10:00&last_event_date_uuid=" + version7 + "&search=jazz", nil},
		{"foo=1", []string{"foo"}},
		{"titel=x&citty=y", []string{"titel", "citty"}},
		{"Title=x", []string{"Title"}},
		{"title[]=x", []string{"title[]"}},
	} {
		refusedRaw(s, t, "/api/events?"+test.query, test.fields...)
	}
	answer, err := s.Client.Get(t.Context(), "/api/events?titel=x")
	if err != nil || !strings.Contains(string(answer.Body), `title`) {
		t.Errorf("the answer does not name the nearest known parameter: %s, %v", answer.Body, err)
	}
}

// testBadEncodings sends bytes that are not valid text.
func testBadEncodings(s *harness.System, t *testing.T) {
	for _, name := range []string{"title", "venue", "city", "postal_code", "tags", "search", "space_types", "countries", "start", "categories", "org_uuids", "sort"} {
		for _, value := range []string{"%ff%fe", "a%80b", "%c3%28", "%ed%a0%80", "%f5%80%80%80", "%zz", "%"} {
			refusedRaw(s, t, "/api/events?"+name+"="+value, name)
		}
	}
	refusedRaw(s, t, "/api/events?%ff=1")
	refusedBody(s, t, "{\"title\":\"\xff\"}")
	neverFails(s, t, "/api/events?title=%00", "/api/events?search=%00", "/api/events?tags=%00,a", "/api/events?title=a&title=b",
		"/api/events?&&&", "/api/events?=", "/api/events?=x", "/api/events?title", "/api/events?countries=D%E2%82%ACU", "/api/events?countries=DE",
		"/api/events?space_types=no_such", "/api/events?event_types=0", "/api/events?genres=0", "/api/events?event_types=2147483647",
		"/api/events?tags=,,", "/api/events?categories=1,,2", "/api/events?search=%22", "/api/events?search=-", "/api/events?search=*",
		"/api/events?price=10,eur", "/api/events?price=10,XYZ", "/api/events?title="+url.QueryEscape(strings.Repeat("*", 300)))
}

// neverFails: what the interface does not define may be refused or answered, but must not fail.
func neverFails(s *harness.System, t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		answer, err := s.Client.Get(t.Context(), path)
		if err != nil || answer.Status != 200 && answer.Status != 400 {
			t.Errorf("GET %.200s: status %d, %v: %.300s", path, answer.Status, err, answer.Body)
		}
	}
}

// testManyIDs: 3,000 ids are too many for a URL, which still is read to name them; 5,000 not for a
// body.
func testManyIDs(s *harness.System, t *testing.T, c *reference.Catalogue) {
	ids := make([]string, 5000)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s%012x", version7[:24], i)
	}
	list := strings.Join(ids, ",")
	refusedRaw(s, t, "/api/events?event_uuids="+strings.Join(ids[:3000], ","), "event_uuids")
	refusedRaw(s, t, "/api/events?event_types="+strings.Repeat("1,", 4999)+"1", "event_types")
	k := harness.NewChecker(s.Client, s.Reference(c))
	own := k.Ref.Dates()[0].Event.UUID
	q := generate.Query{Parameters: reference.Parameters{"event_uuids": list + "," + own}, Post: true}
	if err := k.Check(t.Context(), q); err != nil {
		t.Errorf("POST of 5,001 ids: %v", err)
	}
}

// testBadBodies sends malformed bodies.
func testBadBodies(s *harness.System, t *testing.T) {
	for body, fields := range map[string][]string{
		`[]`: nil, `null`: nil, `"x"`: nil, `5`: nil, `{`: nil, `{"title":"a"}}`: nil, `{"title":"a"} x`: nil, `{title:"a"}`: nil,
		`{"title":5}`:                          {"title"},
		`{"title":{"$ne":""}}`:                 {"title"},
		`{"title":["a"]}`:                      {"title"},
		`{"limit":"x","offset":{}}`:            {"limit", "offset"},
		`{"limit":1e9}`:                        {"limit"},
		`{"limit":true}`:                       {"limit"},
		`{"categories":"x"}`:                   {"categories"},
		`{"categories":[1,"x"]}`:               {"categories"},
		`{"categories":[[1]]}`:                 {"categories"},
		`{"categories":{"1":1}}`:               {"categories"},
		`{"event_uuids":[1]}`:                  {"event_uuids"},
		`{"event_uuids":["` + version4 + `"]}`: {"event_uuids"},
		`{"foo":1,"titel":"x"}`:                {"foo", "titel"},
		`{"ongoing":"perhaps"}`:                {"ongoing"},
		`{"lat":"x","lon":200,"radius":-1}`:    {"lat", "lon", "radius"},
		`{"event_types":[1],"genres":[1001]}`:  {"genres"},
		strings.Repeat("[", 20_000):            nil,
	} {
		refusedBody(s, t, body, fields...)
	}
	for _, test := range []struct {
		contentType, body string
		status            []int
	}{
		{"text/plain", `{}`, []int{415}},
		{"application/xml", `<a/>`, []int{415}},
		{"application/json", `{}`, []int{200}},
		{"application/json; charset=utf-8", `{"limit":1}`, []int{200}},
		{"application/json", ``, []int{200, 400}},
		{"application/json", `{"title":"` + strings.Repeat("x", 20<<20) + `"}`, []int{400, 413}},
	} {
		answer, err := s.Client.Post(t.Context(), "/api/events", test.contentType, []byte(test.body))
		if err != nil || !slices.Contains(test.status, answer.Status) {
			t.Errorf("POST %s %.60q: status %d, %v, want %v", test.contentType, test.body, answer.Status, err, test.status)
		}
	}
}

// testGoodEdges: values just inside the limits are accepted.
func testGoodEdges(s *harness.System, t *testing.T) {
	for _, query := range []string{
		"limit=1", "limit=200", "offset=0", "offset=10000", "start=2024-02-29", "start=today&end=today", "time=0,23", "time=8,24", "time=8-2400", "on=weekend", "on=today,tomorrow", "foo=", "time=0000-2359", "time=22-4",
		"lat=90&lon=180&radius=0", "lat=-90&lon=-180&radius=20100000", "lat=1", "lon=1&radius=5", "age=0", "age=0,120", "price=0,EUR", "price=9.99,EUR", "price=free",
		"accessibility=0,63", "visitor_infos=63", "geolist_region=a,b,c", "countries=deu,DNK", "title=", "title=*", "genres=&event_types=1", "sort=start", "search=",
		"event_uuids=" + version7, "event_uuids=" + version7 + "&event_uuids=" + version7, "ongoing=true", "ongoing=false",
		"last_event_start_at=2024-01-01T10:00&last_event_date_uuid=" + version7, "last_event_start_at=2024-01-01T10:00&last_event_date_uuid=" + version7 + "&search=a&sort=start",
	} {
		answer, err := s.Client.Get(t.Context(), "/api/events?"+query)
		if err != nil || answer.Status != 200 {
			t.Errorf("GET /api/events?%s: status %d, %v: %.300s", query, answer.Status, err, answer.Body)
		}
	}
}

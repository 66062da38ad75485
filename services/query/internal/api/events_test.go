package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// page is the payload of the event search as a client reads it.
type page struct {
	Events []struct {
		publicapi.Entry
		SearchRank int `json:"search_rank"`
	} `json:"events"`
	LastDateUUID *string `json:"last_event_date_uuid"`
	LastStartAt  *string `json:"last_event_start_at"`
}

func (p page) names(t *testing.T) string {
	t.Helper()
	var names string
	for _, e := range p.Events {
		names += nameOf(t, e.DateUUID)
	}
	return names
}

const theSearch = "/api/events?"

// finds are the dates that parameters find, in their order.
var finds = []struct{ query, want string }{
	{"", "abcdefgh"},
	{"limit=3", "abc"}, {"limit=3&offset=6", "gh"}, {"offset=8", ""}, {"limit=200&offset=10000", ""},
	{"categories=1", "f"}, {"categories=5,6", "fg"}, {"categories=2", ""},
	{"start=2026-11-20", "cdefgh"}, {"start=today", "cdefgh"}, {"start=today&ongoing=true", "bcdefgh"}, {"start=2026-11-22&ongoing=true", "h"},
	{"end=2026-11-20", "acdefg"}, {"end=2026-11-21", "abcdefg"}, {"start=today&end=today", "cdefg"}, {"start=2024-02-29&end=2024-02-29", "a"},
	{"start=2027-01-02", ""}, {"ongoing=true", "abcdefgh"},
	{"on=today", "bcdefg"}, {"on=2026-11-21", "b"}, {"on=tomorrow", "b"}, {"on=weekend", "b"}, {"on=2026-11-22,2027-01-01", "h"}, {"on=2026-11-19,2026-11-20", "bcdefg"},
	{"starts_before=2026-11-19", "ab"}, {"starts_before=today&start=today", "cdefg"}, {"on=today&starts_before=2026-11-19", "b"},
	{"languages=da", "f"}, {"languages=DA,de", "ef"}, {"languages=fr", ""}, {"release_statuses=cancelled", "g"}, {"release_statuses=cancelled,released", "abcdefgh"}, {"release_statuses=deferred", ""},
	{"time=20,24", "b"}, {"time=0,2400", "bdefgh"}, {"lang=de-DE&nonsense=", "abcdefgh"}, {"city=*", "bcdf"},
	{"time=0-8", "d"}, {"time=0,0815", "de"}, {"time=1930,1930", "fg"}, {"time=19-20", "fg"}, {"time=23-0", "bd"}, {"time=2331,2359", ""}, {"time=0,23", "defgh"},
	{"title=jazz", "e"}, {"title=JAZZ*", "ef"}, {"title=*night", "b"}, {"title=*jazz*", "bef"}, {"title=*\"jazz\"*", "b"}, {"title=*", "abcdefgh"},
	{"title=midnight+*show**", "d"}, {"title=*%5C*", "h"}, {"title=*%25", "h"}, {"title=*%F0%9F%8E%B7+*", "g"}, {"title=*%F0%9F%8E%B7+", "g"}, {"title=ja*zz", ""},
	{"venue=k%C3%BChlhaus", "bdf"}, {"venue=kuhlhaus", ""}, {"venue=STRASSE*", "c"}, {"venue=*", "bcdf"}, {"venue=*7", "c"},
	{"postal_code=24937", "bdf"}, {"postal_code=24*", "bdf"}, {"postal_code=*00", "c"}, {"city=s%C3%B8nderborg", "c"}, {"city=*b*", "bcdf"}, {"city=flensburg*", "bdf"},
	{"availability=sold_out,few_left", "de"}, {"available=true", "d"}, {"available=true&availability=sold_out", ""}, {"available=false&label=kids", "de"},
	{"label=kids", "de"}, {"label=tip,unknown", "e"}, {"label=kids&age=8", "de"}, {"label=unknown", ""},
	{"contributor=" + contributorTrio, "de"}, {"contributor=" + contributorMerged + "," + contributorAnna, "de"}, {"contributor=" + contributorAnna + "&label=tip", "e"},
	{"contributor=" + eventID('z'), ""}, {"search=thomsen", "e"}, {"search=trio+nord&sort=start", "de"},
	{"tags=JAZZ", "b"}, {"tags=open+air,family", "be"}, {"tags=50%25", "c"}, {"tags=say+%22NO%22", "c"}, {"tags=open", ""},
	{"event_types=1", "ab"}, {"event_types=3,1", "abh"}, {"genres=1002,3001", "bh"}, {"genres=9", ""}, {"event_types=2", ""},
	{"space_types=hall", "d"}, {"space_types=tent,hall", "df"}, {"space_types=church", ""},
	{"countries=deu", "bdf"}, {"countries=DNK,DEU", "bcdf"}, {"countries=JPN", ""},
	{"search=jazz&sort=start", "bef"}, {"search=late+jazz", "b"}, {"search=jaz&sort=start", "bef"}, {"search=jazz+k%C3%BChlhaus&sort=start", "bf"}, {"search=jazz+nowhere", ""},
	{"search=jazz+-eight&sort=start", "f"}, {"search=%22eight+jazz%22", "f"}, {"search=%F0%9F%8E%B7", "g"}, {"search=family", "e"},
	{"age=12", "de"}, {"age=5", "e"}, {"age=6,12", "de"}, {"age=6,13", ""}, {"age=18", "g"}, {"age=999", "g"}, {"age=17,19", ""},
	{"price=free", "a"}, {"price=donation", "c"}, {"price=9.99,EUR", "ae"}, {"price=9.98,eur", "a"}, {"price=100,EUR", "aef"}, {"price=5,DKK", "ag"}, {"price=0,JPY", "a"},
	{"accessibility=3", "df"}, {"accessibility=3,63", "d"}, {"accessibility=1", ""}, {"visitor_infos=7", "fg"}, {"visitor_infos=42,7", "f"},
	{"lon=9.43&lat=54.79&radius=2000", "bdf"}, {"lon=9.43&lat=54.79&radius=30000", "bcdf"}, {"lon=9.43&lat=54.79&radius=0", ""}, {"lon=9.43&lat=54.79", "abcdefgh"},
	{"lon=-179.9&lat=-54&radius=10000", ""}, {"lon=9.7922&lat=54.9138&radius=0", "c"},
	{"geolist_region=deu,sh,flensburg", "bdf"}, {"geolist_region=deu,sh,kiel", ""}, {"geolist_region=deu,sh,flensburg&lon=9.7922&lat=54.9138&radius=100", ""},
	{"org_uuids=" + orgID('y'), "f"}, {"org_uuids=" + orgID('x') + "," + orgID('y'), "abcdefgh"}, {"venue_uuids=" + venueID('s'), "c"},
	{"venue_uuids=" + venueID('s') + "&lon=9.43&lat=54.79&radius=2000", ""}, {"event_uuids=" + eventID('h') + "&event_uuids=" + eventID('a'), "ah"},
	{"event_uuids=" + strings.ToUpper(eventID('h')), "h"}, {"event_uuids=" + eventID('z'), ""},
	{"last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + dateID('f'), "gh"}, {"last_event_start_at=2026-11-20T19:29&last_event_date_uuid=" + dateID('z'), "fgh"},
	{"last_event_start_at=2026-11-20T00:00&last_event_date_uuid=" + dateID('c') + "&venue=*", "df"}, {"last_event_start_at=2027-01-01T12:00&last_event_date_uuid=" + dateID('h'), ""},
	{"last_event_start_at=2026-11-20T08:15&last_event_date_uuid=" + dateID('e') + "&search=jazz&sort=start", "f"},
	{"categories=&title=&price=&lon=&limit=", "abcdefgh"},
	{"start=today&venue=k*&accessibility=3&price=50,EUR&search=jazz&time=18-20", "f"},
}

// TestEventSearch runs against the real engine. Tests that only read share one index.
func TestEventSearch(t *testing.T) {
	s := eventsSite(t, indextest.New(t))
	for name, test := range map[string]func(*testing.T, site){
		"each parameter finds what it says":         eachParameterFindsWhatItSays,
		"entries are the documents with their rank": entriesAreTheDocumentsWithTheirRank,
		"summary counts types and genres":           summaryCountsTypesAndGenres,
		"nothing found helps":                       nothingFoundHelps,
		"facets count":                              facetsCount,
		"facets come with a page":                   facetsComeWithPages,
		"values find what is counted":               valuesFindWhatIsCounted,
		"injection finds nothing":                   injectionFindsNothing,
		"bad requests keep the envelope":            badRequestsKeepTheEnvelope,
		"long lists go by post":                     longListsGoByPost,
		"head answers without a body":               headAnswersWithoutABody,
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}

// eachParameterFindsWhatItSays searches by GET and by POST and compares the counts of the summary.
func eachParameterFindsWhatItSays(t *testing.T, s site) {
	for _, test := range finds {
		var got enveloped[page]
		s.get(t, theSearch+test.query, &got)
		if names := got.Data.names(t); names != test.want {
			t.Errorf("%s finds %q, want %q", test.query, names, test.want)
		}
		var posted enveloped[page]
		s.post(t, "/api/events", asJSON(t, test.query), &posted)
		if !reflect.DeepEqual(posted.Data, got.Data) {
			t.Errorf("%s finds something else by POST: %q", test.query, posted.Data.names(t))
		}
		if strings.Contains(test.query, "offset") || strings.Contains(test.query, "limit=") || strings.Contains(test.query, "last_event") {
			continue
		}
		var counted enveloped[struct {
			Total int `json:"total_event_count"`
		}]
		s.get(t, "/api/events/type-summary?"+test.query, &counted)
		if counted.Data.Total != len(test.want) {
			t.Errorf("the summary of %s counts %d, want %d", test.query, counted.Data.Total, len(test.want))
		}
	}
}

// asJSON turns a query string into the body of a POST: lists as arrays, the rest as strings.
func asJSON(t *testing.T, query string) string {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	body := map[string]any{}
	for name, given := range values {
		text := strings.Join(given, ",")
		if slices.Contains([]string{"tags", "countries", "space_types", "languages", "release_statuses", "org_uuids", "venue_uuids", "event_uuids"}, name) {
			body[name] = strings.Split(text, ",")
		} else {
			body[name] = text
		}
	}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func entriesAreTheDocumentsWithTheirRank(t *testing.T, s site) {
	var got enveloped[struct {
		Events []map[string]any `json:"events"`
	}]
	s.get(t, theSearch+"offset=5&limit=2", &got)
	if len(got.Data.Events) != 2 {
		t.Fatalf("%d entries, want 2", len(got.Data.Events))
	}
	for i, entry := range got.Data.Events {
		var want map[string]any
		if err := json.Unmarshal(encode(t, theDates[5+i].document().Entry.Value), &want); err != nil {
			t.Fatal(err)
		}
		want["search_rank"] = float64(6 + i)
		if !reflect.DeepEqual(entry, want) {
			t.Errorf("entry %d: %v\nwant %v", i, entry, want)
		}
	}
	var after enveloped[page]
	s.get(t, theSearch+"last_event_start_at=2026-11-20T19:30&last_event_date_uuid="+dateID('f'), &after)
	if first := after.Data.Events[0]; first.SearchRank != 1 || *after.Data.LastDateUUID != dateID('h') || *after.Data.LastStartAt != "2027-01-01T12:00" {
		t.Errorf("after a cursor: rank %d, last %s at %s", first.SearchRank, *after.Data.LastDateUUID, *after.Data.LastStartAt)
	}
	var none enveloped[page]
	s.get(t, theSearch+"start=2030-01-01", &none)
	if none.Data.Events == nil || none.Data.LastDateUUID != nil || none.Data.LastStartAt != nil {
		t.Errorf("nothing found: %+v", none.Data)
	}
}

func TestRelevanceComesBeforeStart(t *testing.T) {
	client := indextest.New(t)
	word := func(name byte, start, title, tag string) []byte {
		return encode(t, dated{name, start, "", title, tags(tag)}.document())
	}
	put(t, client, document.Dates,
		word('t', "2026-01-01T10:00", "Something", "saxophone"), word('u', "2026-01-02T10:00", "Saxophone", "x"), word('v', "2026-01-01T11:00", "Saxophone", "x"))
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for query, want := range map[string]string{"search=saxophone": "vut", "search=saxophone&sort=start": "tvu"} {
		var got enveloped[page]
		s.get(t, theSearch+query, &got)
		if names := got.Data.names(t); names != want {
			t.Errorf("%s finds %q, want %q", query, names, want)
		}
	}
}

func summaryCountsTypesAndGenres(t *testing.T, s site) {
	for query, want := range map[string]string{
		"":                            `{"genre_summary":[{"id":1001,"count":1},{"id":1002,"count":1},{"id":3001,"count":1}],"type_summary":[{"id":1,"count":2},{"id":3,"count":2}],"total_event_count":8}`,
		"title=*jazz*":                `{"genre_summary":[{"id":1002,"count":1}],"type_summary":[{"id":1,"count":1},{"id":3,"count":1}],"total_event_count":3}`,
		"event_types=3":               `{"genre_summary":[{"id":1002,"count":1},{"id":3001,"count":1}],"type_summary":[{"id":3,"count":2},{"id":1,"count":1}],"total_event_count":2}`,
		"search=jazz":                 `{"genre_summary":[{"id":1002,"count":1}],"type_summary":[{"id":1,"count":1},{"id":3,"count":1}],"total_event_count":3}`,
		"lon=0&lat=0&radius=1":        `{"genre_summary":[],"type_summary":[],"total_event_count":0}`,
		"venue=none":                  `{"genre_summary":[],"type_summary":[],"total_event_count":0}`,
		"limit=1&offset=5&sort=start": `{"genre_summary":[{"id":1001,"count":1},{"id":1002,"count":1},{"id":3001,"count":1}],"type_summary":[{"id":1,"count":2},{"id":3,"count":2}],"total_event_count":8}`,
		"last_event_start_at=2027-01-01T12:00&last_event_date_uuid=" + dateID('h') + "&genres=1001": `{"genre_summary":[{"id":1001,"count":1}],"type_summary":[{"id":1,"count":1}],"total_event_count":1}`,
	} {
		var got enveloped[json.RawMessage]
		s.get(t, "/api/events/type-summary/?"+query, &got)
		if string(got.Data) != want || got.ResponseType != "get-events-type-summary" {
			t.Errorf("%s: %s %s\nwant %s", query, got.ResponseType, got.Data, want)
		}
		s.post(t, "/api/events/type-summary", asJSON(t, query), &got)
		if string(got.Data) != want {
			t.Errorf("%s by POST: %s", query, got.Data)
		}
	}
}

// injectionFindsNothing: filters and operators inside values are text like any other.
func injectionFindsNothing(t *testing.T, s site) {
	for _, text := range []string{
		`" OR uuid EXISTS`, `x" OR title_key EXISTS OR title_key = "x`, `\" OR uuid EXISTS OR title_key = \"`, `' OR '1'='1`, `x') OR (uuid EXISTS`,
		"] OR uuid EXISTS", "$", "^", "#", "\U000F0022 OR uuid EXISTS", `", "^jazz$`, "NOT x", "title_key EXISTS", "*) OR (uuid EXISTS) OR (title_key STARTS WITH *",
	} {
		escaped := url.QueryEscape(text)
		for _, query := range []string{
			"title=" + escaped, "venue=" + escaped, "city=" + escaped + "*", "postal_code=*" + escaped, "tags=" + escaped, "title=*" + escaped + "*",
			"geolist_region=a,b," + url.QueryEscape(strings.ReplaceAll(text, ",", "")),
		} {
			var got enveloped[page]
			s.get(t, theSearch+query, &got)
			if len(got.Data.Events) != 0 {
				t.Errorf("%s finds %s", query, got.Data.names(t))
			}
		}
	}
	for _, query := range []string{"countries=D%22%5D", "space_types=x%22", "price=1,E%22R", "sort=start_key:desc", "start=2024-01-01%20OR%20x", "categories=1%20OR%201=1"} {
		if response, body := s.do(t, "GET", theSearch+query, ""); response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", query, response.StatusCode, body)
		}
	}
}

func badRequestsKeepTheEnvelope(t *testing.T, s site) {
	ids := strings.Repeat(eventID('a')+",", 2999) + eventID('a')
	for _, test := range []struct {
		method, path, body, contentType string
		status                          int
		fields                          string
	}{
		{"GET", "/api/events?limit=0&titel=x&lon=900", "", "", 400, "titel limit lon"},
		{"GET", "/api/events/type-summary?event_types=1&genres=1", "", "", 400, "genres"},
		{"GET", "/api/events/?title=%ff", "", "", 400, "title"},
		{"GET", "/api/events?title=" + strings.Repeat("x", 20_000), "", "", 400, "title"},
		{"GET", "/api/events?event_uuids=" + ids, "", "", 400, "event_uuids"},
		{"POST", "/api/events", `{"limit":"x","offset":{}}`, "application/json", 400, "offset limit"},
		{"POST", "/api/events", `[]`, "application/json", 400, "body"},
		{"POST", "/api/events?limit=5", `{}`, "application/json", 400, "url"},
		{"POST", "/api/events", `{}`, "text/plain", 415, ""},
		{"POST", "/api/events", strings.Repeat(" ", 3<<20) + `{}`, "application/json", 413, ""},
		{"PUT", "/api/events", `{}`, "application/json", 405, ""},
		{"POST", "/api/events/type-summary/", strings.Repeat(" ", 3<<20), "application/json", 413, ""},
		{"DELETE", "/api/event/" + eventID('a') + "/date/x/", "", "", 405, ""},
		{"POST", "/api/event/type-genre-lookup", "{}", "application/json", 405, ""},
		{"BREW", "/api/venues", "", "", 501, ""},
	} {
		response, body := s.do(t, test.method, test.path, test.body, "Content-Type", test.contentType)
		var got enveloped[json.RawMessage]
		var fields []string
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%s %.60s: %v in %.300s", test.method, test.path, err, body)
		}
		for _, d := range got.Details {
			fields = append(fields, d.Field)
		}
		if response.StatusCode != test.status || strings.Join(fields, " ") != test.fields {
			t.Errorf("%s %.60s: %d %v, want %d %s", test.method, test.path, response.StatusCode, fields, test.status, test.fields)
		}
		if got.Service != "litfass" || got.Status != test.status || got.ResponseType == "" {
			t.Errorf("%s %.60s: envelope %+v", test.method, test.path, got.Envelope)
		}
	}
}

func longListsGoByPost(t *testing.T, s site) {
	ids := make([]string, 0, 10_000)
	for i := range 9_999 {
		ids = append(ids, fmt.Sprintf("01930000-0000-7000-9000-%012x", i))
	}
	body := encode(t, map[string]any{"event_uuids": append(ids, eventID('h')), "limit": 3})
	var got enveloped[page]
	s.post(t, "/api/events/", string(body), &got)
	if got.Data.names(t) != "h" {
		t.Errorf("found %q", got.Data.names(t))
	}
}

func headAnswersWithoutABody(t *testing.T, s site) {
	response, body := s.do(t, "HEAD", "/api/events?limit=1", "")
	if response.StatusCode != http.StatusOK || len(body) != 0 || response.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d, %d bytes of %s", response.StatusCode, len(body), response.Header.Get("Content-Type"))
	}
}

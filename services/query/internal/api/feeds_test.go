package api

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/index/indextest"
	"litfass/services/query/internal/feed"
)

// feedIDs find the uuids of dates in each format; package feed has parsers read them.
var feedIDs = map[string]*regexp.Regexp{
	"ics": regexp.MustCompile(`UID:([0-9a-f-]{36})`), "rss": regexp.MustCompile(`<guid isPermaLink="false">urn:uuid:([0-9a-f-]{36})<`),
	"atom": regexp.MustCompile(`<entry><id>urn:uuid:([0-9a-f-]{36})<`), "json": regexp.MustCompile(`"id":"urn:uuid:([0-9a-f-]{36})"`),
	"geojson": regexp.MustCompile(`"id":"([0-9a-f-]{36})"`), "jsonld": regexp.MustCompile(`"identifier":"([0-9a-f-]{36})"`),
	"csv": regexp.MustCompile(`,([0-9a-f-]{36})\r\n`), "xlsx": regexp.MustCompile(`<t>([0-9a-f-]{36})</t></is></c></row>`),
}

// datesIn returns the uuids of the dates in a feed.
func (s site) datesIn(t *testing.T, format feed.Format, address string) (ids []string, body []byte) {
	t.Helper()
	response, body := s.do(t, "GET", address, "")
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != format.ContentType {
		t.Fatalf("%s: %d %s %s", address, response.StatusCode, response.Header.Get("Content-Type"), body)
	}
	text := body
	if format.Name == "xlsx" {
		text = sheetIn(t, body)
	}
	for _, match := range feedIDs[format.Name].FindAllSubmatch(text, -1) {
		ids = append(ids, string(match[1]))
	}
	return ids, body
}

// sheetIn returns the part of a spreadsheet with its rows.
func sheetIn(t *testing.T, workbook []byte) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := archive.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := io.ReadAll(part)
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

// TestFeedsHoldTheDatesOfTheSearch: for filters of every kind, in the same order.
func TestFeedsHoldTheDatesOfTheSearch(t *testing.T) {
	s := eventsSite(t, indextest.New(t))
	found := 0
	for _, filter := range []string{
		"", "search=jazz", "search=jazz&sort=start", "search=nothing", "title=*jazz*", "city=flens*", "countries=DNK", "start=today",
		"start=2026-11-20&end=2026-11-20", "on=weekend", "on=2026-11-20,2026-11-21", "starts_before=2026-11-20&ongoing=true", "time=18-24",
		"tags=jazz,family", "event_types=1,3", "genres=1002", "categories=6", "languages=da", "release_statuses=cancelled", "price=free",
		"price=10,EUR", "age=10", "accessibility=3", "visitor_infos=7", "space_types=hall", "lon=9.43&lat=54.79&radius=2000",
		"geolist_region=deu,sh,flensburg", "geolist_region=a,b,c", "org_uuids=" + orgID('y'), "venue_uuids=" + venueID('k'),
		"event_uuids=" + eventID('h'), "limit=2", "limit=3&offset=2", "group=event", "group=event&search=jazz&limit=2", "group=event&limit=1&offset=1", "search=jazz&limit=1&offset=1", "title=", "tags=50%25&tags=open+air",
	} {
		var searched enveloped[page]
		s.get(t, "/api/events?"+atMost(filter), &searched)
		var want []string
		for _, entry := range searched.Data.Events {
			want = append(want, entry.DateUUID)
		}
		found += len(want)
		for _, format := range feed.Formats {
			if got, body := s.datesIn(t, format, "/api/events."+format.Name+"?"+filter); !slices.Equal(got, want) {
				t.Errorf("%s of %s: %v, the search finds %v in %s", format.Name, filter, got, want, body)
			}
		}
	}
	if found < 50 {
		t.Errorf("the searches find %d dates: they say little", found)
	}
}

// atMost returns a query of the search for all dates unless it has a limit.
func atMost(query string) string {
	if strings.Contains(query, "limit=") {
		return query
	}
	return "limit=200&" + query
}

// TestNextLeadsThroughAllDates: in the formats that have pages, in both orders.
func TestNextLeadsThroughAllDates(t *testing.T) {
	s := eventsSite(t, indextest.New(t))
	for _, format := range feed.Formats {
		for _, filter := range []string{"", "search=jazz&lang=de", "offset=1", "group=event", "start=2026-11-20&tags="} {
			all, _ := s.datesIn(t, format, "/api/events."+format.Name+"?"+filter)
			address := "/api/events." + format.Name + "?limit=2&" + filter
			var walked []string
			for address != "" {
				ids, body := s.datesIn(t, format, address)
				walked = append(walked, ids...)
				address = nextIn(t, format.Name, body)
				if len(walked) > len(all) {
					t.Fatalf("%s of %s: the walk does not end: %v", format.Name, filter, walked)
				}
			}
			paged := format.Name == "atom" || format.Name == "json" || format.Name == "geojson"
			if !paged {
				all = all[:min(2, len(all))]
			}
			if !slices.Equal(walked, all) {
				t.Errorf("%s of %s: walked %v of %v", format.Name, filter, walked, all)
			}
		}
	}
}

var nexts = map[string]*regexp.Regexp{
	"atom": regexp.MustCompile(`<link rel="next" type="application/atom\+xml" href="([^"]+)"`), "json": regexp.MustCompile(`"next_url":"([^"]+)"`),
	"geojson": regexp.MustCompile(`"rel":"next","type":"application/geo\+json","href":"([^"]+)"`),
}

// nextIn returns the path of a feed's next page, with its query; "" of none.
func nextIn(t *testing.T, format string, body []byte) string {
	t.Helper()
	if nexts[format] == nil {
		return ""
	}
	match := nexts[format].FindSubmatch(body)
	if match == nil {
		return ""
	}
	address, err := url.Parse(strings.NewReplacer("&amp;", "&", `\u0026`, "&").Replace(string(match[1])))
	if err != nil || address.Scheme+"://"+address.Host != "https://litfass.example" {
		t.Fatalf("next %s: %v", match[1], err)
	}
	return address.RequestURI()
}

// TestFeedsOfAnEvent: all of its dates, or one by its uuid or its slug.
func TestFeedsOfAnEvent(t *testing.T) {
	s := newSite(t, seeded(t))
	for _, format := range feed.Formats {
		for path, want := range map[string][]string{
			"": {jazzFirst, jazzSecond, jazzThird}, "/date/" + jazzSecond: {jazzSecond}, "/date/2026-11-20-1930-2": {jazzSecond},
			"/date/2026-11-27-2000": {jazzThird},
		} {
			address := "/api/event/" + eventJazz + path + "." + format.Name
			if got, body := s.datesIn(t, format, address); !slices.Equal(got, want) {
				t.Errorf("%s: %v in %s", address, got, body)
			}
			if got, _ := s.datesIn(t, format, address+"/?lang=de"); !slices.Equal(got, want) {
				t.Errorf("%s/: %v", address, got)
			}
		}
	}
}

// TestFeedsAreAnswersLikeOthers: HEAD, tags and errors.
func TestFeedsAreAnswersLikeOthers(t *testing.T) {
	s := newSite(t, seeded(t))
	paths := []string{"/api/venues.geojson"}
	for _, format := range feed.Formats {
		paths = append(paths, "/api/events."+format.Name, "/api/event/"+eventJazz+"."+format.Name,
			"/api/event/"+eventJazz+"/date/"+jazzThird+"."+format.Name)
	}
	for _, path := range paths {
		plain, body := s.do(t, "GET", path, "", "Accept-Encoding", "identity")
		tag := plain.Header.Get("ETag")
		if plain.StatusCode != http.StatusOK || tag == "" || plain.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d %v", path, plain.StatusCode, plain.Header)
		}
		head, none := s.do(t, "HEAD", path, "", "Accept-Encoding", "identity")
		if head.StatusCode != http.StatusOK || len(none) != 0 || head.Header.Get("ETag") != tag || head.ContentLength != int64(len(body)) ||
			head.Header.Get("Content-Type") != plain.Header.Get("Content-Type") {
			t.Errorf("HEAD %s: %d %v", path, head.StatusCode, head.Header)
		}
		if kept, _ := s.do(t, "GET", path, "", "If-None-Match", tag); kept.StatusCode != http.StatusNotModified {
			t.Errorf("%s with its tag: %d", path, kept.StatusCode)
		}
		bad, answer := s.do(t, "GET", path+"?serach=jazz&serach=x", "")
		var failure struct {
			Code    string
			Service *string
			Details []struct{ Field string }
		}
		if err := json.Unmarshal(answer, &failure); err != nil || bad.StatusCode != http.StatusBadRequest || failure.Service != nil ||
			failure.Code != "invalid_parameters" || len(failure.Details) != 1 || failure.Details[0].Field != "serach" ||
			bad.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s with a bad parameter: %d %v %s", path, bad.StatusCode, err, answer)
		}
	}
}

// TestVenuesInABox: with points on its edges, across the antimeridian, and together with filters.
func TestVenuesInABox(t *testing.T) {
	s := newSite(t, seeded(t))
	venues := func(query string) string {
		t.Helper()
		response, body := s.do(t, "GET", "/api/venues.geojson?"+query, "")
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "application/geo+json" {
			t.Fatalf("%s: %d %s", query, response.StatusCode, body)
		}
		var names []string
		for _, match := range feedIDs["geojson"].FindAllSubmatch(body, -1) {
			names = append(names, string(match[1][34:]))
		}
		return strings.Join(names, " ")
	}
	for query, want := range map[string]string{
		"": "b3 b2 b4 b1", "bbox=9.43,54.79,9.43,54.79": "b1", "bbox=9.43,54.79,9.44,54.8": "b2 b1", "bbox=9.431,54,180,90": "b3 b2",
		"bbox=9.5,-90,9.44,90": "b3 b2 b1", "bbox=9.6,-90,9.431,90": "b3 b1", "bbox=-180,-90,180,90": "b3 b2 b1", "bbox=-10,-5,0,5": "", "bbox=9,54,10,55&city=Flensburg": "b2 b1",
		"bbox=9,54,10,55&countries=DNK": "b3", "bbox=9,54,10,55&limit=1&offset=1": "b2",
	} {
		if got := venues(query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, box := range []string{"9,54,10", "9,54,10,55,1", "9,55,10,54", "181,0,1,1", "0,-91,1,1", "a,b,c,d", "9;54;10;55", ",,,", "NaN,0,1,1"} {
		response, body := s.do(t, "GET", "/api/venues.geojson?bbox="+url.QueryEscape(box), "")
		if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"field":"bbox"`) {
			t.Errorf("%s: %d %s", box, response.StatusCode, body)
		}
	}
	_, body := s.do(t, "GET", "/api/venues.geojson?limit=3", "")
	_, rest := s.do(t, "GET", nextIn(t, "geojson", body), "")
	if ids := feedIDs["geojson"].FindAll(rest, -1); len(ids) != 1 || nextIn(t, "geojson", rest) != "" {
		t.Errorf("the second page: %s", rest)
	}
}

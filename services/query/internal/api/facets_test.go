package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// counted are the facets of theDates: "value:count" in their order, and the total.
var counted = []struct {
	query, by string
	total     int
	want      string
}{
	{"", "city", 8, "Flensburg:3 SØNDERBORG:1"},
	{"city=flensburg", "city", 3, "Flensburg:3 SØNDERBORG:1"},
	{"city=flensburg&accessibility=3", "city", 2, "Flensburg:2"},
	{"city=flensburg&accessibility=3", "accessibility", 2, "3:2 0:1 63:1"},
	{"", "tags", 8, "50%:1 Jazz:1 family:1 open air:1 say \"no\":1"},
	{"availability=few_left", "availability", 1, "few_left:1 sold_out:1"},
	{"available=true", "availability", 1, "few_left:1"},
	{"", "contributor", 8, contributorTrio + ":2 " + contributorAnna + ":1"}, // no merged one
	{"contributor=" + contributorMerged + "," + unknown, "contributor", 2, contributorTrio + ":2 " + contributorAnna + ":1"},
	{"label=tip", "label", 1, "kids:2 tip:1"},
	{"tags=JAZZ", "tags", 1, "50%:1 Jazz:1 family:1 open air:1 say \"no\":1"},
	{"", "categories", 8, "1:1 5:1 6:1"},
	{"categories=6&visitor_infos=42", "categories", 0, "1:1 5:1"},
	{"", "event_types", 8, "1:2 3:2"},
	{"event_types=3", "event_types", 2, "1:2 3:2"},
	{"event_types=3", "genres", 2, "1002:1 3001:1"},
	{"price=free", "price_type", 1, "not_specified:3 regular_price:3 donation:1 free:1"},
	{"price=9.99,EUR&languages=de", "price_type", 1, "regular_price:1"},
	{"", "languages", 8, "da:1 de:1 en:1"},
	{"", "visitor_infos", 8, "7:2 42:1"},
	{"", "space_types", 8, "hall:1 tent:1"},
	{"countries=DNK", "countries", 1, "DEU:3 DNK:1"},
	{"release_statuses=cancelled", "release_statuses", 1, "released:7 cancelled:1"},
	{"city=*", "venue_uuids", 4, venueID('k') + ":3 " + venueID('s') + ":1"},
	{"languages=da", "org_uuids", 1, orgID('y') + ":1"},
	{"search=jazz", "city", 3, "Flensburg:2"},
	{"search=nothing", "city", 0, ""},
	{"geolist_region=deu,sh,kiel", "city", 0, ""},
	{"venue_uuids=" + venueID('s') + "&geolist_region=deu,sh,flensburg", "venue_uuids", 0, venueID('k') + ":3"},
	{"on=2026-11-19,2026-11-22", "day", 6, "2026-11-19:1 2026-11-20:6 2026-11-21:1 2026-11-22:0"},
	{"start=2026-11-20&end=2026-11-21", "day", 5, "2026-11-20:5 2026-11-21:0"},
	{"limit=1&offset=3&sort=start", "countries", 8, "DEU:3 DNK:1"},
	{"last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + dateID('f'), "countries", 8, "DEU:3 DNK:1"},
	{"accessibility=0", "accessibility", 1, "0:1 3:1 63:1"},
	{"visitor_infos=42", "visitor_infos", 1, "7:1 42:1"},
	{"price_types=free", "price_type", 1, "not_specified:3 regular_price:3 donation:1 free:1"},
	{"group=event&city=flensburg", "city", 3, "Flensburg:3 SØNDERBORG:1"},
}

// facetsCount counts by GET and by POST.
func facetsCount(t *testing.T, s site) {
	for _, test := range counted {
		query := "by=" + test.by + "&" + test.query
		var got, posted enveloped[publicapi.Facets]
		s.get(t, "/api/events/facets?"+query, &got)
		s.post(t, "/api/events/facets", asJSON(t, query), &posted)
		for _, answer := range []publicapi.Facets{got.Data, posted.Data} {
			if counts := shownCounts(answer.Facets[test.by]); counts != test.want || answer.Total != test.total || len(answer.Facets) != 1 {
				t.Errorf("%s: %s of %d, want %s of %d", query, counts, answer.Total, test.want, test.total)
			}
		}
	}
}

func shownCounts(facets []publicapi.Facet) string {
	var shown []string
	for _, f := range facets {
		shown = append(shown, fmt.Sprintf("%s:%d", f.Value, f.Count))
	}
	return strings.Join(shown, " ")
}

// facetsComeWithPages: the answer of the search with facets is that without them and that of the
// facets, on each of its pages, with hints, and once both are cached.
func facetsComeWithPages(t *testing.T, s site) {
	const by = "city,price_type,day"
	for _, query := range []string{
		"on=2026-11-19,2026-11-22", "start=2026-11-20&city=flensburg&total=true", "start=2026-11-20&group=event&limit=1",
		"start=2026-11-20&search=jazz", "start=2026-11-20&search=nothing", "start=2026-11-20&geolist_region=deu,sh,kiel", "start=2026-11-20&limit=1&offset=2",
		"start=2026-11-20&limit=1&last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + dateID('f'), "start=2026-11-20&lang=da",
	} {
		page, counts := s.data(t, "/api/events?"+query), s.data(t, "/api/events/facets?by="+by+"&"+query)
		want := string(page[:len(page)-1]) + `,"facets":` + string(counts) + "}"
		for range 2 {
			if got := s.data(t, "/api/events?"+query+"&facets="+by); string(got) != want {
				t.Errorf("%s: %s\nwant %s", query, got, want)
			}
		}
		if again := s.data(t, "/api/events?"+query); string(again) != string(page) {
			t.Errorf("%s is %s after it was asked for with facets", query, again)
		}
		var posted enveloped[json.RawMessage]
		body := strings.TrimSuffix(asJSON(t, query), "}") + `,"facets":["city","price_type","day"]}`
		if s.post(t, "/api/events", body, &posted); string(posted.Data) != want {
			t.Errorf("POST %s: %s\nwant %s", body, posted.Data, want)
		}
	}
}

// data returns the payload of an answer as it is sent.
func (s site) data(t *testing.T, path string) json.RawMessage {
	t.Helper()
	var answer enveloped[json.RawMessage]
	s.get(t, path, &answer)
	return answer.Data
}

// TestAnswersWithFacetsHaveATag: that of both parts.
func TestAnswersWithFacetsHaveATag(t *testing.T) {
	s := newSite(t, seeded(t))
	const path = "/api/events?facets=city"
	first, _ := s.do(t, "GET", path, "")
	tag := first.Header.Get("ETag")
	again, body := s.do(t, "GET", path, "", "If-None-Match", tag)
	if first.StatusCode != http.StatusOK || again.StatusCode != http.StatusNotModified || len(body) > 0 {
		t.Errorf("%d, then %d %s", first.StatusCode, again.StatusCode, body)
	}
	for _, other := range []string{"/api/events", "/api/events?facets=tags", "/api/events/facets?by=city"} {
		if response, _ := s.do(t, "GET", other, "", "If-None-Match", tag); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d with the tag of %s", other, response.StatusCode, path)
		}
	}
}

// valuesFindWhatIsCounted: the parameter of a dimension takes its values, and finds as many.
func valuesFindWhatIsCounted(t *testing.T, s site) {
	var all enveloped[publicapi.Facets]
	s.get(t, "/api/events/facets?start=2026-01-01&by=city,tags,categories,event_types,genres,languages,accessibility,visitor_infos,"+
		"space_types,countries,release_statuses,venue_uuids,org_uuids", &all)
	for dimension, facets := range all.Data.Facets {
		if len(facets) == 0 {
			t.Errorf("nothing is counted by %s", dimension)
		}
		for _, f := range facets {
			query := theSearch + "start=2026-01-01&" + dimension + "=" + url.QueryEscape(f.Value)
			var got enveloped[page]
			s.get(t, query, &got)
			if found := len(got.Data.Events); found != f.Count {
				t.Errorf("%s finds %d, counted are %d", query, found, f.Count)
			}
		}
	}
}

// severalDates fills the index of dates with those of three events.
func severalDates(t *testing.T, client *index.Client) {
	t.Helper()
	kiel, sea := atVenue('k', "Kühlhaus", "Kiel", "24103", "DEU"), atVenue('s', "Hav", "KIEL", "6400", "DNK")
	var lines [][]byte
	for _, event := range [][]dated{
		{
			{'a', "2026-11-20", "", "Tour", each(kiel, in("hall", 0, 3))},
			{'b', "2026-11-20", "", "Tour", each(sea, in("tent", 3))},
			{'c', "2026-11-21", "", "Tour", each(kiel, func(d *dateDraft) { d.ReleaseStatus = "cancelled" })},
		},
		{{'d', "2026-11-20", "2026-11-21", "Show", each(kiel, tags("x"))}, {'e', "2026-11-22", "", "Show", each(kiel, tags("x"))}},
		{{'f', "2026-11-22", "", "One", each(sea, tags("X"))}},
	} {
		dates := make([]document.Date, len(event))
		for i, date := range event {
			draft := date.draft()
			draft.UUID = eventID(event[0].name)
			dates[i] = draft.document()
		}
		document.Relate(dates)
		for _, date := range dates {
			lines = append(lines, encode(t, date))
		}
	}
	put(t, client, document.Dates, lines...)
}

// TestEachQueryHasAnAnswerOfItsOwn: a cache with the answers of all other queries gives the pages
// and counts of an empty cache.
func TestEachQueryHasAnAnswerOfItsOwn(t *testing.T) {
	client := indextest.New(t)
	severalDates(t, client)
	signal := cache.NewSignal(time.Now)
	signal.Hear(applied.Signal{Sequence: 1})
	kept := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	fresh := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	differing := map[string]bool{}
	for _, path := range []string{"/api/events?", "/api/events/facets?by=city&", "/api/events/facets?by=countries&", "/api/events/facets?by=day&"} {
		for _, query := range []string{
			"", "group=event", "city=kiel", "city=kiel&group=event", "search=show", "search=show&group=event", "search=tour",
			"on=2026-11-20,2026-11-22", "on=2026-11-20,2026-11-22&group=event", "on=2026-11-20,2026-11-21", "start=2026-11-21",
			"start=2026-11-21&group=event", "release_statuses=cancelled", "limit=1", "limit=1&offset=1", "limit=1&group=event",
		} {
			want := string(fresh.data(t, path+query))
			differing[want] = true
			for range 2 {
				if got := string(kept.data(t, path+query)); got != want {
					t.Errorf("%s%s: %s\nwant %s", path, query, got, want)
				}
			}
		}
	}
	if len(differing) < 30 {
		t.Errorf("the queries have only %d answers", len(differing))
	}
}

// TestFacetsCountEvents: with group=event an event counts once for each value of its dates, and the
// filter on the value finds as many events.
func TestFacetsCountEvents(t *testing.T) {
	client := indextest.New(t)
	severalDates(t, client)
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for _, test := range []struct {
		query string
		total int
		want  map[string]string
	}{
		{"", 3, map[string]string{
			"venue_uuids": venueID('k') + ":2 " + venueID('s') + ":2", "countries": "DEU:2 DNK:2", "city": "KIEL:3",
			"release_statuses": "released:3 cancelled:1", "tags": "X:2", "space_types": "hall:1 tent:1",
			"accessibility": "0:1 3:1", "org_uuids": orgID('x') + ":3",
		}},
		{"start=2026-11-22&search=show", 1, map[string]string{"countries": "DEU:1", "tags": "x:1"}},
		{"on=2026-11-20,2026-11-22", 3, map[string]string{"day": "2026-11-20:2 2026-11-21:2 2026-11-22:2"}},
		{"title=nothing&on=2026-11-20", 0, map[string]string{"city": "", "day": "2026-11-20:0"}},
	} {
		for by, want := range test.want {
			var got enveloped[publicapi.Facets]
			s.get(t, "/api/events/facets?group=event&by="+by+"&"+test.query, &got)
			if counts := shownCounts(got.Data.Facets[by]); !strings.EqualFold(counts, want) || got.Data.Total != test.total {
				t.Errorf("%s by %s: %s of %d, want %s of %d", test.query, by, counts, got.Data.Total, want, test.total)
			}
			for _, facet := range got.Data.Facets[by] {
				if by == "day" {
					continue
				}
				var found enveloped[publicapi.Events]
				s.get(t, "/api/events?group=event&total=true&"+by+"="+url.QueryEscape(facet.Value), &found)
				if test.query == "" && *found.Data.Total != facet.Count {
					t.Errorf("%s=%s finds %d, counted are %d", by, facet.Value, *found.Data.Total, facet.Count)
				}
			}
		}
	}
}

// testCountedIdsAreNamed in the requested language; texts are their own names.
func testCountedIdsAreNamed(t *testing.T, s site) {
	var got enveloped[publicapi.Facets]
	s.get(t, "/api/events/facets?lang=de&by=event_types,genres,languages,countries,city,venue_uuids,org_uuids,accessibility,tags,categories", &got)
	for dimension, want := range map[string]publicapi.Facet{
		"event_types": {Value: "1", Name: "Konzert"}, "genres": {Value: "1003", Name: "Jazz"}, "countries": {Value: "DEU", Name: "Deutschland"},
		"city": {Value: "Flensburg"}, "venue_uuids": {Value: venueHall, Name: hall().Name}, "org_uuids": {Value: orgNord, Name: "Kulturhaus Nord"},
		"categories": {Value: "1", Name: "Kultur"},
	} {
		found := false
		for _, f := range got.Data.Facets[dimension] {
			found = found || f.Value == want.Value && f.Name == want.Name
		}
		if !found {
			t.Errorf("%s: %+v is not among %+v", dimension, want, got.Data.Facets[dimension])
		}
	}
}

package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// TestAnswersAreKeptUntilTheSignalSaysThatSomethingChanged: pages, summaries and the places of
// venues alike.
func TestAnswersAreKeptUntilTheSignalSaysThatSomethingChanged(t *testing.T) {
	client := indextest.New(t)
	eventsSite(t, client)
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	signal := cache.NewSignal(func() time.Time { mu.Lock(); defer mu.Unlock(); return now })
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	const near = "/api/events?lon=9.43&lat=54.79&radius=2000"
	total := func() (events, types, nearby int) {
		t.Helper()
		var all, around enveloped[page]
		var summary enveloped[struct {
			Total int `json:"total_event_count"`
		}]
		s.get(t, "/api/events", &all)
		s.get(t, "/api/events/type-summary", &summary)
		s.get(t, near, &around)
		return len(all.Data.Events), summary.Data.Total, len(around.Data.Events)
	}
	expect := func(when string, events, nearby int) {
		t.Helper()
		if all, counted, around := total(); all != events || counted != events || around != nearby {
			t.Errorf("%s: %d entries, %d counted, %d nearby, want %d, %d and %d", when, all, counted, around, events, events, nearby)
		}
	}
	signal.Hear(applied.Signal{Sequence: 1})
	expect("at first", 8, 3)
	put(t, client, document.Dates, encode(t, dated{'i', "2026-11-25", "", "New", atVenue('s', "Straße 7", "x", "y", "DNK")}.document()))
	put(t, client, document.Venues, encode(t, venueOf(publicapi.Venue{UUID: venueID('s'), Name: "Straße 7", Lat: at(54.79), Lon: at(9.43)})))
	expect("before the signal", 8, 3)
	signal.Hear(applied.Signal{Sequence: 1})
	expect("after a heartbeat", 8, 3)
	signal.Hear(applied.Signal{Sequence: 2})
	expect("after the signal", 9, 5)
	put(t, client, document.Dates, encode(t, dated{'j', "2026-11-26", "", "Newer", nil}.document()))
	expect("before the next signal", 9, 5)
	mu.Lock()
	now = now.Add(time.Minute)
	mu.Unlock()
	expect("in silence", 10, 5)
}

// TestEveryAnswerSaysItsOwnTime: the payload is cached, not the envelope.
func TestEveryAnswerSaysItsOwnTime(t *testing.T) {
	signal := cache.NewSignal(time.Now)
	signal.Hear(applied.Signal{Sequence: 1})
	s := serveEvents(t, engine.New(indextest.New(t), patience), signal, 1<<20)
	var first, later enveloped[page]
	s.get(t, "/api/events", &first)
	for deadline := time.Now().Add(10 * time.Second); later.Timestamp <= first.Timestamp; {
		if time.Now().After(deadline) {
			t.Fatalf("the timestamp stays %s", later.Timestamp)
		}
		signal.Hear(applied.Signal{Sequence: 1})
		s.get(t, "/api/events", &later)
		time.Sleep(20 * time.Millisecond) // timestamps are whole seconds
	}
}

// TestADeadEngineIsReported: an engine that is not there, and one that has no indexes yet.
func TestADeadEngineIsReported(t *testing.T) {
	for name, config := range map[string]index.Config{
		"no engine": {URL: "http://127.0.0.1:1", Key: "x"}, "no index": indextest.Config(t), "wrong key": {URL: indextest.Config(t).URL, Key: "wrong"},
	} {
		e, err := engine.Connect(config, patience)
		if err != nil {
			t.Fatal(err)
		}
		s := serveEvents(t, e, cache.NewSignal(time.Now), 0)
		for _, path := range []string{"/api/events?title=a", "/api/events/type-summary", "/api/events?lon=1&lat=1&radius=1", "/api/events?geolist_region=a,b,c"} {
			response, body := s.do(t, "GET", path, "")
			var got enveloped[json.RawMessage]
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			wait, err := strconv.Atoi(response.Header.Get("Retry-After"))
			if response.StatusCode != http.StatusServiceUnavailable || err != nil || wait < 1 || got.Status != 503 || got.Code != "index_unavailable" {
				t.Errorf("%s, %s: %d, Retry-After %d, %s", name, path, response.StatusCode, wait, body)
			}
		}
		if response, _ := s.do(t, "GET", "/api/events?limit=0", ""); response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: bad input gets %d", name, response.StatusCode)
		}
	}
}

// TestDetailsAndListsAreKeptUntilABatchWritesThem: each depends only on its own records, an event
// also on the value sets.
func TestDetailsAndListsAreKeptUntilABatchWritesThem(t *testing.T) {
	client := seeded(t)
	moment, ticks := time.Now(), 0
	var mu sync.Mutex
	signal := cache.NewSignal(func() time.Time { // slow, so that the signal never falls silent
		mu.Lock()
		defer mu.Unlock()
		ticks++
		return moment.Add(time.Duration(ticks))
	})
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	paths := []string{
		"/api/event/" + eventJazz, "/api/event/" + eventJazz + "/date/" + jazzThird, "/api/venue/" + venueHall, "/api/venues",
		"/api/organization/" + orgNord, "/api/organizations?search=nord",
		"/api/event/" + eventJazz + ".jsonld", "/api/event/" + eventJazz + "/date/" + jazzThird + ".ics", "/api/venues.geojson",
	}
	tags := func() (tags []string) {
		for _, path := range paths {
			response, body := s.do(t, "GET", path, "")
			if response.StatusCode != http.StatusOK {
				t.Fatalf("%s: %d %s", path, response.StatusCode, body)
			}
			tags = append(tags, response.Header.Get("ETag"))
		}
		return tags
	}
	batch := uint64(1)
	signal.Hear(applied.Signal{Session: "s", Batches: batch, Sequence: batch})
	last := tags()
	event, venue := jazz(), hall()
	event.Description, venue.Description, venue.City = "New", "New", "Husum"
	put(t, client, document.Events, encode(t, eventOf(event)))
	put(t, client, document.Venues, encode(t, venueOf(venue)))
	put(t, client, document.Organizations, encode(t, organizationOf(orgNord, "Kulturhaus Nord, new")))
	for _, step := range []struct {
		what    string
		records map[string][]string
		changed []bool
	}{
		{"before the signal", nil, []bool{8: false}},
		{"another event", map[string][]string{"events": {eventFair}, "dates": {fairDay}}, []bool{8: false}},
		{"the event", map[string][]string{"events": {eventJazz}}, []bool{true, true, 6: true, 7: true, 8: false}},
		{"the venue", map[string][]string{"venues": {venueHall}}, []bool{2: true, 3: true, 8: true}},
		{"the organization", map[string][]string{"organizations": {orgNord}}, []bool{4: true, 5: true, 8: false}},
	} {
		if step.records != nil {
			batch++
			signal.Hear(applied.Signal{Session: "s", Batches: batch, Sequence: batch, Batch: &applied.Batch{Records: step.records}})
		}
		now := tags()
		for i, path := range paths {
			if changed := now[i] != last[i]; changed != step.changed[i] {
				t.Errorf("%s: %s changed is %t", step.what, path, changed)
			}
		}
		last = now
	}
}

// TestTitlesOfSeriesFollowInEachLanguage: signals name a series by its original title.
func TestTitlesOfSeriesFollowInEachLanguage(t *testing.T) {
	client := seeded(t)
	moment := time.Now()
	signal := cache.NewSignal(func() time.Time { return moment }) // never silent
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	signal.Hear(applied.Signal{Session: "s", Batches: 1, Sequence: 1})
	expect := func(lang, want string) {
		t.Helper()
		var counted enveloped[publicapi.Facets]
		s.get(t, "/api/events/facets?by=series_uuids&lang="+lang, &counted)
		if values := counted.Data.Facets["series_uuids"]; len(values) != 1 || values[0].Name != want {
			t.Errorf("in %q: %+v, want %s", lang, values, want)
		}
	}
	expect("de", "Hafenfest")
	expect("da", "Havnefest")
	put(t, client, document.Series, encode(t, recordOf(seriesID, publicapi.Series{
		UUID: seriesID, Slug: "hafenfest", Title: "Hafentage", TextLanguage: "de",
		Texts: map[string]publicapi.SeriesText{"da": {Title: "Havnedage"}},
	}, "Hafentage", "")))
	signal.Hear(applied.Signal{Session: "s", Batches: 2, Sequence: 2, Batch: &applied.Batch{
		Records: map[string][]string{document.Series: {document.EntityID(seriesID)}},
		Names:   map[string]map[string]string{document.Series: {document.EntityID(seriesID): "Hafentage"}},
	}})
	expect("de", "Hafentage")
	expect("da", "Havnedage")
}

// TestChoosableListsFollowTheValueSets: they are cached while the value sets stay the same.
func TestChoosableListsFollowTheValueSets(t *testing.T) {
	client := seeded(t)
	moment := time.Now()
	signal := cache.NewSignal(func() time.Time { return moment }) // never silent
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	signal.Hear(applied.Signal{Session: "s", Batches: 1, Sequence: 1})
	const path = "/api/choosable-languages?lang=de"
	var list []struct{ Name string }
	s.get(t, path, &list)
	names := len(list)
	set := document.LookupView{Name: change.LookupLanguages, Items: []document.LookupItem{{
		ID: "gsw", Names: map[string]string{"en": "Alemannic", "de": "Alemannisch"},
	}}}
	put(t, client, document.Lookups, encode(t, recordOf(set.Name, set, "", "")))
	if s.get(t, path, &list); len(list) != names {
		t.Errorf("%d names before the signal, then %d", names, len(list))
	}
	signal.Hear(applied.Signal{Session: "s", Batches: 2, Sequence: 2, Batch: &applied.Batch{Records: map[string][]string{
		document.Lookups: {change.LookupLanguages},
	}}})
	// The value sets are reloaded within a second.
	for deadline := time.Now().Add(patience); len(list) != 1 || list[0].Name != "Alemannisch"; s.get(t, path, &list) {
		if time.Now().After(deadline) {
			t.Fatalf("%v is still shown", list)
		}
	}
}

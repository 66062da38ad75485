package api

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// pages walks through the pages of a search by cursors, and returns the names of the dates.
func (s site) pages(t *testing.T, query, limit string) string {
	t.Helper()
	var names strings.Builder
	cursor := ""
	for range 20 {
		var answer struct {
			Data struct {
				Events []publicapi.Entry `json:"events"`
				Date   string            `json:"last_event_date_uuid"`
				Start  string            `json:"last_event_start_at"`
			} `json:"data"`
		}
		s.get(t, "/api/events?limit="+limit+"&"+query+cursor, &answer)
		if len(answer.Data.Events) == 0 {
			break
		}
		for _, e := range answer.Data.Events {
			names.WriteString(nameOf(t, e.DateUUID))
		}
		cursor = "&last_event_start_at=" + answer.Data.Start + "&last_event_date_uuid=" + answer.Data.Date
	}
	return names.String()
}

// revisions are those of lists that are edited.
var revisions atomic.Int64

// listed returns a list with entries by name: an event, or a date for an upper-case name.
func listed(names string) any {
	var entries []change.ListEntry
	for _, name := range []byte(names) {
		entry := change.ListEntry{EventUUID: eventID(name)}
		if name < 'a' {
			entry = change.ListEntry{EventUUID: eventID('e'), DateUUID: value.Text(dateID(name + 'a' - 'A')), Note: "Unser Tipp"}
		}
		entries = append(entries, entry)
	}
	list, _ := listOf("tipps", entries...).(document.List)
	list.Revision = revisions.Add(1)
	return list
}

// TestEventsOfAList: the dates come in the order of the list on all pages, in the state that it has
// after an edit, unless another order is asked for.
func TestEventsOfAList(t *testing.T) {
	client := indextest.New(t)
	var dates [][]byte
	second := dated{'m', "2026-12-01T20:00", "", "jazz again", func(d *dateDraft) { d.UUID = eventID('e') }}
	for _, d := range append([]dated{second}, theDates...) {
		dates = append(dates, encode(t, d.document()))
	}
	put(t, client, document.Dates, dates...)
	put(t, client, document.Lists, encode(t, listed("Mhfzae")))
	signal := cache.NewSignal(time.Now)
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	batch := uint64(0)
	edit := func(entries string) {
		put(t, client, document.Lists, encode(t, listed(entries)))
		batch++
		signal.Hear(applied.Signal{
			Session: "s", Batches: batch, Sequence: batch, Batch: &applied.Batch{Records: map[string][]string{document.Lists: {"x"}}},
		})
	}
	edit("Mhfzae")
	for range 2 { // the second time from the cache
		for query, want := range map[string]string{
			"list=tipps": "mhfae", "list=tipps&sort=list": "mhfae", "list=tipps&start=2026-11-20": "mhfe", "list=tipps&group=event": "mhfa",
			"list=tipps&sort=start": "aefmh", "list=tipps&sort=start&group=event": "aefh", "list=tipps&search=jazz": "mfe",
			"list=tipps&city=Flensburg": "f", "list=leer": "",
		} {
			if query == "list=leer" {
				put(t, client, document.Lists, encode(t, listOf("leer")))
				edit("Mhfzae")
			}
			for _, limit := range []string{"1", "2", "200"} {
				if got := s.pages(t, query, limit); got != want {
					t.Errorf("%s by %s: %s, want %s", query, limit, got, want)
				}
			}
		}
	}
	for _, step := range []struct{ entries, want string }{{"fMe", "fme"}, {"efM", "emf"}, {"Mf", "mf"}, {"Mhfzae", "mhfae"}} {
		edit(step.entries)
		if got := s.pages(t, "list=tipps", "2"); got != step.want {
			t.Errorf("after an edit to %s: %s, want %s", step.entries, got, step.want)
		}
	}
	wantAnswersOfAList(t, s)
	wantInSitemap(t, s)
}

// TestAListLeavesOutPastDates: an entry of a single date ends with that date, although another date
// of the same event is still to come.
func TestAListLeavesOutPastDates(t *testing.T) {
	client := indextest.New(t)
	ofE := func(d *dateDraft) { d.UUID = eventID('e') }
	past, coming := dated{'n', "2024-03-01T20:00", "", "jazz before", ofE}, dated{'m', "2026-12-01T20:00", "", "jazz again", ofE}
	put(t, client, document.Dates, encode(t, past.document()), encode(t, coming.document()))
	put(t, client, document.Lists, encode(t, listed("NM")))
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 1<<20)
	var one enveloped[publicapi.ListedEntries]
	s.get(t, "/api/list/tipps", &one)
	if got := one.Data.Entries; len(got) != 1 || string(got[0].DateUUID) != dateID('m') {
		t.Errorf("the list shows %+v", got)
	}
}

// wantAnswersOfAList checks the list itself, and what else takes it.
func wantAnswersOfAList(t *testing.T, s site) {
	t.Helper()
	var one enveloped[publicapi.ListedEntries]
	s.get(t, "/api/list/tipps", &one)
	var left []string
	for _, e := range one.Data.Entries {
		left = append(left, nameOf(t, e.EventUUID)+string(e.Note))
	}
	if got := strings.Join(left, " "); got != "eUnser Tipp h f e" { // without what is over and what there is not
		t.Errorf("the list shows %s", got)
	}
	var all enveloped[[]publicapi.List]
	if s.get(t, "/api/lists", &all); len(all.Data) != 2 || all.Data[0].Slug != "leer" || all.Data[1].Titles["da"] != "Tips" {
		t.Errorf("lists %+v", all.Data)
	}
	for _, path := range []string{
		"/api/events", "/api/events/type-summary", "/api/events/week?week_start=2026-11-16", "/api/events/venue-summary",
		"/api/events/geojson", "/api/events.ics", "/api/events.rss", "/api/events.csv", "/api/events/facets?by=city",
	} {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		if answer, body := s.do(t, http.MethodGet, path+separator+"list=tipps", ""); answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
		answer, body := s.do(t, http.MethodGet, path+separator+"list=unknown", "")
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"unknown_reference"`) {
			t.Errorf("%s of an unknown list: %d %s", path, answer.StatusCode, body)
		}
	}
	if answer, body := s.do(t, http.MethodGet, "/api/changes?list=unknown", ""); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("changes of an unknown list: %d %s", answer.StatusCode, body)
	}
	answer, body := s.do(t, http.MethodGet, "/api/events?list=tipps&last_event_start_at=2026-11-20T19:30&last_event_date_uuid="+dateID('g'), "")
	if answer.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "cursor_gone") {
		t.Errorf("a cursor that is not on the list: %d %s", answer.StatusCode, body)
	}
}

// wantInSitemap checks that the sitemap has the pages of lists with something to come only.
func wantInSitemap(t *testing.T, s site) {
	t.Helper()
	_, body := s.do(t, http.MethodGet, "/sitemap/lists.xml", "")
	if !strings.Contains(string(body), "/list/tipps<") || !strings.Contains(string(body), "/lists<") || strings.Contains(string(body), "/list/leer") {
		t.Errorf("%s", body)
	}
}

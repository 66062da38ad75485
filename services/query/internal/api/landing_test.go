package api

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// ofKind gives a date an event type.
func ofKind(id int) func(*dateDraft) {
	return func(d *dateDraft) { d.EventTypes = []publicapi.EventType{{TypeID: id}} }
}

// TestListsOfTheSitemap: the lists of towns, kinds, and kinds in towns with three events that are
// not over, exactly and at once, also where their counts are cached.
func TestListsOfTheSitemap(t *testing.T) {
	client := indextest.New(t)
	put(t, client, document.Dates,
		encode(t, dated{'a', "2026-11-20", "", "Ended", each(atVenue('k', "Halle", "Kiel", "24103", "DEU"), ofKind(1))}.document()),
		encode(t, dated{'b', "2026-11-25", "", "One", each(atVenue('k', "Halle", "Kiel", "24103", "DEU"), ofKind(1))}.document()),
		encode(t, dated{'c', "2026-11-26", "", "Two", each(atVenue('k', "Halle", "KIEL", "24103", "DEU"), ofKind(1))}.document()),
		encode(t, dated{'d', "2026-11-27", "", "Three", each(atVenue('k', "Halle", "Kiel", "24103", "DEU"), ofKind(2))}.document()),
		encode(t, dated{'e', "2026-11-28", "", "Four", each(atVenue('s', "Speicher", "Bad Bramstedt", "24576", "DEU"), ofKind(1))}.document()))
	signal := cache.NewSignal(time.Now)
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	s := serveEventsAt(t, engine.New(client, patience), signal, 1<<20, func() time.Time { return now }, web.Caching{})
	const all, kiel, concerts, both = "/", "/?city=Kiel", "/?event_types=1", "/?city=Kiel&event_types=1"
	batches := 0
	expect := func(when string, want ...string) {
		t.Helper()
		signal.Hear(applied.Signal{Session: "s", Batches: uint64(batches), Batch: &applied.Batch{All: true}})
		batches++
		for range 2 {
			if got := s.lists(t); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", when, got, want)
			}
		}
	}
	expect("at first", all, kiel, concerts)
	third := func(change func(*dateDraft)) {
		put(t, client, document.Dates, encode(t, dated{'d', "2026-11-27", "", "Three", change}.document()))
	}
	third(each(atVenue('k', "Halle", "Kiel", "24103", "DEU"), ofKind(1)))
	expect("with a third concert in Kiel", all, concerts, kiel, both)
	third(each(atVenue('s', "Speicher", "Bad Bramstedt", "24576", "DEU"), ofKind(1)))
	expect("with one less in Kiel", all, concerts)
	now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	expect("two days later", all)
}

// address is that of a page in a sitemap.
var address = regexp.MustCompile(`<loc>https://litfass\.example([^<]*)</loc>`)

// lists returns the lists of the sitemap that name no language.
func (s site) lists(t *testing.T) (paths []string) {
	t.Helper()
	response, body := s.do(t, http.MethodGet, "/sitemap/lists.xml", "")
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != contentXML {
		t.Fatalf("answered %d: %s", response.StatusCode, body)
	}
	tag := response.Header.Get("ETag")
	if again, _ := s.do(t, http.MethodGet, "/sitemap/lists.xml", "", "If-None-Match", tag); again.StatusCode != http.StatusNotModified {
		t.Errorf("with its tag: %d", again.StatusCode)
	}
	for _, found := range address.FindAllStringSubmatch(string(body), -1) {
		path := strings.ReplaceAll(found[1], "&amp;", "&")
		if !strings.Contains(path, "lang=") {
			paths = append(paths, path)
		}
	}
	if len(address.FindAllString(string(body), -1)) != 3*len(paths) {
		t.Errorf("not in every language: %s", body)
	}
	return paths
}

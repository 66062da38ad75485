package api

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
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

// TestWhatIsOverIsLeftOut: with not_over, all forms of the search leave out what is over from the
// very moment on, although their answers are cached, and name the next such moment.
func TestWhatIsOverIsLeftOut(t *testing.T) {
	client := indextest.New(t)
	eventsSite(t, client)
	var now atomic.Int64
	signal := cache.NewSignal(time.Now)
	clock := func() time.Time { return time.Unix(now.Load(), 0) }
	s := serveEventsAt(t, engine.New(client, patience), signal, 1<<20, clock, web.Caching{MaxAge: time.Hour, StaleWhileRevalidate: time.Hour})
	signal.Hear(applied.Signal{Session: "s"})
	for _, step := range []struct{ now, found, expires, control string }{
		{"2026-11-19T23:05:00Z", "bcdefgh", "Fri, 20 Nov 2026 23:00:00 GMT", "public, max-age=3600, stale-while-revalidate=3600"},
		{"2026-11-20T21:30:00Z", "bcdefgh", "Fri, 20 Nov 2026 23:00:00 GMT", "public, max-age=3600, stale-while-revalidate=1800"},
		{"2026-11-20T22:59:59Z", "bcdefgh", "Fri, 20 Nov 2026 23:00:00 GMT", "public, max-age=1"},
		{"2026-11-20T23:00:00Z", "bh", "Sat, 21 Nov 2026 23:00:00 GMT", "public, max-age=3600, stale-while-revalidate=3600"},
		{"2026-11-21T23:00:00Z", "h", "Fri, 01 Jan 2027 23:00:00 GMT", "public, max-age=3600, stale-while-revalidate=3600"},
		{"2027-01-01T23:00:00Z", "", "", "public, max-age=3600, stale-while-revalidate=3600"},
	} {
		at, err := time.Parse(time.RFC3339, step.now)
		if err != nil {
			t.Fatal(err)
		}
		now.Store(at.Unix())
		expect := func(path string, response *http.Response) {
			t.Helper()
			if expires, control := response.Header.Get("Expires"), response.Header.Get("Cache-Control"); expires != step.expires || control != step.control {
				t.Errorf("%s at %s: expires %q, %q", path, step.now, expires, control)
			}
		}
		for range 2 {
			var found enveloped[page]
			const path = "/api/events?not_over=true"
			s.get(t, path, &found)
			names := ""
			for _, entry := range found.Data.Events {
				names += nameOf(t, entry.DateUUID)
			}
			if names != step.found {
				t.Errorf("at %s: %s, want %s", step.now, names, step.found)
			}
			var posted enveloped[page]
			s.post(t, "/api/events", `{"not_over":true,"sort":"start"}`, &posted)
			if len(posted.Data.Events) != len(step.found) {
				t.Errorf("by POST at %s: %d", step.now, len(posted.Data.Events))
			}
			response, _ := s.do(t, http.MethodGet, path, "")
			expect(path, response)
			tag := response.Header.Get("ETag")
			if response, _ = s.do(t, http.MethodGet, path, "", "If-None-Match", tag); response.StatusCode != http.StatusNotModified {
				t.Errorf("%s with its tag: %d", path, response.StatusCode)
			}
			expect(path, response)
			for path, count := range map[string]string{
				"/api/events/type-summary?not_over=true": `"total_event_count":%d`, "/api/events/facets?by=city&not_over=true": `"total":%d`,
			} {
				response, body := s.do(t, http.MethodGet, path, "")
				if want := fmt.Sprintf(count, len(step.found)); !bytes.Contains(body, []byte(want)) {
					t.Errorf("%s at %s: want %s in %s", path, step.now, want, body)
				}
				expect(path, response)
			}
			response, body := s.do(t, http.MethodGet, "/api/events.ics?not_over=true", "")
			if n := strings.Count(string(body), "BEGIN:VEVENT"); n != len(step.found) {
				t.Errorf("calendar at %s: %d dates", step.now, n)
			}
			expect("calendar", response)
		}
		response, _ := s.do(t, http.MethodGet, "/api/events", "")
		if response.Header.Get("Expires") != "" {
			t.Errorf("without not_over: expires %q", response.Header.Get("Expires"))
		}
	}
	put(t, client, document.Dates, encode(t, dated{'i', "2027-01-05", "", "New", func(*dateDraft) {}}.document()))
	signal.Hear(applied.Signal{Session: "s", Batches: 1, Batch: &applied.Batch{All: true}})
	response, _ := s.do(t, http.MethodGet, "/api/events?not_over=true", "")
	if got := response.Header.Get("Expires"); got != "Tue, 05 Jan 2027 23:00:00 GMT" {
		t.Errorf("with a new date: expires %q", got)
	}
	var hints enveloped[publicapi.Events]
	s.get(t, "/api/events?not_over=true&title=jazz", &hints)
	if h := hints.Data.Hints; h == nil || len(h.Without) != 2 || h.Without[0].Parameters[0] != "title" && h.Without[1].Parameters[0] != "title" {
		t.Errorf("hints: %+v", h)
	}
}

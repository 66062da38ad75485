package list

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
	"litfass/services/site/internal/sitetest"
)

// The pages of errors of the two portals lead to these, and look like this.
var (
	ofKiel    = []string{"Kultur in Kiel</span>", `<html lang="de">`, `href="/p/kiel/portal.css?v=0b5d3b"`, `hreflang="da"`, `class="brand" href="/"`}
	notOfKiel = []string{`hreflang="en"`, `href="https://litfass.example/"`, "Litfass</span>"}
	ofOpen    = []string{"Open air</span>", `class="brand" href="/p/open/"`, `href="/p/open/month"`}
	notOfOpen = []string{`href="/"`, `href="/month"`, `action="/"`, "Litfass</span>"}
)

// TestErrorsOfAPortal: their pages have the look of the portal and lead to its pages; where there
// is no such portal, to the site.
func TestErrorsOfAPortal(t *testing.T) {
	app := portalApp(t, portalAPI(), nil)
	const onlySite = `href="https://litfass.example/"`
	for _, test := range []struct {
		address, position string
		status            int
		wants, lacks      []string
	}{
		{"http://kultur.example/nothing", "", 404, append(ofKiel, `action="/"`), notOfKiel},
		{"http://kultur.example/", "last week", 400, ofKiel, notOfKiel},
		{"http://litfass.example/p/open/nothing", "", 404, append(ofOpen, `action="/p/open/"`), notOfOpen},
		{"http://litfass.example/p/open/", "last week", 400, ofOpen, notOfOpen},
		{"http://litfass.example/p/open/nothing?lang=da", "", 404, []string{`action="/p/open/?lang=da"`, `<html lang="da">`}, notOfOpen},
		{"http://litfass.example/p/unknown", "", 404, []string{onlySite, "Litfass</span>"}, []string{`href="/p/unknown/"`}},
		{"http://litfass.example/p/unknown/x", "", 404, []string{onlySite, "Litfass</span>"}, []string{`href="/p/unknown/"`}},
		{"http://litfass.example/nothing", "", 404, []string{"Litfass</span>", `class="brand" href="/"`, `action="/"`}, []string{"portal.css"}},
	} {
		status, _, html := sitetest.Ask(t, app, http.MethodGet, test.address, "", web.HeaderPosition, test.position)
		if status != test.status {
			t.Errorf("%s: %d, want %d", test.address, status, test.status)
		}
		sitetest.Wants(t, html, test.wants...)
		sitetest.Lacks(t, html, test.lacks...)
		if t.Failed() {
			t.Fatalf("%s: %s", test.address, html)
		}
	}
}

// TestErrorsWithoutTheAPI: where too much is asked, and where the API does not answer, a portal
// looks as when it was read last, and nothing is read for the page.
func TestErrorsWithoutTheAPI(t *testing.T) {
	var down atomic.Bool
	var reads atomic.Int64
	api := portalAPI()
	limits, err := limit.New(limit.Options{
		Config: limit.Config{Rows: []string{"GET /*=3/1h"}, Tiers: []string{"standard=1"}}, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	app := portalApp(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads.Add(1)
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		api.ServeHTTP(w, r)
	}), limits)
	for _, portal := range []struct {
		address, visitor string
		wants, lacks     []string
	}{
		{"http://kultur.example/", "192.0.2.1", ofKiel, notOfKiel},
		{"http://litfass.example/p/open/", "192.0.2.2", ofOpen, notOfOpen},
	} {
		down.Store(false)
		for _, want := range []int{200, 503, 503, 429} {
			before := reads.Load()
			status, _, html := sitetest.Ask(t, app, http.MethodGet, portal.address, "", "X-Forwarded-For", portal.visitor)
			if status != want {
				t.Fatalf("%s: %d, want %d", portal.address, status, want)
			}
			sitetest.Wants(t, html, portal.wants...)
			if want != http.StatusOK {
				sitetest.Lacks(t, html, portal.lacks...)
			}
			if read := reads.Load() - before; want == 429 && read > 0 {
				t.Errorf("%d reads", read)
			}
			down.Store(true)
		}
	}
}

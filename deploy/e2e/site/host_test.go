package site

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
)

// resets are the styles of a website that styles everything.
const resets = `* { all: unset !important; display: block !important; color: rgb(201, 202, 203) !important; font-size: 7px !important;
	position: static !important; text-transform: uppercase !important; direction: inherit !important; }
	html { color-scheme: dark; background: rgb(18, 18, 18) !important; } head, script, style { display: none !important; }`

// reserved are the styles of a website that keeps a place for widgets of five rows.
const reserved = `litfass-events { display: block; min-height: 480px; }`

// hosts are the pages of another website, by path: the body and the attributes of its document.
var hosts = map[string]struct{ attributes, body string }{
	"/two": {`lang="en"`, `<main><h1>Two</h1>
		<litfass-events id="first" city="Husum" event_uuids="EVENT" limit="3" rows="5" heading="In Husum"><a href="SITE/?city=Husum">All</a></litfass-events>
		<litfass-events id="second" org_uuids="HOSTILE" lang="de" limit="5" rows="5"><a href="SITE/">Alle</a></litfass-events></main>`},
	"/reset": {`lang="en" class="reset"`, `<main><h1>Reset</h1>
		<litfass-events id="first" event_uuids="EVENT"></litfass-events>
		<litfass-events id="second" org_uuids="HOSTILE" view="month" on="DAY"></litfass-events></main>`},
	"/turned": {`lang="ar" dir="rtl"`, `<main><h1>مهرجان</h1>
		<litfass-events id="first" event_uuids="EVENT" lang="da" theme="dark"></litfass-events>
		<litfass-events id="second" org_uuids="HOSTILE" view="week" on="DAY"></litfass-events></main>`},
	"/changing": {`lang="en"`, `<main><h1>Changing</h1><litfass-events search="Polarlichternacht"></litfass-events></main>`},
	"/frame":    {`lang="en"`, `<main><h1>Frame</h1><iframe id="first" data-litfass title="Events" src="SITE/embed?org_uuids=HOSTILE"></iframe></main>`},
}

// serveHost serves another website, at an address of its own, with a policy that lets it load
// nothing but what the widget needs.
func (s *siteTest) serveHost(t *testing.T) (address string) {
	t.Helper()
	fill := strings.NewReplacer("SITE", s.URL(), "EVENT", serenade, "HOSTILE", hostileOrg, "DAY", harness.Day(3))
	policy := fill.Replace("default-src 'none'; script-src SITE; connect-src SITE; style-src 'self'; img-src 'self'; frame-src SITE; " +
		"base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		switch host, known := hosts[r.URL.Path]; {
		case known:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><html %s><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="/icon.svg">`+
				`<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/host.css?%s"></head><body>%s`+
				`<script async src="%s/widget.v1.js"></script></body></html>`, host.attributes, r.URL.Path, fill.Replace(host.body), s.URL())
		case r.URL.Path == "/framing":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><title>Framing</title><link rel="icon" href="/icon.svg"><iframe src="%s"></iframe>`,
				html.EscapeString(s.URL()+r.URL.Query().Get("path")))
		case r.URL.Path == "/icon.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
		case r.URL.Path == "/host.css":
			w.Header().Set("Content-Type", "text/css")
			switch r.URL.RawQuery {
			case "/two":
				fmt.Fprint(w, reserved)
			case "/reset":
				fmt.Fprint(w, resets)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// onHost walks a journey through the other website.
func (s *siteTest) onHost(t *testing.T, name string, scripts bool, args map[string]any) browser.Result {
	t.Helper()
	return s.browser.Run(t, browser.Journey{
		Name: name, Base: s.host, Args: args, Origins: []string{s.URL()}, Context: map[string]any{"javaScriptEnabled": scripts},
	})
}

// testFrames: no page of the site but those for it can be seen in a frame of another website.
func (s *siteTest) testFrames(t *testing.T) {
	paths := append(slices.Collect(maps.Values(sitePages())), "/embed?view=month", "/embed?view=x", "/nowhere", "/month?month=x", "/api/docs")
	var framed map[string]bool
	result := s.onHost(t, "framing", true, map[string]any{"paths": paths})
	if err := json.Unmarshal(result.Value, &framed); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		meant := path == "/embed" || strings.HasPrefix(path, "/embed?")
		if shown, known := framed[path]; !known || shown != meant {
			t.Errorf("%s is shown in a frame: %t, known: %t", path, shown, known)
		}
	}
}

// testWidget: the widget shows its dates on websites that style everything, are dark or written
// from right to left, and forbid nearly all scripts. One instance asks once, the other also for
// what began before, since its list has places left.
func (s *siteTest) testWidget(t *testing.T) {
	for _, path := range []string{"/two", "/reset", "/turned"} {
		result := s.onHost(t, "widget", true, map[string]any{
			"path": path, "first": serenadeDates, "second": []string{siteID(1500), siteID(1501), siteID(1502)},
		})
		asked := 0
		for _, request := range result.Requests {
			if strings.HasPrefix(request.URL, s.URL()+"/api/") {
				asked++
			}
		}
		if path == "/two" && result.Shift() > maxShift {
			t.Errorf("a page that keeps a place for the widgets has moved by %g", result.Shift())
		}
		if asked != 3*widgetLooks {
			t.Errorf("%s asks the API %d times in %d looks", path, asked, widgetLooks)
		}
	}
	s.onHost(t, "links", false, map[string]any{"path": "/two", "links": []string{s.URL() + "/?city=Husum", s.URL() + "/"}})
	s.onHost(t, "frame", true, map[string]any{"path": "/frame"})
}

// widgetLooks is in how many browsers the journey "widget" opens its page.
const widgetLooks = 2

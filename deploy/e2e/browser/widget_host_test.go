package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/deploy/local/build"
	"litfass/deploy/local/stack"
)

// resets are the styles of a website that reach for everything.
const resets = `
html { font-size: 62.5%; color-scheme: dark; }
body { background: black; }
* { margin: 3px; padding: 5px; color: lime !important; font: 40px/3 fantasy !important; letter-spacing: 0.3em;
	text-transform: uppercase; box-sizing: content-box !important; }
a { display: none !important; }
li { float: left !important; }
table, td { display: block !important; }
litfass-events { display: block; min-height: 408px; }
.far { height: 5000px; }
iframe { display: block; height: 600px; border: 0; }
`

// hostPages are the bodies of another website's pages. %s stands for the address of the site.
var hostPages = map[string]string{
	"/plain": ``,
	"/hostile": `<litfass-events city="Kiel" heading="Kiel &lt;b&gt;" lang="en" rows="4" onclick="x()" data-filter="no" title="*jazz*">` +
		`<a href="%[1]s/?city=Kiel">All events in Kiel</a></litfass-events>` +
		`<litfass-events view="month" on="2026-11-20" lang="de" theme="light" rows="4"></litfass-events>`,
	"/week":    `<litfass-events view="week" on="2026-11-20" lang="da" theme="auto"></litfass-events>`,
	"/far":     `<p class="far">Text</p><litfass-events lang="en"></litfass-events>`,
	"/failing": `<litfass-events city="nowhere" lang="en"><em>The host's own words</em></litfass-events>`,
	"/empty":   `<litfass-events city="nothing" lang="en"></litfass-events>`,
	"/frame":   `<iframe data-litfass title="Events" src="%[1]s/embed"></iframe>`,
}

// host serves the pages of another website, with a policy that allows just what the widget needs.
// At /blocked the policy refuses its script.
func host(t *testing.T, site string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/host.css" {
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, resets)
			return
		}
		path, scripts := r.URL.Path, site
		if path == "/blocked" {
			path, scripts = "/hostile", "'none'"
		}
		body, found := hostPages[path]
		if !found {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", fmt.Sprintf(
			"default-src 'none'; img-src data:; style-src 'self'; script-src %s; connect-src %s; frame-src %s; require-trusted-types-for 'script'", scripts, site, site))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="ar" dir="rtl"><meta charset="utf-8"><title>Host</title>`+
			`<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><link rel="stylesheet" href="/host.css">`+
			`<script src="%s/widget.v1.js" async></script><main><h1>Host</h1>%s</main></html>`, site, strings.ReplaceAll(body, "%[1]s", site))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// entries are the answers of the API: hostile, cancelled, over several days, and over midnight.
func entries() []map[string]any {
	entry := func(number int, title, status, start, end string) map[string]any {
		startDay, startTime, _ := strings.Cut(start, "T")
		endDay, endTime, _ := strings.Cut(end, "T")
		return map[string]any{
			"uuid": fmt.Sprintf("0194-%d", number), "date_uuid": fmt.Sprintf("0195-%d", number), "title": title,
			"release_status": status, "start_date": startDay, "start_time": startTime, "all_day": startTime == "",
			"end_date": null(endDay), "end_time": null(endTime), "venue_name": "مسرح <i>المدينة</i>", "venue_city": "Kiel",
			"online_link": "javascript:alert(1)", "text_language": map[int]string{1: "en", 2: "da"}[number],
		}
	}
	return []map[string]any{
		entry(1, `<img src=x onerror="window.hacked=1"> Jazz`, "released", "2026-11-19T20:00", "2026-11-20T01:00"),
		entry(2, "Tango 💃", "cancelled", "2026-11-20T19:30", ""),
		entry(3, strings.Repeat("W", 2000), "rescheduled", "2026-11-21", "2026-11-23"),
		entry(4, "أمسية شعرية", "deferred", "2026-11-20T18:00", "2026-11-20T20:00"),
		entry(5, "Last", "released", "2026-11-30T18:00", ""),
	}
}

func null(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// asked are the requests that the API has got.
type asked struct {
	mu      sync.Mutex
	queries []string
}

func (a *asked) add(query string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queries = append(a.queries, query)
}

// take returns the requests since the last call.
func (a *asked) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	queries := a.queries
	a.queries = nil
	return queries
}

// widgetSite serves the bundle's widget and page script, and answers for the API.
func widgetSite(t *testing.T) (address string, api *asked) {
	t.Helper()
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	if err := build.Bundle(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	dist := filepath.Join(root, "services", "site", "internal", "asset", "dist")
	api = &asked{}
	mux := http.NewServeMux()
	mux.HandleFunc("/widget.v1.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(dist, "widget.v1.js"))
	})
	mux.HandleFunc("/embed", func(w http.ResponseWriter, r *http.Request) { sendEmbedded(t, w, dist) })
	mux.Handle("/assets/", http.StripPrefix("/assets/", http.FileServer(http.Dir(dist))))
	mux.HandleFunc("/api/events", func(w http.ResponseWriter, r *http.Request) {
		api.add(r.URL.RawQuery)
		answer(w, r.URL.Query())
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, api
}

// answer writes the answer of the API for a query. Nothing began before today.
func answer(w http.ResponseWriter, query url.Values) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "application/json")
	found := entries()
	if query.Has("starts_before") {
		found = nil
	}
	switch query.Get("city") {
	case "nowhere":
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"error":"try again later"}`)
		return
	case "nothing":
		found = []map[string]any{}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"events": found}}) // the test sees what is missing
}

// sendEmbedded writes a page of 1,234 pixels that names its height.
func sendEmbedded(t *testing.T, w http.ResponseWriter, dist string) {
	var paths map[string]string
	manifest, err := os.ReadFile(filepath.Join(dist, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(manifest, &paths)
	}
	if err != nil {
		t.Error(err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Events</title><script type="module" src="/assets/%s"></script>`+
		`<body style="margin: 0"><main style="height: 1234px"><h1 style="margin: 0">Events</h1></main></html>`, paths["embed.js"])
}

// november is a day on which the entries are near.
var november = time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)

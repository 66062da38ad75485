package page

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// computedAPI answers the public API from functions by path, and records what it is asked.
type computedAPI struct {
	answers map[string]func(url.Values) any

	mu    sync.Mutex
	asked []*url.URL
}

func (f *computedAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked = append(f.asked, r.URL)
	f.mu.Unlock()
	answer, known := f.answers[r.URL.Path]
	if !known {
		http.NotFound(w, r)
		return
	}
	content := answer(r.URL.Query())
	if !strings.HasSuffix(r.URL.Path, ".geojson") {
		content = map[string]any{"data": content}
	}
	_ = json.NewEncoder(w).Encode(content)
}

// of returns the parameters of what was asked of a path.
func (f *computedAPI) of(path string) (asked []url.Values) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, address := range f.asked {
		if address.Path == path {
			asked = append(asked, address.Query())
		}
	}
	return asked
}

// fakeSite returns a function that asks a site over a fake API for a page at a moment.
func fakeSite(t *testing.T, now time.Time, api *computedAPI) func(path string) (status int, html string) {
	t.Helper()
	app := siteOver(t, api, now)
	return func(path string) (int, string) {
		t.Helper()
		status, _, html := ask(t, app, http.MethodGet, path, "")
		return status, strings.TrimSpace(html)
	}
}

// attributes returns the values of an attribute in a page, in order.
func attributes(page, name string) (values []string) {
	for _, match := range regexp.MustCompile(` `+name+`="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		values = append(values, html.UnescapeString(match[1]))
	}
	return values
}

package sitetest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// ComputedAPI answers the public API from functions by path, and records the requests.
type ComputedAPI struct {
	Answers map[string]func(url.Values) any

	mu       sync.Mutex
	requests []*url.URL
}

// ServeHTTP answers with the function of the path.
func (f *ComputedAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.requests = append(f.requests, r.URL)
	f.mu.Unlock()
	answer, known := f.Answers[r.URL.Path]
	if !known {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"there is nothing at this path","code":"not_found"}`)
		return
	}
	content := answer(r.URL.Query())
	if _, whole := content.(publicapi.PageOfLists); !whole && !strings.HasSuffix(r.URL.Path, ".geojson") && !strings.HasSuffix(r.URL.Path, ".jsonld") &&
		!strings.HasPrefix(r.URL.Path, "/api/choosable-") {
		content = map[string]any{"data": content}
	}
	_ = json.NewEncoder(w).Encode(content)
}

// Correcting makes words find nothing, with a hint to other ones.
func (f *ComputedAPI) Correcting(words, spelling string) {
	found := f.Answers["/api/events"]
	f.Answers["/api/events"] = func(parameters url.Values) any {
		if parameters.Get("search") == words {
			return publicapi.Events{Hints: &publicapi.Hints{Search: value.Text(spelling)}}
		}
		return found(parameters)
	}
	counted := f.Answers["/api/events/facets"]
	f.Answers["/api/events/facets"] = func(parameters url.Values) any {
		if parameters.Get("search") == words {
			return publicapi.Facets{}
		}
		return counted(parameters)
	}
}

// Requests returns the addresses of all requests.
func (f *ComputedAPI) Requests() []*url.URL {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.requests)
}

// Queries returns the parameters of all requests for a path.
func (f *ComputedAPI) Queries(path string) (queries []url.Values) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, address := range f.requests {
		if address.Path == path {
			queries = append(queries, address.Query())
		}
	}
	return queries
}

// Autumn is a moment of the tests.
var Autumn = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// Site returns a function that requests a page of a site above an API.
func Site(t *testing.T, now time.Time, api *ComputedAPI, mounts ...Mount) func(path string) (status int, html string) {
	t.Helper()
	app := Over(t, api, now, mounts...)
	return func(path string) (int, string) {
		t.Helper()
		status, _, html := Ask(t, app, http.MethodGet, path, "")
		return status, strings.TrimSpace(html)
	}
}

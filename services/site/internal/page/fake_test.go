package page

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/web"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/kept"
	"litfass/services/site/internal/view"
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
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	reads := client.New(server.URL, "", time.Minute)
	d := Deps{
		API: reads, Pages: kept.New(reads, 0, time.Minute), Brand: view.Brand{Name: "Litfass", Public: "https://events.example"},
		Now: func() time.Time { return now }, Zone: now.Location(),
	}
	app := web.New(web.Options{Service: "site", Log: slog.New(slog.DiscardHandler), ShowFailure: d.ShowFailure})
	Mount(app, d)
	return func(path string) (int, string) {
		t.Helper()
		request := httptest.NewRequestWithContext(context.Background(), http.MethodGet, path, nil)
		request.Header.Set("Accept", "text/html")
		answer, err := app.Test(request, -1)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		content, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(bytes.TrimSpace(content))
	}
}

// attributes returns the values of an attribute in a page, in order.
func attributes(page, name string) (values []string) {
	for _, match := range regexp.MustCompile(` `+name+`="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		values = append(values, html.UnescapeString(match[1]))
	}
	return values
}

// holds fails unless a page holds all of the texts.
func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

// mustLack fails if a page holds one of the texts.
func mustLack(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page holds %q", text)
		}
	}
}

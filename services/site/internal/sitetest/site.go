// Package sitetest runs pages of the site above an API of a test.
package sitetest

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/web"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/pagecache"
	"litfass/services/site/internal/view"

	"github.com/gofiber/fiber/v2"
)

// Mount adds pages to a site.
type Mount = func(page.Router)

// Over returns a site that reads an API, at a moment in the site's zone.
func Over(t *testing.T, api http.Handler, now time.Time, mounts ...Mount) *fiber.App {
	t.Helper()
	return App(Deps(t, api, now), slog.DiscardHandler, mounts...)
}

// Deps returns the dependencies of pages that read an API.
func Deps(t *testing.T, api http.Handler, now time.Time) page.Deps {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	reads := client.New(server.URL, "key", time.Minute)
	return page.Deps{
		API: reads, Cache: pagecache.New(reads, 0, time.Minute, func() time.Time { return now }),
		Brand: view.Brand{
			Name: "Litfass", Public: "https://litfass.example", Imprint: "https://litfass.example/imprint",
			Publish: "/console/signup", Route: "https://route.example/?to={lat},{lon}",
		},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")},
		Now:            func() time.Time { return now }, Zone: now.Location(),
	}
}

// App returns a site that logs to a handler.
func App(d page.Deps, log slog.Handler, mounts ...Mount) *fiber.App {
	app := web.New(web.Options{
		Service: "site", Log: slog.New(log), ShowFailure: d.ShowFailure, HideOperations: true,
		HeaderLimit: 128 << 10,
	})
	router := page.NewRouter(app, d)
	for _, mount := range mounts {
		mount(router)
	}
	return app
}

// Ask returns the status, head and body of an answer. head are names and values in turn.
func Ask(t *testing.T, app *fiber.App, method, path, body string, head ...string) (int, http.Header, string) {
	t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.RequestURI = request.URL.RequestURI() // an absolute one would be sent without its host
	for i := 0; i+1 < len(head); i += 2 {
		request.Header.Set(head[i], head[i+1])
	}
	response, err := app.Test(request, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(answer)
}

// Page returns the body of a page that must be there.
func Page(t *testing.T, app *fiber.App, path string) string {
	t.Helper()
	status, _, body := Ask(t, app, http.MethodGet, path, "")
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, status, body)
	}
	return body
}

// Wants fails for each text that a page lacks.
func Wants(t *testing.T, html string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

// Get returns the status and the body of a page.
func Get(t *testing.T, app *fiber.App, address string) (int, string) {
	t.Helper()
	status, _, body := Ask(t, app, http.MethodGet, address, "")
	return status, body
}

// Lacks fails for each text that a page has.
func Lacks(t *testing.T, html string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(html, text) {
			t.Errorf("the page has %q", text)
		}
	}
}

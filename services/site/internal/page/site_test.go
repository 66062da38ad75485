package page

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/kept"
	"litfass/services/site/internal/view"
)

// siteOver returns the pages above an API at a moment, whose zone is the site's.
func siteOver(t *testing.T, api http.Handler, now time.Time) *fiber.App {
	t.Helper()
	return mounted(depsOver(t, api, now), slog.DiscardHandler)
}

// depsOver is what the pages above an API are made with.
func depsOver(t *testing.T, api http.Handler, now time.Time) Deps {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	reads := client.New(server.URL, "key", time.Minute)
	return Deps{
		API: reads, Pages: kept.New(reads, 0, time.Minute),
		Brand: view.Brand{
			Name: "Litfass", Public: "https://litfass.example", Imprint: "https://litfass.example/imprint",
		},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")},
		Now:            func() time.Time { return now }, Zone: now.Location(),
	}
}

// mounted returns the app of the pages, which logs to a handler.
func mounted(d Deps, log slog.Handler) *fiber.App {
	app := web.New(web.Options{
		Service: "site", Log: slog.New(log), ShowFailure: d.ShowFailure, HideOperations: true,
		HeaderLimit: 128 << 10,
	})
	Mount(app, d)
	return app
}

// ask returns the status, head and body of an answer. head are names and values in turn.
func ask(t *testing.T, app *fiber.App, method, path, body string, head ...string) (int, http.Header, string) {
	t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
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

// pageOf returns the body of a page that must be there.
func pageOf(t *testing.T, app *fiber.App, path string) string {
	t.Helper()
	status, _, body := ask(t, app, http.MethodGet, path, "")
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, status, body)
	}
	return body
}

// wants fails for each text that a page lacks.
func wants(t *testing.T, html string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
)

// TestFailuresAreShownByTheService, also for requests that match no route. When the service fails
// to show one, the answer is JSON.
func TestFailuresAreShownByTheService(t *testing.T) {
	s := start(t, web.Options{
		HideOperations: true, HeaderLimit: 4 << 10,
		ShowFailure: func(c *fiber.Ctx, f web.Failure) error {
			c.Response().Header.SetContentType(fiber.MIMETextHTML)
			return c.SendString("<h1>" + f.Code + " " + c.Params("name") + "</h1>") // panics without a route
		},
	}, func(app *fiber.App) {
		app.Get("/broken/:name", func(*fiber.Ctx) error { panic("broken") })
	})
	if got := s.do(t, http.MethodGet, "/broken/x", nil); got.StatusCode != http.StatusInternalServerError || got.body != "<h1>internal x</h1>" {
		t.Errorf("got %d %s", got.StatusCode, got.body)
	}
	if got := s.do(t, http.MethodGet, "/nothing", nil); got.StatusCode != http.StatusNotFound || got.body != "<h1>not_found </h1>" {
		t.Errorf("got %d %s", got.StatusCode, got.body)
	}
	s.do(t, http.MethodGet, "/x", nil, "X-Long", strings.Repeat("x", 8<<10)).
		wantFailure(t, http.StatusRequestHeaderFieldsTooLarge, "headers_too_large")
	for _, path := range []string{"/livez", "/readyz", "/metrics"} {
		if got := s.do(t, http.MethodGet, path, nil); got.StatusCode != http.StatusOK {
			t.Errorf("%s answers %d", path, got.StatusCode)
		}
		if got := s.do(t, http.MethodGet, path, nil, "X-Forwarded-For", "192.0.2.1"); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %d to a visitor", path, got.StatusCode)
		}
	}
}

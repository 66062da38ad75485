package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/gofiber/fiber/v2"
)

// TestVisitor: the address of a visitor counts only with the key of the site.
func TestVisitor(t *testing.T) {
	t.Parallel()
	const visitor, peer = "203.0.113.9", "0.0.0.0" // as Fiber's tests have it
	for name, test := range map[string]struct{ siteKey, key, named, want string }{
		"of the site":           {"secret", "secret", visitor, visitor},
		"over IPv6":             {"secret", "secret", "::ffff:" + visitor, visitor},
		"of the site, unnamed":  {"secret", "secret", "", peer},
		"no address":            {"secret", "secret", "anna", peer},
		"with another key":      {"secret", "secret2", visitor, peer},
		"without a key":         {"secret", "", visitor, peer},
		"of a site without one": {"", "", visitor, peer},
	} {
		d := Deps{SiteKey: test.siteKey, TrustedProxies: []netip.Prefix{}}
		app := fiber.New()
		app.Post("/", func(c *fiber.Ctx) error { return c.SendString(d.visitor(c).String()) })
		request := httptest.NewRequest(http.MethodPost, "/", nil)
		request.Header.Set("X-API-Key", test.key)
		request.Header.Set("Litfass-Visitor", test.named)
		response, err := app.Test(request)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(response.Body)
		if err := response.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s (%v), want %s", name, got, err, test.want)
		}
	}
}

package web_test

import (
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
)

func TestRequireJSON(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Post("/", web.RequireJSON)
	})
	for _, test := range []struct {
		kind, encoding string
		status         int
	}{
		{"application/json; charset=utf-8", "", 200},
		{"application/json", "", 200},
		{"text/plain", "", 415},
		{"", "", 415},
		{"application/json", "gzip", 415},
	} {
		headers := []string{"Content-Type", test.kind}
		if test.encoding != "" {
			headers = append(headers, "Content-Encoding", test.encoding)
		}
		if got := s.do(t, "POST", "/", strings.NewReader(`{}`), headers...); got.StatusCode != test.status {
			t.Errorf("%q %q: got %d %s, want %d", test.kind, test.encoding, got.StatusCode, got.body, test.status)
		}
	}
}

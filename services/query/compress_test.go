package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
)

func TestCompressedAnswersHaveTagsOfTheirOwn(t *testing.T) {
	app := newApp(config{Compress: true}, nil, slog.New(slog.DiscardHandler), web.NewMetrics(), nil)
	app.Get("/list", web.Cacheable(0), func(c *fiber.Ctx) error { return c.SendString(strings.Repeat("list ", 1000)) })
	ask := func(header, value string) *http.Response {
		t.Helper()
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/list", nil)
		request.Header.Set(header, value)
		response, err := app.Test(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if vary := response.Header.Get("Vary"); vary != "Accept-Encoding" {
			t.Errorf("%s %s: Vary %q", header, value, vary)
		}
		return response
	}
	plain, packed := ask("Accept", "*/*"), ask("Accept-Encoding", "gzip")
	if encoding := packed.Header.Get("Content-Encoding"); encoding != "gzip" {
		t.Fatalf("encoded as %q", encoding)
	}
	tag, weak := plain.Header.Get("ETag"), packed.Header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || weak != "W/"+tag {
		t.Errorf("tags %s and %s", tag, weak)
	}
	if again := ask("If-None-Match", weak); again.StatusCode != http.StatusNotModified {
		t.Errorf("the weak tag gets %d", again.StatusCode)
	}
}

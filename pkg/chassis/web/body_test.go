package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
)

func TestRequireJSON(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Post("/", web.RequireJSON)
	})
	for kind, status := range map[string]int{
		"application/json; charset=utf-8": 200, "application/json; charset=UTF-8": 200, "application/json": 200, "text/plain": 415, "": 415,
		`application/json; charset="utf-8"`: 200, "application/json; charset=iso-8859-1": 415, "application/json;Charset=utf-16": 415,
		"application/json; charset=": 415,
	} {
		if got := s.do(t, "POST", "/", strings.NewReader(`{}`), "Content-Type", kind); got.StatusCode != status {
			t.Errorf("%q: got %d %s, want %d", kind, got.StatusCode, got.body, status)
		}
	}
}

// TestCompressedBodiesAreRefused: also where handlers read a form, which the server would
// decompress without a limit.
func TestCompressedBodiesAreRefused(t *testing.T) {
	for _, stream := range []bool{false, true} {
		reached := 0
		s := start(t, web.Options{StreamBodies: stream, Origins: []string{"*"}}, func(app *fiber.App) {
			app.All("/", func(*fiber.Ctx) error {
				reached++
				return nil
			})
		})
		for _, encoding := range []string{"gzip", "GZIP", "br", "identity, gzip", "nonsense"} {
			got := s.do(t, "POST", "/", strings.NewReader("packed"), "Content-Encoding", encoding, "Origin", "https://example.org")
			got.wantFailure(t, 415, "unsupported_media")
			if got.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s: pages of other origins cannot read why", encoding)
			}
		}
		if got := s.twoEncodings(t); got.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("a second encoding: %d", got.StatusCode)
		}
		if reached != 0 {
			t.Errorf("streamed %v: %d compressed bodies reach the handler", stream, reached)
		}
		for _, encoding := range []string{"", "identity", "Identity"} {
			if got := s.do(t, "POST", "/", strings.NewReader("plain"), "Content-Encoding", encoding); got.StatusCode != http.StatusOK {
				t.Errorf("%q: %d", encoding, got.StatusCode)
			}
		}
		if got := s.do(t, "GET", "/", nil, "Content-Encoding", "gzip"); got.StatusCode != http.StatusOK {
			t.Errorf("a read without a body: %d", got.StatusCode)
		}
	}
}

// twoEncodings sends a body with two headers of its encoding.
func (s server) twoEncodings(t *testing.T) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base, strings.NewReader("packed"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header["Content-Encoding"] = []string{"identity", "gzip"}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, response)
}

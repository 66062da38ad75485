package web_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/klauspost/compress/zstd"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

// plain returns the body of an answer as its encoding says.
func (a answer) plain(t *testing.T) string {
	t.Helper()
	var reader io.Reader = strings.NewReader(a.body)
	var err error
	switch a.Header.Get("Content-Encoding") {
	case "gzip":
		reader, err = gzip.NewReader(reader)
	case "zstd":
		reader, err = zstd.NewReader(reader)
	case "":
	default:
		t.Fatalf("encoded as %s", a.Header.Get("Content-Encoding"))
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	words   = strings.Repeat("words ", 2000)
	payload = encoded.NewPayload([]byte(`"` + words + `"`))
	picture = bytes.Repeat([]byte("picture "), 2000)
)

func compressing(t *testing.T, options web.Options) server {
	options.Compress = true
	return start(t, options, func(app *fiber.App) {
		cacheable, enveloped := web.Cacheable(web.Caching{}), web.Enveloped("get-words")
		app.Get("/kept", cacheable, enveloped, func(c *fiber.Ctx) error { return web.SendPayload(c, payload) })
		app.Get("/data", cacheable, enveloped, func(c *fiber.Ctx) error { return web.SendData(c, words) })
		app.Get("/list", cacheable, func(c *fiber.Ctx) error { return c.JSON([]string{words}) })
		text := encoded.New([]byte("<p>" + words))
		app.Get("/text", cacheable, func(c *fiber.Ctx) error { return web.SendText(c.Type("html"), text) })
		app.Get("/short", cacheable, func(c *fiber.Ctx) error { return c.JSON("short") })
		app.Get("/picture", cacheable, func(c *fiber.Ctx) error { return c.Type("png").Send(picture) })
		app.Get("/none", cacheable, func(*fiber.Ctx) error { return fault.New(fault.NotFound, "", "%s", words) })
		app.Post("/kept", enveloped, func(c *fiber.Ctx) error { return web.SendPayload(c, payload) })
	})
}

// TestCompress: each answer in each encoding is the same text with the same tag.
func TestCompress(t *testing.T) {
	s := compressing(t, web.Options{})
	for _, path := range []string{"/kept", "/data", "/list", "/text"} {
		plain := s.do(t, "GET", path, nil, "Accept-Encoding", "br")
		if plain.Header.Get("Content-Encoding") != "" || !strings.Contains(plain.body, words) || plain.Header.Get("ETag") == "" {
			t.Fatalf("%s: %v %.80s", path, plain.Header, plain.body)
		}
		for _, encoding := range []string{"gzip", "zstd"} {
			packed := s.do(t, "GET", path, nil, "Accept-Encoding", encoding)
			if packed.Header.Get("Content-Encoding") != encoding || len(packed.body) > 1000 {
				t.Errorf("%s, %s: %d bytes, %v", path, encoding, len(packed.body), packed.Header)
			}
			if data(t, packed.plain(t)) != data(t, plain.body) {
				t.Errorf("%s, %s: %.200s", path, encoding, packed.plain(t))
			}
			for _, name := range []string{"ETag", "Vary", "Content-Type", "Cache-Control"} {
				if packed.Header.Get(name) != plain.Header.Get(name) {
					t.Errorf("%s, %s: %s is %s, plain %s", path, encoding, name, packed.Header.Get(name), plain.Header.Get(name))
				}
			}
			head := s.do(t, "HEAD", path, nil, "Accept-Encoding", encoding)
			if head.body != "" || head.Header.Get("Content-Encoding") != encoding || head.Header.Get("ETag") != packed.Header.Get("ETag") ||
				head.ContentLength != int64(len(packed.body)) {
				t.Errorf("HEAD %s, %s: %d bytes for %d, %v", path, encoding, head.ContentLength, len(packed.body), head.Header)
			}
			same := s.do(t, "GET", path, nil, "Accept-Encoding", encoding, "If-None-Match", packed.Header.Get("ETag"))
			if same.StatusCode != http.StatusNotModified || same.body != "" || same.Header.Get("Vary") != "Accept-Encoding" || same.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s, %s unchanged: %d %v", path, encoding, same.StatusCode, same.Header)
			}
		}
	}
}

// data returns the data of an enveloped answer, and other answers unchanged.
func data(t *testing.T, body string) string {
	t.Helper()
	var envelope struct{ Data json.RawMessage }
	if !strings.HasPrefix(body, "{") {
		return body
	}
	if err := json.Unmarshal([]byte(body), &envelope); err != nil {
		t.Fatalf("%v in %.200s", err, body)
	}
	return string(envelope.Data)
}

func TestWhatIsNotCompressed(t *testing.T) {
	s := compressing(t, web.Options{})
	for path, vary := range map[string]string{"/short": "Accept-Encoding", "/picture": "", "/none": ""} {
		got := s.do(t, "GET", path, nil, "Accept-Encoding", "gzip, zstd")
		if got.Header.Get("Content-Encoding") != "" || got.Header.Get("Vary") != vary {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
	posted := s.do(t, "POST", "/kept", nil, "Accept-Encoding", "zstd", "If-None-Match", "*")
	if posted.StatusCode != http.StatusOK || data(t, posted.plain(t)) != `"`+words+`"` || posted.Header.Get("ETag") != "" ||
		posted.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("POST: %d %v", posted.StatusCode, posted.Header)
	}
	without := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/kept", func(c *fiber.Ctx) error { return web.SendPayload(c, payload) })
	}).do(t, "GET", "/kept", nil, "Accept-Encoding", "gzip")
	if without.Header.Get("Content-Encoding") != "" || without.Header.Get("Vary") != "" {
		t.Errorf("not asked to compress: %v", without.Header)
	}
}

// TestEveryTextVariesByEncoding: a shared cache must not give a compressed answer to a client that
// cannot read it, whether it is a page, data or a feed.
func TestEveryTextVariesByEncoding(t *testing.T) {
	text := encoded.New([]byte(words))
	s := start(t, web.Options{Compress: true}, func(app *fiber.App) {
		app.Get("/", web.Cacheable(web.Caching{}), func(c *fiber.Ctx) error {
			c.Response().Header.SetContentType(c.Query("type"))
			return web.SendText(c, text)
		})
	})
	for _, kind := range []string{
		"text/html; charset=utf-8", "text/calendar; charset=utf-8", "text/plain", "application/json", "application/javascript",
		"application/xml", "application/rss+xml; charset=utf-8", "application/atom+xml; charset=utf-8", "application/feed+json",
		"application/geo+json", "application/ld+json", "application/manifest+json", "image/svg+xml",
	} {
		for _, encoding := range []string{"", "gzip", "zstd"} {
			got := s.do(t, "GET", "/?type="+url.QueryEscape(kind), nil, "Accept-Encoding", encoding)
			same := s.do(t, "GET", "/?type="+url.QueryEscape(kind), nil, "Accept-Encoding", encoding, "If-None-Match", got.Header.Get("ETag"))
			if got.StatusCode != http.StatusOK || got.Header.Get("Content-Encoding") != encoding || got.Header.Get("Vary") != "Accept-Encoding" ||
				same.StatusCode != http.StatusNotModified || same.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s as %q: %d %v, then %d %v", kind, encoding, got.StatusCode, got.Header, same.StatusCode, same.Header)
			}
		}
	}
}

// TestWhatACacheMaySendToOthers: an answer is either the same for all origins or varies by origin.
func TestWhatACacheMaySendToOthers(t *testing.T) {
	open := compressing(t, web.Options{Origins: []string{"*"}}).do(t, "GET", "/list", nil)
	if open.Header.Get("Access-Control-Allow-Origin") != "*" || open.Header.Get("Access-Control-Expose-Headers") == "" ||
		open.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("open: %v", open.Header)
	}
	closed := compressing(t, web.Options{Origins: []string{"https://desk.example"}})
	for _, origin := range []string{"", "https://desk.example", "https://other.example"} {
		vary := closed.do(t, "GET", "/list", nil, "Origin", origin).Header.Get("Vary")
		if !strings.Contains(vary, "Origin") || !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("origin %q: Vary %s", origin, vary)
		}
	}
}

package web_test

import (
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/web"
)

func TestCacheable(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/list", web.Cacheable(5*time.Minute), func(c *fiber.Ctx) error { return c.JSON([]int{1, 2}) })
		app.Get("/names", web.Cacheable(0), func(c *fiber.Ctx) error { return c.JSON([]int{1, 2, 3}) })
		app.Get("/none", web.Cacheable(5*time.Minute), func(*fiber.Ctx) error { return fault.New(fault.NotFound, "", "none") })
	})
	first := s.do(t, "GET", "/list", nil)
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != "public, max-age=300" || first.body != "[1,2]" {
		t.Fatalf("%v %s", first.Header, first.body)
	}
	if other := s.do(t, "GET", "/names", nil).Header; other.Get("ETag") == tag || other.Get("Cache-Control") != "no-cache" {
		t.Errorf("names: %v", other)
	}
	for header, status := range map[string]int{
		tag: 304, "W/" + tag: 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, "": 200,
	} {
		got := s.do(t, "GET", "/list", nil, "If-None-Match", header)
		if got.StatusCode != status || got.Header.Get("ETag") != tag || (status == 304) != (got.body == "") {
			t.Errorf("If-None-Match %s: %d %q %v", header, got.StatusCode, got.body, got.Header)
		}
	}
	if head := s.do(t, "HEAD", "/list", nil); head.Header.Get("ETag") != tag || head.ContentLength != 5 {
		t.Errorf("HEAD: %v", head.Header)
	}
	none := s.do(t, "GET", "/none", nil)
	none.wantFailure(t, 404, "not_found")
	if none.Header.Get("ETag") != "" || none.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("an error may be kept: %v", none.Header)
	}
}

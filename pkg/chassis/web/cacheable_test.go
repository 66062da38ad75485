package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

func TestCacheable(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		five := web.Cacheable(web.Caching{MaxAge: 5 * time.Minute})
		app.Get("/list", five, func(c *fiber.Ctx) error { return c.JSON([]int{1, 2}) })
		app.Get("/names", web.Cacheable(web.Caching{}), func(c *fiber.Ctx) error { return c.JSON([]int{1, 2, 3}) })
		app.Get("/none", five, func(*fiber.Ctx) error { return fault.New(fault.NotFound, "", "none") })
		app.Get("/made", five, func(c *fiber.Ctx) error { return c.Status(201).JSON([]int{1, 2}) })
	})
	first := s.do(t, "GET", "/list", nil)
	tag := first.Header.Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) || first.Header.Get("Cache-Control") != "public, max-age=300" || first.body != "[1,2]" {
		t.Fatalf("%v %s", first.Header, first.body)
	}
	if other := s.do(t, "GET", "/names", nil).Header; other.Get("ETag") == tag || other.Get("Cache-Control") != "no-cache" {
		t.Errorf("names: %v", other)
	}
	for header, status := range map[string]int{
		tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"other", ` + tag: 304, tag + `,"other"`: 304, "*": 304,
		`"other"`: 200, "": 200, strings.Trim(tag, `W/"`): 200,
	} {
		for _, method := range []string{"GET", "HEAD"} {
			got := s.do(t, method, "/list", nil, "If-None-Match", header)
			if got.StatusCode != status || got.Header.Get("ETag") != tag || got.Header.Get("Cache-Control") != "public, max-age=300" ||
				(status == 304 || method == "HEAD") != (got.body == "") {
				t.Errorf("%s, If-None-Match %s: %d %q %v", method, header, got.StatusCode, got.body, got.Header)
			}
		}
	}
	if head := s.do(t, "HEAD", "/list", nil); head.Header.Get("ETag") != tag || head.ContentLength != 5 {
		t.Errorf("HEAD: %v", head.Header)
	}
	none := s.do(t, "GET", "/none", nil, "If-None-Match", "*")
	none.wantFailure(t, 404, "not_found")
	if none.Header.Get("ETag") != "" || none.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("an error may be kept: %v", none.Header)
	}
	if made := s.do(t, "GET", "/made", nil, "If-None-Match", "*"); made.StatusCode != http.StatusCreated || made.Header.Get("ETag") != "" {
		t.Errorf("another success: %d %v", made.StatusCode, made.Header)
	}
}

func TestCaching(t *testing.T) {
	for caching, want := range map[web.Caching]string{
		{}:                         "no-cache",
		{MaxAge: 90 * time.Second}: "public, max-age=90",
		{MaxAge: time.Minute, StaleWhileRevalidate: time.Hour}: "public, max-age=60, stale-while-revalidate=3600",
		{StaleWhileRevalidate: time.Minute}:                    "public, max-age=0, stale-while-revalidate=60",
	} {
		s := start(t, web.Options{}, func(app *fiber.App) {
			app.Get("/", web.Cacheable(caching), func(c *fiber.Ctx) error { return c.JSON(1) })
		})
		header := s.do(t, "GET", "/", nil).Header
		if got := header.Get("Cache-Control"); got != want {
			t.Errorf("%+v: %s, want %s", caching, got, want)
		}
		if varies := header.Get("Vary") == "Litfass-Position"; varies != (want != "no-cache") {
			t.Errorf("%+v: Vary %s", caching, header.Get("Vary"))
		}
	}
}

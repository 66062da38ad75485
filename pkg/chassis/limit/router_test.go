package limit

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

// anyPeer is the address of the peer in tests without a connection, as a trusted proxy.
var anyPeer = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")}

// served returns an app with some of the operations, with trusted proxies.
func served(t *testing.T, config Config, proxies []netip.Prefix) (*fiber.App, *clock) {
	t.Helper()
	clock := newClock()
	limiter, _ := made(t, config, clock.now)
	limiter.counted = map[string]Row{"POST /api/login": {Max: 7, Window: time.Hour}}
	app := web.New(web.Options{
		Service: "test", Log: slog.New(slog.DiscardHandler), Origins: []string{"*"},
		ResponseTypes: map[string]string{"/api/events": "event-search"},
	})
	api := limiter.Router(app, "", func(c *fiber.Ctx) Client { return Address(web.ClientAddress(c, proxies)) }).Group("/api")
	ok := func(c *fiber.Ctx) error { return c.JSON(fiber.Map{}) }
	api.Get("/events", web.Enveloped("event-search"), ok)
	api.Post("/events", web.Enveloped("event-search"), ok)
	api.Get("/event/:uuid", ok)
	api.Patch("/event/:uuid", ok)
	api.Delete("/event/:uuid", ok)
	api.Put("/event/:uuid", func(*fiber.Ctx) error { return errors.New("broken") })
	api.Post("/login", func(*fiber.Ctx) error {
		return &fault.Fault{Kind: fault.TooMany, Message: "later", RetryAfter: 1500 * time.Millisecond}
	})
	return app, clock
}

// send returns the answer to a request with these headers.
func send(t *testing.T, app *fiber.App, method, path string, header ...string) *http.Response {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	response, err := app.Test(request, -1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// spend sends GET /api/events until as many as there are were let through.
func spend(t *testing.T, app *fiber.App, header ...string) {
	t.Helper()
	for n := range 60 {
		if got := send(t, app, "GET", "/api/events", header...); got.StatusCode != http.StatusOK {
			t.Fatalf("request %d: %d", n+1, got.StatusCode)
		}
	}
}

// TestAnswers: answers have the headers, and a refusal is an ordinary error with retry_after
// (RULES.md, Responses).
func TestAnswers(t *testing.T) {
	app, clock := served(t, Config{}, nil)
	first := send(t, app, "GET", "/api/events")
	if got := first.Header.Get(HeaderPolicy); got != `"GET /api/events";q=60;w=60` {
		t.Errorf("policy %s", got)
	}
	if got := first.Header.Get(HeaderLimit); got != `"GET /api/events";r=59;t=60` {
		t.Errorf("limit %s", got)
	}
	clock.move(time.Hour)
	spend(t, app)
	refused := send(t, app, "GET", "/api/events", "Origin", "https://example.org")
	for header, want := range map[string]string{
		"Retry-After": "60", HeaderLimit: `"GET /api/events";r=0;t=60`, HeaderPolicy: `"GET /api/events";q=60;w=60`,
		"Cache-Control": "no-store", "Content-Type": "application/json", "Access-Control-Allow-Origin": "*",
		"Access-Control-Expose-Headers": "ETag,Litfass-Position,Location,RateLimit,RateLimit-Policy,Retry-After,Server-Timing,X-Request-Id",
	} {
		if got := refused.Header.Get(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	var body struct {
		Error        string
		Code         string
		RetryAfter   int    `json:"retry_after"`
		ResponseType string `json:"response_type"`
		Status       int
		Details      []any
	}
	text, err := io.ReadAll(refused.Body)
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err != nil || refused.StatusCode != http.StatusTooManyRequests || body.Code != "too_many_requests" ||
		body.RetryAfter != 60 || body.ResponseType != "event-search" || body.Status != http.StatusTooManyRequests ||
		body.Error != "more than 60 requests in a minute; try again in 60 s" || body.Details == nil {
		t.Errorf("%d %s %v", refused.StatusCode, text, err)
	}
	wait, err := strconv.Atoi(refused.Header.Get("Retry-After"))
	if err != nil {
		t.Fatal(err)
	}
	clock.move(time.Duration(wait) * time.Second)
	if got := send(t, app, "GET", "/api/events"); got.StatusCode != http.StatusOK {
		t.Errorf("after waiting: %d", got.StatusCode)
	}
}

// TestCountedElsewhere: an operation that counts its requests itself has the same headers.
func TestCountedElsewhere(t *testing.T) {
	app, _ := served(t, Config{}, nil)
	got := send(t, app, "POST", "/api/login")
	for header, want := range map[string]string{
		"Retry-After": "2", HeaderLimit: `"POST /api/login";r=0;t=2`, HeaderPolicy: `"POST /api/login";q=7;w=3600`,
	} {
		if got := got.Header.Get(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
}

// TestNoWayAround: every spelling of a request that reaches the operation counts, and no other
// does.
func TestNoWayAround(t *testing.T) {
	app, _ := served(t, Config{}, nil)
	spend(t, app)
	for _, test := range []struct{ method, path string }{
		{"GET", "/api/events"},
		{"GET", "/api/events/"},
		{"GET", "/api/events?search=jazz"},
		{"GET", "/api/events/?x=1#y"},
		{"HEAD", "/api/events"},
		{"HEAD", "/api/events/"},
	} {
		if got := send(t, app, test.method, test.path); got.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s %s: %d", test.method, test.path, got.StatusCode)
		}
	}
	for path, want := range map[string]int{
		"/API/EVENTS": http.StatusNotFound, "/api/Events": http.StatusNotFound, "/api//events": http.StatusNotFound,
		"/api/./events": http.StatusNotFound, "/api/%65vents": http.StatusNotFound, "/livez": http.StatusOK,
		"/api/event/1": http.StatusOK,
	} {
		if got := send(t, app, "GET", path); got.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, got.StatusCode, want)
		}
	}
	if got := send(t, app, "POST", "/api/events"); got.StatusCode != http.StatusOK {
		t.Errorf("POST shares the count of GET: %d", got.StatusCode)
	}
}

// TestPreflights: the questions of browsers do not count.
func TestPreflights(t *testing.T) {
	app, _ := served(t, Config{Rows: []string{"GET /api/events=1/1m"}}, nil)
	for range 3 {
		got := send(t, app, "OPTIONS", "/api/events", "Origin", "https://example.org",
			"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "x-api-key")
		if got.StatusCode != http.StatusNoContent || got.Header.Get("Access-Control-Allow-Headers") == "" {
			t.Fatalf("%d %v", got.StatusCode, got.Header)
		}
		send(t, app, "OPTIONS", "/api/events")
	}
	if got := send(t, app, "GET", "/api/events"); got.StatusCode != http.StatusOK {
		t.Errorf("%d", got.StatusCode)
	}
}

// TestInventedAddresses: a client cannot count as another one by sending a header, neither directly
// nor through a trusted proxy, which appends the client's address.
func TestInventedAddresses(t *testing.T) {
	direct, _ := served(t, Config{}, nil)
	spend(t, direct)
	for _, header := range []string{"X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP"} {
		if got := send(t, direct, "GET", "/api/events", header, "198.51.100.9"); got.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s: %d", header, got.StatusCode)
		}
	}
	proxied, _ := served(t, Config{}, anyPeer)
	spend(t, proxied, "X-Forwarded-For", "2001:db8::1")
	for forwarded, want := range map[string]int{
		"2001:db8::1":                         http.StatusTooManyRequests,
		"2001:db8:0:0:abcd::2":                http.StatusTooManyRequests, // the same subscriber
		"198.51.100.9, 2001:db8::1":           http.StatusTooManyRequests,
		"198.51.100.9,,2001:db8::1":           http.StatusTooManyRequests,
		"127.0.0.1, 198.51.100.9":             http.StatusOK,
		"2001:db8:0:1::1":                     http.StatusOK,
		"::ffff:203.0.113.7":                  http.StatusOK,
		"2001:db8::1, this is not an address": http.StatusOK, // counts for the proxy
	} {
		if got := send(t, proxied, "GET", "/api/events", "X-Forwarded-For", forwarded); got.StatusCode != want {
			t.Errorf("%s: %d, want %d", forwarded, got.StatusCode, want)
		}
	}
	if got := send(t, proxied, "GET", "/api/events", "X-Forwarded-For", "203.0.113.8", "X-Forwarded-For", "2001:db8::1"); got.StatusCode != http.StatusTooManyRequests {
		t.Errorf("two headers: %d", got.StatusCode)
	}
}

// TestUnlimited: without a limiter, and with a row that is off, nothing is added.
func TestUnlimited(t *testing.T) {
	app, _ := served(t, Config{Rows: []string{"GET /api/events=off"}}, nil)
	for range 200 {
		got := send(t, app, "GET", "/api/events")
		if got.StatusCode != http.StatusOK || got.Header.Get(HeaderPolicy) != "" {
			t.Fatalf("%d %v", got.StatusCode, got.Header)
		}
	}
	var off *Limiter
	plain := fiber.New()
	if off.Router(plain, "", nil) != fiber.Router(plain) || off.Close() != nil {
		t.Error("a limiter that is off limits")
	}
}

// TestFailuresCount: a request counts also when it fails.
func TestFailuresCount(t *testing.T) {
	app, _ := served(t, Config{}, nil)
	for n := range 30 {
		if got := send(t, app, "PUT", "/api/event/1"); got.StatusCode != http.StatusInternalServerError {
			t.Fatalf("request %d: %d", n+1, got.StatusCode)
		}
	}
	for method, want := range map[string]int{"PUT": http.StatusTooManyRequests, "PATCH": http.StatusOK, "DELETE": http.StatusOK} {
		if got := send(t, app, method, "/api/event/1"); got.StatusCode != want {
			t.Errorf("%s: %d, want %d", method, got.StatusCode, want)
		}
	}
}

// A cacheable answer does not show one client's count to others.
func TestStoredAnswersDoNotShowCounts(t *testing.T) {
	t.Parallel()
	clock := newClock()
	limiter, _ := made(t, Config{}, clock.now)
	app := fiber.New()
	identify := func(*fiber.Ctx) Client { return Address(anyPeer[0].Addr()) }
	for path, control := range map[string]string{"/api/kept": "public, max-age=60", "/api/asked": "no-cache"} {
		limiter.Router(app, "", identify).Get(path, func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderCacheControl, control)
			return c.SendStatus(http.StatusOK)
		})
	}
	for path, shown := range map[string]bool{"/api/kept": false, "/api/asked": true} {
		got := send(t, app, "GET", path)
		for _, name := range []string{HeaderPolicy, HeaderLimit} {
			if (got.Header.Get(name) != "") != shown {
				t.Errorf("%s: %s is %q", path, name, got.Header.Get(name))
			}
		}
	}
}

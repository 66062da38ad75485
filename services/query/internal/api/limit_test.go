package api

import (
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/contracts/change"
	"litfass/services/query/internal/keys"
)

// limiting returns an option that gives a site limits by the given clock, which stands still.
func limiting(t *testing.T, config limit.Config, clock *atomic.Int64, known *keys.Known) func(*Deps) {
	t.Helper()
	config.Tiers = []string{"standard=2", "partner=3"}
	limits, err := limit.New(limit.Options{
		Config: config, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Unix(clock.Load(), 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = limits.Close() })
	return func(d *Deps) { d.Limits, d.Keys = limits, known }
}

// sentBy are the headers of a request of a client that the proxy has seen.
func sentBy(address string, header ...string) []string {
	return append([]string{"X-Forwarded-For", address, "Content-Type", "application/json"}, header...)
}

// passes sends requests until one is refused. It returns the number of allowed ones, and the
// refusal.
func (s site) passes(t *testing.T, method, path, body string, header ...string) (int, *http.Response, []byte) {
	t.Helper()
	for n := range 1000 {
		response, answer := s.do(t, method, path, body, header...)
		switch response.StatusCode {
		case http.StatusOK:
		case http.StatusTooManyRequests:
			return n, response, answer
		default:
			t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, answer)
		}
	}
	t.Fatalf("%s %s: nothing is refused", method, path)
	return 0, nil, nil
}

// TestLimits: the limits (RULES.md, Limits) of public operations, by client and by key, and the
// text of a refusal.
func TestLimits(t *testing.T) {
	clock, known := &atomic.Int64{}, keys.New(time.Now)
	clock.Store(1_800_000_000)
	digest, _ := change.HashKey("lfk_partner")
	key := change.Key{Hash: hex.EncodeToString(digest[:]), Revision: 1, Owner: change.KeyOwner(7), Tier: "partner"}
	known.Change(key)
	s := newSite(t, seeded(t), limiting(t, limit.Config{}, clock, known))
	for _, test := range []struct {
		method, path, body string
		most               int
	}{
		{"GET", "/api/events?limit=1", "", 60},
		{"POST", "/api/events", "{}", 30},
		{"GET", "/api/venues?limit=1", "", 100},
	} {
		if n, _, _ := s.passes(t, test.method, test.path, test.body, sentBy("203.0.113.1")...); n != test.most {
			t.Errorf("%s %s: %d are let through, want %d", test.method, test.path, n, test.most)
		}
	}
	_, response, answer := s.passes(t, "GET", "/api/events/", "", sentBy("203.0.113.1")...)
	var refused struct {
		enveloped[any]
		Error      string
		RetryAfter int    `json:"retry_after"`
		RequestID  string `json:"request_id"`
	}
	if err := json.Unmarshal(answer, &refused); err != nil || refused.RetryAfter != 60 || refused.Error == "" ||
		refused.Code != "too_many_requests" || refused.ResponseType != responseTypes["/events"] || refused.Status != 429 ||
		refused.Details == nil || refused.RequestID == "" || response.Header.Get("Retry-After") != "60" ||
		response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v %v %s", err, response.Header, answer)
	}
	if response, _ := s.do(t, "GET", "/api/events", "", sentBy("203.0.113.1", "Litfass-Position", "4711")...); response.StatusCode != http.StatusTooManyRequests {
		t.Errorf("over the limit, a position is waited for: %d", response.StatusCode)
	}
	clock.Add(int64(refused.RetryAfter))
	if response, _ := s.do(t, "GET", "/api/events", "", sentBy("203.0.113.1")...); response.StatusCode != http.StatusOK {
		t.Errorf("after waiting: %d", response.StatusCode)
	}
	for _, test := range []struct {
		name, address, key string
		most               int
	}{
		{"a key", "203.0.113.1", "lfk_partner", 180},
		{"the key at another address", "203.0.113.4", "lfk_partner", 0},
		{"an unknown key", "203.0.113.2", "lfk_invented", 60},
		{"another unknown key", "203.0.113.2", "lfk_invented-too", 0},
		{"a malformed key", "203.0.113.3", strings.Repeat("ü", 1000), 60},
		{"a network", "2001:db8::1", "", 60},
		{"another address of it", "2001:db8::ffff", "", 0},
	} {
		if n, _, _ := s.passes(t, "GET", "/api/events", "", sentBy(test.address, "X-API-Key", test.key)...); n != test.most {
			t.Errorf("%s: %d are let through, want %d", test.name, n, test.most)
		}
	}
	second, _ := change.HashKey("lfk_partner-too")
	known.Change(change.Key{Hash: hex.EncodeToString(second[:]), Revision: 1, Owner: key.Owner, Tier: "partner"})
	if n, _, _ := s.passes(t, "GET", "/api/events", "", sentBy("203.0.113.5", "X-API-Key", "lfk_partner-too")...); n != 0 {
		t.Errorf("another key of the same owner: %d are let through", n)
	}
	key.Tier = ""
	known.Change(key)
	if n, _, _ := s.passes(t, "GET", "/api/events", "", sentBy("203.0.113.4", "X-API-Key", "lfk_partner")...); n != 60 {
		t.Errorf("a revoked key: %d are let through", n)
	}
}

// TestSharedLimits: two processes with the same LIMITS_URL share their counts.
func TestSharedLimits(t *testing.T) {
	clock, client := &atomic.Int64{}, seeded(t)
	config := limit.Config{URL: "redis://" + miniredis.RunT(t).Addr(), Rows: []string{"GET /api/events=60/24h"}}
	sites := []site{newSite(t, client, limiting(t, config, clock, nil)), newSite(t, client, limiting(t, config, clock, nil))}
	for n := range 60 {
		response, answer := sites[n%2].do(t, "GET", "/api/events?limit=1", "", sentBy("203.0.113.1")...)
		if response.StatusCode != http.StatusOK {
			t.Fatalf("request %d: %d %s", n+1, response.StatusCode, answer)
		}
	}
	for n, s := range sites {
		if response, _ := s.do(t, "GET", "/api/events?limit=1", "", sentBy("203.0.113.1")...); response.StatusCode != http.StatusTooManyRequests {
			t.Errorf("request 61 at process %d: %d", n+1, response.StatusCode)
		}
	}
}

// TestEveryOperationIsLimited: all but the description of the operations.
func TestEveryOperationIsLimited(t *testing.T) {
	s := newSite(t, seeded(t), limiting(t, limit.Config{}, &atomic.Int64{}, nil))
	open := 0
	for _, route := range s.app.GetRoutes(true) {
		guarded := false
		for _, handler := range route.Handlers {
			name := runtime.FuncForPC(reflect.ValueOf(handler).Pointer()).Name()
			guarded = guarded || strings.HasPrefix(name, "litfass/pkg/chassis/limit.")
		}
		found := strings.HasPrefix(route.Path, "/sitemap") || route.Path == "/robots.txt" || route.Path == "/oembed" || route.Path == "/mcp" || route.Path == "/llms.txt"
		exempt := (!strings.HasPrefix(route.Path, "/api/") && !found) || strings.HasPrefix(route.Path, "/api/docs") || route.Path == "/api/openapi.json"
		if guarded == exempt {
			t.Errorf("%s %s: limited %t", route.Method, route.Path, guarded)
		}
		if exempt {
			open++
		}
	}
	if open == 0 {
		t.Error("no route is exempt: the test looks at none")
	}
}

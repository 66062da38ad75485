package api_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/services/admin/internal/api"
)

// limit gives the server limits; their time stands still.
func (s *server) limit(t *testing.T, rows ...string) {
	t.Helper()
	moment := time.Now()
	limits, err := limit.New(limit.Options{
		Config: limit.Config{Rows: rows, Tiers: []string{"standard=2", "partner=3"}},
		Counted: map[string]limit.Row{
			"POST /api/login":  {Max: settings.Accounts.LoginAttempts, Window: settings.Accounts.LoginWindow},
			"POST /api/signup": {Max: settings.Accounts.SignupAttempts, Window: settings.Accounts.SignupWindow},
		},
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return moment },
	})
	if err != nil {
		t.Fatal(err)
	}
	deps := s.deps()
	deps.Limits = limits
	s.app = api.New(deps)
	s.serve(t, s.app)
}

// TestLimits: the limits (RULES.md, Limits) of admin operations count for each user, and for each
// API key with its tier; a request counts before it is looked at any further.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	venue := s.venue(t, s.org)
	text, id := s.makeKey(t, "owner", "/user/api-keys", `{"name": "x", "role": "owner"}`)
	s.exec(t, "UPDATE api_key SET tier = 'partner' WHERE uuid = $1", id)
	s.limit(t)
	for _, test := range []struct {
		method, path string
		most         int
	}{
		{"PUT", "/venue/" + venue, 20},
		{"POST", "/event/create", 30},
	} {
		send := map[string]func() answer{
			"owner":  func() answer { return s.as(t, "owner", test.method, test.path, `{"x": 1}`) },
			"editor": func() answer { return s.as(t, "editor", test.method, test.path, `{"x": 1}`) },
			"key":    func() answer { return s.with(t, text, test.method, test.path) },
		}
		for who, times := range map[string]int{"owner": 1, "editor": 1, "key": 3} {
			for n := range times * test.most {
				if a := send[who](); a.status == http.StatusTooManyRequests || a.status == http.StatusUnauthorized {
					t.Fatalf("%s %s by %s, request %d: %s", test.method, test.path, who, n+1, a.raw)
				}
			}
			a := send[who]()
			a.want(t, "by "+who, http.StatusTooManyRequests, "too_many_requests")
			wait, _ := a.body["retry_after"].(float64)
			policy := fmt.Sprintf(`"%s /api/admin%s";q=%d;w=60`, test.method, strings.Replace(test.path, venue, ":venueId", 1), times*test.most)
			if wait < 1 || a.header.Get("Retry-After") != fmt.Sprint(wait) || a.header.Get("RateLimit-Policy") != policy {
				t.Errorf("%s by %s: %v, want %s: %s", test.path, who, a.header, policy, a.raw)
			}
		}
	}
}

// TestLoginLimits: login and signup, which the database counts, have the headers of the others.
func TestLoginLimits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.limit(t)
	for path, most := range map[string]int{"/api/login": 5, "/api/signup": 10} {
		for range most {
			a := s.send(t, http.MethodPost, path, strings.NewReader(`{"email": "new@example.org", "password": "staple under the bridge"}`),
				"Content-Type", "application/json", "X-Forwarded-For", "203.0.113.9")
			if a.status == http.StatusTooManyRequests {
				t.Fatalf("%s: %s", path, a.raw)
			}
		}
		a := s.send(t, http.MethodPost, path, strings.NewReader(`{"email": "other@example.org", "password": "staple under the bridge"}`),
			"Content-Type", "application/json", "X-Forwarded-For", "203.0.113.9")
		a.want(t, path, http.StatusTooManyRequests, "too_many_attempts")
		wait, _ := a.body["retry_after"].(float64)
		if wait < 1 || a.header.Get("Retry-After") != fmt.Sprint(wait) ||
			a.header.Get("RateLimit") != fmt.Sprintf(`"POST %s";r=0;t=%v`, path, wait) ||
			a.header.Get("RateLimit-Policy") != fmt.Sprintf(`"POST %s";q=%d;w=%d`, path, most, most*60) {
			t.Errorf("%s: %v %s", path, a.header, a.raw)
		}
	}
}

// TestEveryOperationIsLimited: each refuses requests over its limit with the described answer. The
// requests have an unknown parameter, so that they count and do nothing.
func TestEveryOperationIsLimited(t *testing.T) {
	t.Parallel()
	c := newExamples(t)
	all := c.allOperations(t)
	var rows []string
	for _, row := range limit.Table {
		if row.SetBy == "" {
			rows = append(rows, row.Operation+"=1/24h")
		}
	}
	c.limit(t, rows...)
	limited := map[string]bool{"POST /api/login": true, "POST /api/signup": true} // see TestLoginLimits
	for _, e := range all {
		method, path, _ := strings.Cut(e.operation, " ")
		if limited[e.operation] {
			continue
		}
		limited[e.operation] = true
		e.address, e.status = path+"?nonsense=1", http.StatusTooManyRequests
		c.asked = 0 // from the same address
		c.send(t, method, c.ids.Replace(e.address), strings.NewReader(c.ids.Replace(e.body)), c.headersOf(e)...)
		c.asked = 0
		c.ask(t, e)
	}
	for _, operation := range c.description.Described() {
		method, path, _ := strings.Cut(operation, " ")
		if !limited[operation] || c.description.Responses(strings.ToLower(method), path)["429"] == nil {
			t.Errorf("%s: asked %t, or not described as limited", operation, limited[operation])
		}
	}
}

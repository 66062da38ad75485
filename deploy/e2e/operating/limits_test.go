package operating

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// TestLimits: the limits of public operations in the whole system, and how soon keys count there.
func TestLimits(t *testing.T) {
	s := &harness.System{Stack: harness.Run(t, stack.Options{Env: []string{"RATE_LIMITS=on", "LIMITS=GET /api/events=60/24h"}})}
	s.Client = client.New(s.URL(), 8)
	s.AwaitReady(t)
	for n := range 61 {
		want := http.StatusOK
		if n == 60 {
			want = http.StatusTooManyRequests
		}
		if answer := search(s, t, "203.0.113.1", ""); answer.Status != want {
			t.Fatalf("request %d: %d %s", n+1, answer.Status, answer.Body)
		}
	}
	token := s.Account(t, "owner@example.org", "correct horse battery", "--admin")
	made := s.As(t, token, http.MethodPost, "/api/admin/user/api-keys", map[string]any{"name": "website", "role": "viewer"})
	key, _ := made["key"].(string)
	uuid, _ := made["uuid"].(string)
	untilPolicy(s, t, "a new key", key, `"GET /api/events";q=600;w=86400`)
	if answer := search(s, t, "203.0.113.1", key); answer.Status != http.StatusOK {
		t.Errorf("a key counts for the address: %d", answer.Status)
	}
	if output, err := s.Command(t.Context(), stack.Admin, "api-key", "tier", uuid, "gold").CombinedOutput(); err == nil ||
		!strings.Contains(string(output), "partner, standard") {
		t.Errorf("an unknown tier: %v %s", err, output)
	}
	if output, err := s.Command(t.Context(), stack.Admin, "api-key", "tier", uuid, "partner").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	untilPolicy(s, t, "another tier", key, `"GET /api/events";q=6000;w=86400`)
	s.As(t, token, http.MethodDelete, "/api/admin/user/api-keys/"+uuid, nil)
	untilPolicy(s, t, "the end of the key", key, `"GET /api/events";q=60;w=86400`)
	if answer := search(s, t, "203.0.113.1", key); answer.Status != http.StatusTooManyRequests {
		t.Errorf("a revoked key: %d", answer.Status)
	}
	if output, err := s.Command(t.Context(), stack.Admin, "verify").CombinedOutput(); err != nil ||
		!strings.Contains(string(output), "apikey: 0 compared, 0 differ") {
		t.Errorf("verify: %v %s", err, output)
	}
}

// search sends the search of a client, as a proxy in front of the gateway would pass it on.
func search(s *harness.System, t *testing.T, address, key string) client.Answer {
	t.Helper()
	header := http.Header{"X-Forwarded-For": {address}}
	if key != "" {
		header.Set("X-API-Key", key)
	}
	answer, err := s.Client.Do(t.Context(), http.MethodGet, "/api/events?limit=1", header, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// untilPolicy waits until the search of a key has this limit, and logs how long that took.
func untilPolicy(s *harness.System, t *testing.T, what, key, want string) {
	t.Helper()
	started := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), harness.Patience)
	defer cancel()
	for got := ""; got != want; time.Sleep(5 * time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("%s: the limit is %s, want %s", what, got, want)
		}
		got = search(s, t, "203.0.113.2", key).Header.Get("RateLimit-Policy")
	}
	t.Logf("%s is known after %s", what, time.Since(started).Round(time.Millisecond))
}

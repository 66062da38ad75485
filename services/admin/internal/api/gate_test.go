package api_test

import (
	"net/http"
	"testing"
	"time"
)

const readers = `{"name": "x", "role": "viewer"}`

// from sends a request of an address with an Authorization header, "" without one.
func (s *stage) from(t *testing.T, address, authorization string) answer {
	t.Helper()
	headers := []string{"X-Forwarded-For", address}
	if authorization != "" {
		headers = append(headers, "Authorization", authorization)
	}
	return s.send(t, http.MethodGet, admin+"/permissions/list", nil, headers...)
}

// TestInvalidCredentialsAreLimited: an address cannot try tokens and keys without end. Credentials
// that were valid before keep working from this address, and others from another address.
func TestInvalidCredentialsAreLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	used, _ := s.makeKey(t, "owner", "/user/api-keys", readers)
	unused, _ := s.makeKey(t, "owner", "/user/api-keys", readers)
	s.limit(t, "401 /api/admin/*=4/1h")
	const here, there = "2001:db8::1", "2001:db8:0:1::1"
	s.from(t, here, "Bearer "+used).want(t, "a valid key", ok, "")
	for _, wrong := range []string{"", "Bearer lfk_guessed", "Bearer not.a.token", "Basic YTpi"} {
		a := s.from(t, here, wrong)
		a.want(t, wrong, http.StatusUnauthorized, "")
		if a.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q: no challenge", wrong)
		}
	}
	for _, wrong := range []string{"Bearer lfk_guessed", "Bearer lfk_another", "", "Bearer " + unused, "Bearer not.a.token"} {
		a := s.from(t, "2001:db8::2", wrong)
		a.want(t, wrong, http.StatusTooManyRequests, "too_many_requests")
		if wait, _ := a.body["retry_after"].(float64); wait != 3600 || a.header.Get("Retry-After") != "3600" {
			t.Errorf("%q: %v %s", wrong, a.header, a.raw)
		}
	}
	s.from(t, here, "Bearer "+used).want(t, "a key that was valid", ok, "")
	s.from(t, here, "Bearer "+s.people["viewer"].access).want(t, "a token never seen", ok, "")
	s.from(t, there, "Bearer "+unused).want(t, "the key from elsewhere", ok, "")
	s.from(t, there, "Bearer lfk_guessed").want(t, "a wrong one from elsewhere", http.StatusUnauthorized, "api_key_invalid")
	s.exec(t, "UPDATE api_key SET revoked_at = now()")
	for range 2 {
		s.from(t, here, "Bearer "+used).want(t, "a key that was revoked", http.StatusTooManyRequests, "")
	}
}

// TestExpiredTokensAreNotLimited: a page whose token expires may have many requests under way.
func TestExpiredTokensAreNotLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.limit(t, "401 /api/admin/*=1/1h")
	s.clock.Move(time.Hour)
	for range 5 {
		s.from(t, "203.0.113.1", "Bearer "+s.people["owner"].access).want(t, "expired", http.StatusUnauthorized, "token_expired")
	}
	s.from(t, "203.0.113.1", "").want(t, "the first failure", http.StatusUnauthorized, "token_missing")
	s.from(t, "203.0.113.1", "").want(t, "the second failure", http.StatusTooManyRequests, "")
	s.from(t, "203.0.113.1", "Bearer "+s.people["owner"].access).want(t, "expired", http.StatusUnauthorized, "token_expired")
}

// TestKeysOfOneUserCountTogether: more keys do not allow more requests, and neither do keys of the
// organizations that a user founds.
func TestKeysOfOneUserCountTogether(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	one, _ := s.makeKey(t, "owner", "/user/api-keys", readers)
	two, _ := s.makeKey(t, "owner", "/user/api-keys", readers)
	organizations, _ := s.makeKey(t, "owner", "/organization/"+s.org+"/api-keys", readers)
	others, _ := s.makeKey(t, "neighbour", "/user/api-keys", readers)
	s.limit(t, "GET /api/admin/*=2/1h")
	for n := range 4 { // twice as many, see limit
		s.with(t, []string{one, two}[n%2], http.MethodGet, "/permissions/list").want(t, "within the limit", ok, "")
	}
	for _, key := range []string{one, two, organizations} {
		s.with(t, key, http.MethodGet, "/permissions/list").want(t, "over the limit", http.StatusTooManyRequests, "too_many_requests")
	}
	s.with(t, others, http.MethodGet, "/permissions/list").want(t, "another user's key", ok, "")
	s.as(t, "owner", http.MethodGet, "/permissions/list", "").want(t, "the user themselves", ok, "")
}

package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/mail"
)

const anna = "anna@example.org"

func TestAccountFromSignupToLogout(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.post(t, "/api/signup?lang=de", login(anna, "correct horse battery"))
	a.want(t, "signup", http.StatusCreated, "")
	first := string(a.raw)
	if a.body["message"] == "" || len(a.body) != 1 {
		t.Errorf("signup: %s", a.raw)
	}
	s.post(t, "/api/signup", `{"email": "anna@example.org", "password": "correct horse battery", "referer": "x"}`).
		want(t, "signup again before activating", http.StatusCreated, "")
	s.post(t, "/api/login", login(anna, "correct horse battery")).want(t, "too early", http.StatusUnauthorized, "invalid_credentials")
	s.post(t, "/api/activate", `{"token": "nonsense"}`).want(t, "activate", http.StatusBadRequest, "token_invalid")
	token := s.issue(t)
	a = s.post(t, "/api/activate", fmt.Sprintf(`{"token": %q}`, token))
	a.want(t, "activate without a password", http.StatusBadRequest, "invalid_parameters")
	if a.fields() != "password" {
		t.Errorf("bad fields %s", a.fields())
	}
	s.post(t, "/api/activate", activation(token, "correct horse battery")).want(t, "activate", http.StatusOK, "")
	a = s.post(t, "/api/signup", login(anna, "correct horse battery"))
	a.want(t, "signup with a taken address", http.StatusCreated, "")
	if string(a.raw) != first {
		t.Errorf("the answer shows that the address is taken: %s, before %s", a.raw, first)
	}

	a = s.post(t, "/api/login/", login(anna, "correct horse battery"))
	a.want(t, "login", http.StatusOK, "")
	if a.body["expires_in"] != 900.0 {
		t.Errorf("the access token expires in %v", a.body["expires_in"])
	}
	keys := []string{"access_token", "display_name", "expires_in", "first_name", "last_name", "locale", "message", "refresh_token", "theme", "user_id"}
	if got := slices.Sorted(maps.Keys(a.body)); !slices.Equal(got, keys) {
		t.Errorf("login answers with %v", got)
	}
	if a.body["message"] != "login successful" || a.body["locale"] != "de" || a.body["theme"] != "auto" || a.body["display_name"] != "" {
		t.Errorf("login: %s", a.raw)
	}
	if a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("tokens may be kept: %q", a.header.Get("Cache-Control"))
	}
	a = s.refreshed(t, a.body["refresh_token"].(string))
	access := a.body["access_token"].(string)
	s.send(t, http.MethodPost, "/api/admin/logout", nil, "Authorization", "Bearer "+access).want(t, "logout", http.StatusOK, "")
	s.send(t, http.MethodPost, "/api/admin/logout", nil, "Authorization", "Bearer "+access).
		want(t, "admin logout again", http.StatusUnauthorized, "session_ended")
}

// refreshed refreshes by header and by body, and returns the last answer.
func (s *server) refreshed(t *testing.T, token string) answer {
	t.Helper()
	a := s.send(t, http.MethodPost, "/api/admin/refresh", nil, "Authorization", "Bearer "+token)
	a.want(t, "refresh by header", http.StatusOK, "")
	a = s.post(t, "/api/admin/refresh/", fmt.Sprintf(`{"refresh_token": %q}`, a.body["refresh_token"]))
	a.want(t, "refresh by body", http.StatusOK, "")
	if got := slices.Sorted(maps.Keys(a.body)); !slices.Equal(got, []string{"access_token", "expires_in", "message", "refresh_token"}) ||
		a.body["expires_in"] != 900.0 {
		t.Errorf("refresh answers with %s", a.raw)
	}
	return a
}

const setHash = `
UPDATE one_time_token
SET hash = $1
WHERE id = (SELECT max(id) FROM one_time_token)`

// issue gives the newest token a secret, as its mail would.
func (s *server) issue(t *testing.T) string {
	t.Helper()
	secret := auth.NewSecret()
	if _, err := s.db.Pool().Exec(t.Context(), setHash, auth.Digest(secret)); err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestPasswordOperations(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	user := authtest.User(t, s.db, anna)
	for _, email := range []string{anna, "unknown@example.org"} {
		a := s.post(t, "/api/forgot-password?lang=da", fmt.Sprintf(`{"email": %q}`, email))
		a.want(t, "forgot", http.StatusOK, "")
		if keys := slices.Collect(maps.Keys(a.body)); !slices.Equal(keys, []string{"message"}) {
			t.Errorf("%s: %s", email, a.raw)
		}
	}
	s.post(t, "/api/forgot-password", `{"email": ""}`).want(t, "no address", http.StatusBadRequest, "invalid_parameters")
	s.post(t, "/api/reset-password", `{"token": "x", "new_password": "staple under the bridge"}`).
		want(t, "no such token", http.StatusBadRequest, "token_invalid")
	const insert = `
INSERT INTO one_time_token (purpose, user_id, created_at, expires_at)
VALUES ('reset', $1, $2, $3)`
	if _, err := s.db.Pool().Exec(t.Context(), insert, user, s.clock.Now(), s.clock.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"token": %q, "new_password": "staple under the bridge"}`, s.issue(t))
	s.post(t, "/api/reset-password", body).want(t, "reset", http.StatusOK, "")
	s.post(t, "/api/login", login(anna, "staple under the bridge")).want(t, "login", http.StatusOK, "")
}

func TestTooManyLogins(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	authtest.User(t, s.db, anna)
	guess := func(from string) answer {
		return s.post(t, "/api/login", login(anna, "wrong"), "X-Forwarded-For", from)
	}
	for i := range 5 { // the address that the trusted proxy adds counts, not those before it
		guess(fmt.Sprintf("10.0.0.%d, 203.0.113.9", i)).want(t, "guess", http.StatusUnauthorized, "invalid_credentials")
	}
	a := guess("198.51.100.1")
	a.want(t, "the account's sixth", http.StatusTooManyRequests, "too_many_attempts")
	if a.header.Get("Retry-After") != "300" || a.body["retry_after"] != 300.0 {
		t.Errorf("retry after %q, %v", a.header.Get("Retry-After"), a.body["retry_after"])
	}
	s.post(t, "/api/login", login("bert@example.org", "wrong"), "X-Forwarded-For", "10.9.9.9, 203.0.113.9").
		want(t, "the address's sixth", http.StatusTooManyRequests, "too_many_attempts")
	s.post(t, "/api/login", login("bert@example.org", "wrong"), "X-Forwarded-For", "10.9.9.9, 203.0.113.10").
		want(t, "another address", http.StatusUnauthorized, "invalid_credentials")
	var address string
	const read = "SELECT string_agg(DISTINCT host(network), ' ') FROM attempt WHERE host(network) LIKE '203.%'"
	if err := s.db.Pool().QueryRow(t.Context(), read).Scan(&address); err != nil || address != "203.0.113.10 203.0.113.9" {
		t.Errorf("counted by %s, %v", address, err)
	}
}

// TestTooManyLoginsAtTwoProcesses: five are five, however they are spread, also when they come at
// once.
func TestTooManyLoginsAtTwoProcesses(t *testing.T) {
	t.Parallel()
	nodes := twoServers(t)
	authtest.User(t, nodes[0].db, anna)
	guess := func(i int) func() answer {
		return func() answer {
			return nodes[i%2].post(t, "/api/login", login(anna, "wrong"), "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
		}
	}
	var guesses []func() answer
	for i := range 12 {
		guesses = append(guesses, guess(i))
	}
	got := atOnce(guesses...)
	if wrong := slices.Index(got, http.StatusTooManyRequests); wrong != 5 || got[0] != http.StatusUnauthorized || got[11] != http.StatusTooManyRequests {
		t.Errorf("statuses %v, want five 401 and then 429", got)
	}
	right := func(n int, email string) answer {
		return nodes[n].post(t, "/api/login", login(email, authtest.Password), "X-Forwarded-For", "198.51.100.1")
	}
	for n := range nodes {
		right(n, anna).want(t, "right, too late", http.StatusTooManyRequests, "too_many_attempts")
	}
	for i := range 5 { // strangers, from one address
		right(i%2, fmt.Sprintf("unknown%d@example.org", i)).want(t, "guess", http.StatusUnauthorized, "invalid_credentials")
	}
	for n := range nodes {
		right(n, "bert@example.org").want(t, "the address's sixth", http.StatusTooManyRequests, "too_many_attempts")
	}
	nodes[0].clock.Move(5 * time.Minute)
	right(1, anna).want(t, "five minutes later", http.StatusOK, "")
}

// TestForwardedByUntrusted: X-Forwarded-For of an untrusted client is ignored.
func TestForwardedByUntrusted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	deps := s.deps()
	deps.Accounts.TrustedProxies = nil
	s.serve(t, api.New(deps))
	for i := range 5 {
		s.post(t, "/api/login", login(fmt.Sprintf("unknown%d@example.org", i), "wrong"), "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)).
			want(t, "guess", http.StatusUnauthorized, "invalid_credentials")
	}
	s.post(t, "/api/login", login(anna, "wrong"), "X-Forwarded-For", "203.0.113.9").
		want(t, "the sixth", http.StatusTooManyRequests, "too_many_attempts")
}

func TestWhoMayPass(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	user := authtest.User(t, s.db, anna)
	grant := s.stack.LogIn(t, s.db, user)
	expired := s.stack.LogIn(t, s.db, user)
	tests := []struct{ name, header, code string }{
		{"nothing", "", "token_missing"},
		{"garbage", "Bearer garbage", "token_invalid"},
		{"another scheme", "Basic YTpi", "token_invalid"},
		{"a refresh token", "Bearer " + grant.Refresh, "token_invalid"},
		{"an unknown API key", "Bearer lfk_unknown", "api_key_invalid"},
	}
	for _, test := range tests {
		for _, operation := range [][2]string{
			{http.MethodPost, "/api/admin/logout"}, {http.MethodPost, "/api/admin/user/avatar"}, {http.MethodDelete, "/api/admin/user/avatar"},
			{http.MethodGet, "/api/admin/no/such/operation"},
		} {
			headers := []string{"Authorization", test.header}
			if test.header == "" {
				headers = nil
			}
			s.send(t, operation[0], operation[1], nil, headers...).
				want(t, "admin with "+test.name, http.StatusUnauthorized, test.code)
		}
	}
	s.send(t, http.MethodPost, "/api/admin/logout", nil, "Cookie", "access_token="+grant.Access).
		want(t, "admin with a cookie", http.StatusUnauthorized, "token_missing")
	s.send(t, http.MethodPost, "/api/admin/refresh", nil).want(t, "admin refresh with nothing", http.StatusUnauthorized, "token_missing")
	s.send(t, http.MethodPost, "/api/admin/refresh", nil, "Authorization", "Bearer "+grant.Access).
		want(t, "admin refresh with an access token", http.StatusUnauthorized, "token_invalid")
	s.send(t, http.MethodGet, "/api/admin/no/such/operation", nil, "Authorization", "Bearer "+grant.Access).
		want(t, "nothing there", http.StatusNotFound, "not_found")
	s.clock.Move(time.Hour)
	s.send(t, http.MethodPost, "/api/admin/logout", nil, "Authorization", "Bearer "+expired.Access).
		want(t, "admin with an expired token", http.StatusUnauthorized, "token_expired")
}

func TestHostileBodies(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	paths := []string{"/api/login", "/api/signup", "/api/activate", "/api/invitation", joinTeam, "/api/forgot-password", "/api/reset-password"}
	bodies := map[string]string{
		"nothing": "", "no JSON": "{", "a list": "[]", "text": `"x"`, "null": "null", "a number": "1",
		"wrong types":          `{"email": 1, "password": [], "token": {}, "new_password": true}`,
		"a key twice":          `{"email": "a@b.c", "email": "d@e.f", "token": "a", "token": "b"}`,
		"another case":         `{"Email": "a@b.c", "EMAIL": "a@b.c", "Token": "x"}`,
		"an unknown key":       `{"is_platform_admin": true}`,
		"two values":           `{} {}`,
		"deep nesting":         strings.Repeat(`{"email":`, 5_000) + "1" + strings.Repeat("}", 5_000),
		"deep lists":           strings.Repeat("[", 20_000),
		"U+0000":               `{"email": "a\u0000@b.c", "password": "x\u0000", "token": "\u0000", "new_password": "\u0000"}`,
		"half a surrogate":     `{"email": "\ud800", "password": "\ud800", "token": "\ud800", "new_password": "\udfff"}`,
		"broken UTF-8":         "{\"email\": \"\xff\xfe\", \"token\": \"\xff\"}",
		"a comment":            `{/* x */}`,
		"prototype pollution":  `{"__proto__": {"email": "a@b.c"}}`,
		"more than is allowed": `{"email": "` + strings.Repeat("a", 70<<10) + `"}`,
	}
	for name, body := range bodies {
		for _, path := range paths {
			a := s.post(t, path, body)
			wanted := http.StatusBadRequest
			if name == "more than is allowed" {
				wanted = http.StatusRequestEntityTooLarge
			}
			a.want(t, path+" "+name, wanted, "")
			if strings.Contains(string(a.raw), "SQL") || strings.Contains(string(a.raw), "goroutine") {
				t.Errorf("%s %s: the answer discloses too much: %s", path, name, a.raw)
			}
		}
	}
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml"} {
		s.send(t, http.MethodPost, "/api/login", strings.NewReader("{}"), "Content-Type", kind).
			want(t, "content type "+kind, http.StatusUnsupportedMediaType, "unsupported_media")
	}
	s.send(t, http.MethodPost, "/api/login", bytes.NewReader(make([]byte, 10<<20)), "Content-Type", "application/json").
		want(t, "10 MB", http.StatusRequestEntityTooLarge, "too_large")
	for _, encoding := range []string{"gzip", "deflate", "br", "gzip, gzip"} {
		s.send(t, http.MethodPost, "/api/login", bytes.NewReader(zipped(t, 64<<20)),
			"Content-Type", "application/json", "Content-Encoding", encoding).
			want(t, "bomb of "+encoding, http.StatusUnsupportedMediaType, "unsupported_media")
	}
	var stored int
	const count = "SELECT (SELECT count(*) FROM app_user) + (SELECT count(*) FROM mail_outbox) + (SELECT count(*) FROM one_time_token)"
	if err := s.db.Pool().QueryRow(t.Context(), count).Scan(&stored); err != nil || stored != 0 {
		t.Errorf("%d rows were stored, %v", stored, err)
	}
}

func zipped(t *testing.T, size int) []byte {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestBadFieldsAreAllNamed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.post(t, "/api/signup", `{"email": "x", "password": "short"}`)
	a.want(t, "signup", http.StatusBadRequest, "invalid_parameters")
	want := []any{
		map[string]any{"field": "email", "reason": "is not an e-mail address", "code": "not_email", "params": map[string]any{}},
		map[string]any{
			"field": "password", "reason": "must have at least 12 characters", "code": "too_short", "params": map[string]any{"min": 12.0},
		},
	}
	if details := a.body["details"]; !reflect.DeepEqual(details, want) {
		t.Errorf("details %v, want %v", details, want)
	}
	a = s.post(t, "/api/login", `{"email": 1, "password": 2, "remember": true}`)
	a.want(t, "login", http.StatusBadRequest, "invalid_body")
	if details := a.body["details"].([]any); len(details) != 3 {
		t.Errorf("details %v", details)
	}
}

// TestHeadersChangeNoLink: nothing that a request says of itself reaches a mail.
func TestHeadersChangeNoLink(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.post(t, "/api/signup?lang=xx", login(anna, "correct horse battery"),
		"Referer", "https://evil.example/", "Origin", "https://evil.example", "X-Forwarded-Host", "evil.example").
		want(t, "signup", http.StatusCreated, "")
	var found int
	const read = "SELECT count(*) FROM mail_outbox WHERE mail_outbox::text LIKE '%evil%' OR locale <> 'en' OR template <> $1"
	if err := s.db.Pool().QueryRow(t.Context(), read, mail.TemplateActivate).Scan(&found); err != nil || found != 0 {
		t.Errorf("%d mails carry what a header said, %v", found, err)
	}
}

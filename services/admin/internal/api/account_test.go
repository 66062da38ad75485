package api_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"mime/multipart"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/admin/internal/account"
	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/auth/authtest"
	"litfass/services/admin/internal/avatar"
	"litfass/services/admin/internal/mail"
	"litfass/services/admin/internal/postgres"
	"litfass/services/admin/internal/postgres/postgrestest"
)

const anna = "anna@example.org"

// server is the operations of accounts over a real database, listening on a port.
type server struct {
	db    *postgres.DB
	clock *authtest.Clock
	stack authtest.Stack
	url   string
}

func newServer(t *testing.T) *server {
	t.Helper()
	db, _ := postgrestest.New(t)
	s := &server{db: db, clock: authtest.NewClock()}
	s.stack = authtest.NewStack(t, db, s.clock)
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	store, err := avatar.OpenStore(t.Context(), "file://"+filepath.ToSlash(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	accounts := api.Accounts{
		Service: account.New(account.Options{
			DB: db, Hasher: authtest.Hasher(), Sessions: s.stack.Sessions, Limiter: s.stack.Limiter, Now: s.clock.Now,
			Config: account.Config{
				AppURL: "https://litfass.example", LoginAttempts: 5, LoginWindow: 5 * time.Minute, SignupAttempts: 10,
				SignupWindow: 10 * time.Minute, ActivationValid: 24 * time.Hour, ResetValid: time.Hour,
			},
		}),
		Avatars:        avatar.NewService(db, store, s.clock.Now, quiet),
		Authenticator:  s.stack.Authenticator,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
	app := web.New(web.Options{Service: "admin", Log: quiet, BodyLimit: api.BodyLimit})
	accounts.Mount(app)
	s.serve(t, app)
	return s
}

func (s *server) serve(t *testing.T, app *fiber.App) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() {
		done <- web.ServeOn(ctx, app, listener, 5*time.Second, slog.New(slog.NewTextHandler(io.Discard, nil)))
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   map[string]any
}

func (s *server) send(t *testing.T, method, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, header: response.Header}
	if a.raw, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(a.raw, &a.body); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, a.raw)
		}
	}
	return a
}

// post sends a JSON body.
func (s *server) post(t *testing.T, path, body string, headers ...string) answer {
	t.Helper()
	return s.send(t, http.MethodPost, path, strings.NewReader(body), append(headers, "Content-Type", "application/json")...)
}

// want checks the status and, for an error, its code and shape.
func (a answer) want(t *testing.T, what string, status int, code string) {
	t.Helper()
	if a.status != status || code != "" && a.body["code"] != code {
		t.Errorf("%s: %d %.300s, want %d %s", what, a.status, a.raw, status, code)
		return
	}
	if status < 400 {
		return
	}
	if keys := slices.Sorted(maps.Keys(a.body)); !slices.Equal(keys, []string{"code", "details", "error", "request_id"}) &&
		!slices.Equal(keys, []string{"code", "details", "error", "request_id", "retry_after"}) {
		t.Errorf("%s: an error with the keys %v", what, keys)
	}
	if status == http.StatusUnauthorized && strings.Contains(what, "admin") && a.header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s: a 401 without WWW-Authenticate", what)
	}
}

func login(email, password string) string {
	return fmt.Sprintf(`{"email": %q, "password": %q}`, email, password)
}

func TestAccountFromSignupToLogout(t *testing.T) {
	s := newServer(t)
	a := s.post(t, "/api/signup?lang=de", login(anna, "correct horse battery"))
	a.want(t, "signup", http.StatusCreated, "")
	if a.body["user_id"] != 1.0 || a.body["message"] == "" {
		t.Errorf("signup: %s", a.raw)
	}
	s.post(t, "/api/signup", `{"email": "anna@example.org", "password": "correct horse battery", "referer": "x"}`).
		want(t, "signup again before activating", http.StatusCreated, "")
	s.post(t, "/api/login", login(anna, "correct horse battery")).want(t, "too early", http.StatusUnauthorized, "invalid_credentials")
	s.post(t, "/api/activate", `{"token": "nonsense"}`).want(t, "activate", http.StatusUnauthorized, "token_invalid")
	s.post(t, "/api/activate", fmt.Sprintf(`{"token": %q}`, s.issue(t))).want(t, "activate", http.StatusOK, "")
	s.post(t, "/api/signup", login(anna, "correct horse battery")).want(t, "taken", http.StatusConflict, "email_taken")

	a = s.post(t, "/api/login/", login(anna, "correct horse battery"))
	a.want(t, "login", http.StatusOK, "")
	keys := []string{"access_token", "display_name", "first_name", "last_name", "locale", "message", "refresh_token", "theme", "user_id"}
	if got := slices.Sorted(maps.Keys(a.body)); !slices.Equal(got, keys) {
		t.Errorf("login answers with %v", got)
	}
	if a.body["message"] != "login successful" || a.body["locale"] != "de" || a.body["theme"] != "light" || a.body["display_name"] != "" {
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
	s := newServer(t)
	user := authtest.User(t, s.db, anna)
	for _, email := range []string{anna, "nobody@example.org"} {
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
	s := newServer(t)
	authtest.User(t, s.db, anna)
	guess := func(from string) answer {
		return s.post(t, "/api/login", login(anna, "wrong"), "X-Forwarded-For", from)
	}
	for i := range 5 { // whatever the client claims, the trusted proxy's word counts
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

func TestWhoMayPass(t *testing.T) {
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
	s := newServer(t)
	paths := []string{"/api/login", "/api/signup", "/api/activate", "/api/forgot-password", "/api/reset-password"}
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
				t.Errorf("%s %s: the answer tells too much: %s", path, name, a.raw)
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
	s := newServer(t)
	a := s.post(t, "/api/signup", `{"email": "x", "password": "short"}`)
	a.want(t, "signup", http.StatusBadRequest, "invalid_parameters")
	if details := a.body["details"].([]any); len(details) != 2 || details[0].(map[string]any)["field"] != "email" {
		t.Errorf("details %v", details)
	}
	a = s.post(t, "/api/login", `{"email": 1, "password": 2, "remember": true}`)
	a.want(t, "login", http.StatusBadRequest, "invalid_body")
	if details := a.body["details"].([]any); len(details) != 3 {
		t.Errorf("details %v", details)
	}
}

// form returns a multipart body with one file.
func form(t *testing.T, field, name string, content []byte) (body io.Reader, kind string) {
	t.Helper()
	var packed bytes.Buffer
	writer := multipart.NewWriter(&packed)
	part, err := writer.CreateFormFile(field, name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return &packed, writer.FormDataContentType()
}

func picture(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 90, 70))); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestAvatar(t *testing.T) {
	s := newServer(t)
	user := authtest.User(t, s.db, anna)
	bearer := []string{"Authorization", "Bearer " + s.stack.LogIn(t, s.db, user).Access}
	upload := func(field, name string, content []byte) answer {
		body, kind := form(t, field, name, content)
		return s.send(t, http.MethodPost, "/api/admin/user/avatar", body, append(bearer, "Content-Type", kind)...)
	}
	show := fmt.Sprintf("/api/user/%d/avatar", user)
	get := func(path string, headers ...string) answer { return s.send(t, http.MethodGet, path, nil, headers...) }

	get(show).want(t, "none yet", http.StatusNotFound, "avatar_not_found")
	s.send(t, http.MethodDelete, "/api/admin/user/avatar", nil, bearer...).want(t, "delete none", http.StatusNotFound, "avatar_not_found")
	upload("avatar", "me.exe", picture(t)).want(t, "a picture by another name", http.StatusOK, "")
	for path, size := range map[string]int{show: 256, show + "/": 256, show + "/64": 64, show + "/128": 128, show + "/256": 256, show + "/512/": 512} {
		a := get(path)
		config, format, err := image.DecodeConfig(bytes.NewReader(a.raw))
		if err != nil || config.Width != size || a.header.Get("Content-Type") != "image/"+format {
			t.Errorf("%s: %d, %s of %d pixels as %s, %v", path, a.status, format, config.Width, a.header.Get("Content-Type"), err)
		}
		tag := a.header.Get("ETag")
		if tag == "" || a.header.Get("Cache-Control") != "public, max-age=300" || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", path, a.header)
		}
		for _, seen := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			if a := get(path, "If-None-Match", seen); a.status != http.StatusNotModified || len(a.raw) != 0 {
				t.Errorf("%s with %s: %d", path, seen, a.status)
			}
		}
		if a := get(path, "If-None-Match", `"other"`); a.status != http.StatusOK {
			t.Errorf("%s with another tag: %d", path, a.status)
		}
	}
	for _, path := range []string{show + "/0", show + "/63", show + "/x", "/api/user/x/avatar", "/api/user/0/avatar", "/api/user/-1/avatar",
		"/api/user/99999999999/avatar", show + "/+64", "/api/user/1%00/avatar"} {
		get(path).want(t, path, http.StatusBadRequest, "")
	}
	get("/api/user/4711/avatar").want(t, "a stranger", http.StatusNotFound, "avatar_not_found")

	upload("file", "me.png", picture(t)).want(t, "another field", http.StatusBadRequest, "invalid_body")
	upload("avatar", "me.png", []byte("<script>alert(1)</script>")).want(t, "a script", http.StatusBadRequest, "image_invalid")
	upload("avatar", "me.png", append(picture(t), make([]byte, avatar.MaxBytes)...)).
		want(t, "too many bytes", http.StatusRequestEntityTooLarge, "image_too_large")
	upload("avatar", "me.png", append(picture(t), make([]byte, 7<<20)...)).
		want(t, "more than any body", http.StatusRequestEntityTooLarge, "too_large")
	s.post(t, "/api/admin/user/avatar", "{}", bearer...).want(t, "JSON", http.StatusUnsupportedMediaType, "")
	s.send(t, http.MethodPost, "/api/admin/user/avatar", strings.NewReader("--x"), append(bearer, "Content-Type", "multipart/form-data; boundary=x")...).
		want(t, "half a form", http.StatusBadRequest, "")
	if a := get(show); a.status != http.StatusOK {
		t.Errorf("the avatar suffered from refused uploads: %d", a.status)
	}
	s.send(t, http.MethodDelete, "/api/admin/user/avatar", nil, bearer...).want(t, "delete", http.StatusOK, "")
	get(show).want(t, "deleted", http.StatusNotFound, "avatar_not_found")
}

// TestHeadersChangeNoLink: nothing that a request says of itself reaches a mail.
func TestHeadersChangeNoLink(t *testing.T) {
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

package session_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/seal"
	"litfass/services/console/internal/session"
)

const cookie = "litfass_console"

// secret returns a sealing secret that differs by its number.
func secret(number byte) seal.Secret {
	made := make(seal.Secret, 32)
	made[0] = number
	return made
}

// sealedBy returns the cookies that an answer sets.
func sealedBy(t *testing.T, cookies session.Cookies, set func(*fiber.Ctx) error) map[string]*http.Cookie {
	t.Helper()
	app := fiber.New()
	app.Get("/console", set)
	response, err := app.Test(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/console", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	found := map[string]*http.Cookie{}
	for _, c := range response.Cookies() {
		found[c.Name] = c
	}
	return found
}

// with runs read in a request with a cookie.
func with(t *testing.T, name, value string, read func(*fiber.Ctx)) {
	t.Helper()
	app := fiber.New()
	app.Get("/console", func(c *fiber.Ctx) error {
		read(c)
		return nil
	})
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/console", nil)
	request.AddCookie(&http.Cookie{Name: name, Value: value})
	response, err := app.Test(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
}

func sessionOf(t *testing.T, cookies session.Cookies, value string) (found *session.Session) {
	t.Helper()
	with(t, cookie, value, func(c *fiber.Ctx) { found = cookies.Read(c) })
	return found
}

var anna = &session.Session{
	Access: "access-token", Refresh: "refresh-token", UserID: 7, Name: "Anna", Locale: "da", Theme: "dark",
	Expires: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC),
}

func written(t *testing.T, cookies session.Cookies) *http.Cookie {
	t.Helper()
	return sealedBy(t, cookies, func(c *fiber.Ctx) error { return cookies.Write(c, anna) })[cookie]
}

func TestASessionIsSealed(t *testing.T) {
	cookies := session.Cookies{Sealer: seal.New(secret(1)), Secure: true}
	got := written(t, cookies)
	if !got.HttpOnly || !got.Secure || got.SameSite != http.SameSiteLaxMode || got.Path != "/console" {
		t.Errorf("the cookie is %+v", got)
	}
	plain, err := base64.RawURLEncoding.DecodeString(got.Value)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"access-token", "refresh-token", "Anna"} {
		if strings.Contains(string(plain), secret) || strings.Contains(got.Value, secret) {
			t.Errorf("the cookie shows %q", secret)
		}
	}
	if back := sessionOf(t, cookies, got.Value); back == nil || *back != *anna {
		t.Errorf("read %+v", back)
	}
}

func TestAnAlteredSessionIsNone(t *testing.T) {
	cookies := session.Cookies{Sealer: seal.New(secret(1))}
	value := written(t, cookies).Value
	sealed, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sealed {
		altered := append([]byte(nil), sealed...)
		altered[i] ^= 1
		if got := sessionOf(t, cookies, base64.RawURLEncoding.EncodeToString(altered)); got != nil {
			t.Fatalf("with byte %d altered it is read as %+v", i, got)
		}
	}
	for _, broken := range []string{"", "%", value[:len(value)/2], value + "AAAA"} {
		if got := sessionOf(t, cookies, broken); got != nil {
			t.Errorf("%q is read as %+v", broken, got)
		}
	}
}

// TestSecretsAreRotated: a cookie can be read as long as the console still has its secret.
func TestSecretsAreRotated(t *testing.T) {
	former := written(t, session.Cookies{Sealer: seal.New(secret(1))}).Value
	if sessionOf(t, session.Cookies{Sealer: seal.New(secret(2), secret(1))}, former) == nil {
		t.Error("a cookie of the former secret is not read")
	}
	if got := sessionOf(t, session.Cookies{Sealer: seal.New(secret(2))}, former); got != nil {
		t.Errorf("another secret reads %+v", got)
	}
	rotated := written(t, session.Cookies{Sealer: seal.New(secret(2), secret(1))}).Value
	if sessionOf(t, session.Cookies{Sealer: seal.New(secret(2))}, rotated) == nil {
		t.Error("a new cookie is not sealed with the newest secret")
	}
}

// TestKeptValues: a value can be read only under its own name, so that the token of one link is
// neither the token of another link nor a session.
func TestKeptValues(t *testing.T) {
	cookies := session.Cookies{Sealer: seal.New(secret(1))}
	set := sealedBy(t, cookies, func(c *fiber.Ctx) error { return cookies.Keep(c, "reset", "secret-token") })
	got := set["litfass_reset"]
	if got == nil || !got.HttpOnly || strings.Contains(got.Value, "secret-token") {
		t.Fatalf("kept as %+v", got)
	}
	for name, want := range map[string]string{"reset": "secret-token", "invitation": "", "console": ""} {
		with(t, "litfass_"+name, got.Value, func(c *fiber.Ctx) {
			if kept := cookies.Kept(c, name); kept != want {
				t.Errorf("%s is %q, want %q", name, kept, want)
			}
			if name == "console" && cookies.Read(c) != nil {
				t.Error("a kept value is a session")
			}
		})
	}
	if set := sealedBy(t, cookies, func(c *fiber.Ctx) error { return cookies.Keep(c, "reset", strings.Repeat("x", 5000)) }); len(set) > 0 {
		t.Error("a value that comes from no mail is kept")
	}
}

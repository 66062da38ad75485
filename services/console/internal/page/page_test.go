package page_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/view"
)

// mount adds a page that shows what the service says of the profile, and a form.
func mount(r page.Router) {
	r.Get("/profile", func(r *page.Request) error {
		profile, err := r.Admin().Profile()
		if err != nil {
			return err
		}
		return r.ShowPart(view.Input(view.Field{Name: "email", Value: profile.Email}))
	})
	r.Post("/profile", func(r *page.Request) error { return r.Go("/console/profile", "saved") })
}

func TestPagesNeedALogin(t *testing.T) {
	c := pagetest.Start(t, mount)
	c.Answer("GET /api/admin/user/profile", 200, adminapi.Profile{Email: "anna@example.org"})
	if got := c.Get("/console/profile"); got.Status != http.StatusOK || !strings.Contains(got.Body, "anna@example.org") {
		t.Errorf("with a login: %d %s", got.Status, got.Body)
	}
	c.Forget()
	got := c.Get("/console/profile?tab=2")
	if want := "/console/login?next=%2Fconsole%2Fprofile%3Ftab%3D2"; got.Status != http.StatusSeeOther || got.Header.Get("Location") != want {
		t.Errorf("without one: %d to %q, want %q", got.Status, got.Header.Get("Location"), want)
	}
}

// TestAnEndedLoginKeepsTheForm: what was typed is on the page that asks for the password.
func TestAnEndedLoginKeepsTheForm(t *testing.T) {
	c := pagetest.Start(t, mount)
	c.Forget()
	got := c.Post("/console/profile", url.Values{"title": {"Jazz <am> Hafen"}, "password": {"secret"}})
	if got.Status != http.StatusUnauthorized || !strings.Contains(got.Body, `name="kept.title" value="Jazz &lt;am&gt; Hafen"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if strings.Contains(got.Body, "secret") {
		t.Error("a password is on the page")
	}
}

func TestForeignPagesChangeNothing(t *testing.T) {
	c := pagetest.Start(t, mount)
	for name, headers := range map[string][]string{
		"another site":      {"Sec-Fetch-Site", "cross-site"},
		"a sibling":         {"Sec-Fetch-Site", "same-site"},
		"an older browser":  {"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
		"a sandboxed frame": {"Sec-Fetch-Site", "", "Origin", "null"},
		"no browser":        {"Sec-Fetch-Site", ""},
	} {
		if got := c.Post("/console/profile", nil, headers...); got.Status != http.StatusForbidden {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
	if got := c.Post("/console/profile", nil, "Sec-Fetch-Site", "", "Origin", "http://example.com"); got.Status != http.StatusSeeOther {
		t.Errorf("an older browser on the console: %d", got.Status)
	}
}

// TestAnEndedLoginIsNoticedOnEveryPage: also on one that reads nothing but its head.
func TestAnEndedLoginIsNoticedOnEveryPage(t *testing.T) {
	c := pagetest.Start(t, func(r page.Router) {
		r.Get("/plain", func(r *page.Request) error {
			return r.Show(view.Page{Title: "Plain", Content: view.Button("Go")})
		})
	})
	if got := c.Get("/console/plain"); got.Status != http.StatusOK {
		t.Fatalf("with a login: %d", got.Status)
	}
	c.Refuse("GET /api/admin/user/attention", http.StatusUnauthorized, adminapi.Error{Error: "ended", Code: "unauthenticated"})
	got := c.Get("/console/plain")
	if want := "/console/login?next=%2Fconsole%2Fplain&notice=session_ended"; got.Header.Get("Location") != want {
		t.Errorf("%d to %q, want %q", got.Status, got.Header.Get("Location"), want)
	}
	c = pagetest.Start(t, mount)
	c.Refuse("GET /api/admin/user/attention", http.StatusUnauthorized, adminapi.Error{Error: "ended", Code: "unauthenticated"})
	if got := c.Get("/console/nothing"); got.Status != http.StatusNotFound || !strings.Contains(got.Body, "This page does not exist") {
		t.Errorf("an error's page: %d %s", got.Status, got.Body)
	}
}

// TestTheLanguageStaysAfterTheLogin: the browser of these tests prefers no language.
func TestTheLanguageStaysAfterTheLogin(t *testing.T) {
	c := pagetest.Start(t, mount)
	c.Get("/console/profile?lang=de")
	c.Refuse("GET /api/admin/user/attention", http.StatusUnauthorized, adminapi.Error{Error: "ended", Code: "unauthenticated"})
	for range 2 { // the second time without a login
		if got := c.Get("/console/nothing"); !strings.Contains(got.Body, "Diese Seite gibt es nicht") {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
}

// TestAnotherPersonSavesNothing: a page that was made for one person is still open when another one
// logs in.
func TestAnotherPersonSavesNothing(t *testing.T) {
	c := pagetest.Start(t, mount)
	for person, want := range map[string]int{"7": http.StatusOK, "8": http.StatusUnauthorized} {
		got := c.Post("/console/profile", nil, "HX-Request", "true", "Litfass-Person", person)
		if got.Status != want {
			t.Errorf("made for %s: %d, want %d", person, got.Status, want)
		}
		form := c.Post("/console/profile", url.Values{"page_person": {person}, "name": {"Ada"}})
		refused := form.Status == http.StatusUnauthorized && strings.Contains(form.Body, `name="kept.name" value="Ada"`)
		if refused != (want == http.StatusUnauthorized) {
			t.Errorf("a form of a page that was made for %s: %d: %s", person, form.Status, form.Body)
		}
	}
	if got := c.Get("/console/test-login"); got.Status != http.StatusOK {
		t.Errorf("the login has ended: %d", got.Status)
	}
}

// TestCompressedFormsAreRefused: a few bytes would unpack to any size.
func TestCompressedFormsAreRefused(t *testing.T) {
	c := pagetest.Start(t, mount)
	var form, packed bytes.Buffer
	fields := multipart.NewWriter(&form)
	writer := gzip.NewWriter(&packed)
	if err := errors.Join(fields.WriteField("title", "Jazz"), fields.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write(form.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	for encoding, test := range map[string]struct {
		body []byte
		want int
	}{
		"gzip": {packed.Bytes(), http.StatusUnsupportedMediaType}, "": {form.Bytes(), http.StatusSeeOther},
	} {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/console/profile", bytes.NewReader(test.body))
		got := c.Do(request, "Content-Type", fields.FormDataContentType(), "Sec-Fetch-Site", "same-origin", "Content-Encoding", encoding)
		if got.Status != test.want {
			t.Errorf("%q: %d, want %d", encoding, got.Status, test.want)
		}
	}
}

func TestLoginsLeadToPagesOfTheConsoleAlone(t *testing.T) {
	for asked, want := range map[string]string{
		"": "/console/", "/console/messages?x=1": "/console/messages?x=1", "/console": "/console",
		"https://evil.example/console/": "/console/", "//evil.example/console/": "/console/", "/console/../evil": "/console/",
		`/\evil.example/console/`: "/console/", "/consoleevil": "/console/", "javascript:alert(1)": "/console/",
		"/console//evil.example": "/console/", "/console/\r\nSet-Cookie: a=b": "/console/", "/console/%2e%2e/evil": "/console/",
	} {
		if got := page.Next(asked); got != want {
			t.Errorf("%q leads to %q, want %q", asked, got, want)
		}
	}
}

func TestNoCacheKeepsAPage(t *testing.T) {
	c := pagetest.Start(t, mount)
	header := c.Get("/console/profile").Header
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") ||
		strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

// TestReasonsAreInThePersonsLanguage: what no message says is marked as English.
func TestReasonsAreInThePersonsLanguage(t *testing.T) {
	c := pagetest.Start(t, mount)
	c.Get("/console/profile?lang=de")
	c.Refuse("GET /api/admin/user/profile", 400, adminapi.Error{Error: "quite unheard of", Code: "unheard_of", Details: []fault.Violation{
		fault.Violate("name", reason.TooLong(20)), {Field: "tag", Reason: "is <odd>"},
	}})
	got := c.Get("/console/profile")
	for _, want := range []string{"Höchstens 20 Zeichen.", `<span lang="en">is &lt;odd&gt;</span>`, `<span lang="en">quite unheard of</span>`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%s lacks %s", got.Body, want)
		}
	}
}

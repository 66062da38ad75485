package account_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/account"
	"litfass/services/console/internal/page/pagetest"
)

const (
	key     = "0192f0a0-0000-7000-8000-00000000000b"
	hostile = `"><script>alert(1)</script>`
)

// own returns the pages of an account over a service that knows it.
func own(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, account.Mount)
	c.Answer("GET /api/admin/user/profile", 200, adminapi.Profile{
		UserID: 7, Email: "anna@example.org", DisplayName: hostile, Locale: "en", Theme: "light",
		AvatarURL: "https://other.example/api/user/7/avatar/64",
	})
	c.Answer("GET /api/admin/user/sessions", 200, adminapi.Sessions{Sessions: []adminapi.Session{
		{UUID: key, UserAgent: hostile, UsedAt: pagetest.Now, CreatedAt: pagetest.Now},
		{UUID: pagetest.Org, UserAgent: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0", Current: true},
	}})
	c.Answer("GET /api/admin/user/api-keys", 200, adminapi.APIKeys{APIKeys: []adminapi.APIKey{
		{UUID: key, Name: hostile, Prefix: "lk_ab", Permissions: value.Mask(permission.EditEvent), CreatedAt: pagetest.Now},
	}})
	c.Answer("GET /api/admin/roles/list", 200, adminapi.Roles{Roles: []adminapi.Role{{Name: permission.Viewer, Label: "Viewer", Permissions: 1}}})
	c.Answer("GET /api/admin/permissions/list", 200, adminapi.Permissions{Event: []adminapi.Permission{{Bit: 25, Label: "Edit events"}}})
	return c
}

func TestPagesOfTheAccount(t *testing.T) {
	c := own(t)
	for path, texts := range map[string][]string{
		"/console/account":                                 {"anna@example.org", `src="/api/user/7/avatar/64"`, `id="names"`, `id="settings"`},
		"/console/account/security":                        {"Firefox, Windows", "this session", "12 characters"},
		"/console/account/keys":                            {"Edit events", "lk_ab", "never used"},
		"/console/account/key/" + key + "/revoke":          {"lk_ab", "cannot be undone"},
		"/console/account/data":                            {"Speicher", "/console/organization/" + pagetest.Org + "/leave"},
		"/console/account/delete":                          {"your messages and todos", `type="password"`},
		"/console/account/key/" + pagetest.Org + "/revoke": {"404"},
	} {
		got := c.Get(path)
		wantText(t, path, got, texts...)
		if strings.Contains(got.Body, hostile) || strings.Contains(got.Body, "other.example") {
			t.Errorf("%s shows what others have written as it is", path)
		}
	}
}

func TestTheLastOwnerIsNotOfferedToLeave(t *testing.T) {
	c := own(t)
	c.LastOwner()
	got := c.Get("/console/account/data")
	wantText(t, "the page", got, "Speicher", "Make another member an owner first.")
	if strings.Contains(got.Body, "/leave") {
		t.Error("the last owner is offered to leave")
	}
}

// TestSettingsAreThoseOfThePages: the next page has the language and the colours that were chosen.
func TestSettingsAreThoseOfThePages(t *testing.T) {
	c := own(t)
	c.Answer("PUT /api/admin/user/settings", 200, adminapi.WrittenProfile{Profile: adminapi.Profile{Locale: "de", Theme: "dark", DisplayName: "Anna"}})
	wantLocation(t, "saved", c.Post("/console/account/settings", url.Values{"locale": {"de"}, "theme": {"dark"}}),
		"/console/account?notice=saved#settings")
	wantText(t, "the next page", c.Get("/console/account/data"), `lang="de"`, `data-theme="dark"`)
	c.Answer("PUT /api/admin/user/settings", 200, adminapi.WrittenProfile{Profile: adminapi.Profile{Locale: "de", Theme: "auto", DisplayName: "Anna"}})
	c.Post("/console/account/settings", url.Values{"locale": {"de"}, "theme": {"auto"}})
	if got := c.Get("/console/account/data"); strings.Contains(got.Body, "data-theme") {
		t.Error("the device does not choose the colours")
	}
}

// TestAnotherAddressNeedsThePassword: a wrong one is said at its field, and the address stays
// typed.
func TestAnotherAddressNeedsThePassword(t *testing.T) {
	c := own(t)
	form := url.Values{"email": {"new@example.org"}, "password": {"my secret"}}
	c.Refuse("PUT /api/admin/user/profile", 403, adminapi.Error{Error: "the password is wrong", Code: "wrong_password"})
	got := c.Post("/console/account/email", form)
	wantStatus(t, "a wrong password", got, http.StatusUnprocessableEntity)
	wantText(t, "a wrong password", got, "This is not your password", `value="new@example.org"`)
	if strings.Contains(got.Body, "my secret") {
		t.Error("the password is on the page")
	}
	wantStatus(t, "none", c.Post("/console/account/email", url.Values{"email": {"new@example.org"}}), http.StatusUnprocessableEntity)
	c.Answer("PUT /api/admin/user/profile", 200, adminapi.WrittenProfile{Profile: adminapi.Profile{Locale: "en", Theme: "light"}})
	wantLocation(t, "asked for", c.Post("/console/account/email", form), "/console/account?notice=email_pending#email-form")
}

func TestAKeyIsShownOnce(t *testing.T) {
	c := own(t)
	for name, form := range map[string]url.Values{
		"no name":        {"role": {"viewer"}},
		"no role":        {"name": {"Import"}},
		"no permissions": {"name": {"Import"}, "role": {"custom"}},
	} {
		wantStatus(t, name, c.Post("/console/account/keys", form), http.StatusUnprocessableEntity)
	}
	c.Answer("POST /api/admin/user/api-keys", 201, adminapi.MadeAPIKey{Key: "lk_secret", APIKey: adminapi.APIKey{UUID: key, Name: "Import"}})
	form := url.Values{"name": {"Import"}, "role": {"custom"}, "bits": {"25", "99", "x"}, "days": {"30"}}
	got := c.Post("/console/account/keys", form)
	wantText(t, "made", got, `value="lk_secret"`, `data-copy="key-text"`)
	var sent adminapi.NewAPIKey
	err := json.Unmarshal(c.Calls("POST /api/admin/user/api-keys")[0].Body, &sent)
	if err != nil || sent.Role != "" || *sent.Permissions != value.Mask(permission.EditEvent) || !sent.ExpiresAt.Equal(pagetest.Now.Add(30*24*time.Hour)) {
		t.Errorf("sent %+v, %v", sent, err)
	}
	if strings.Contains(c.Get("/console/account/keys").Body, "lk_secret") {
		t.Error("the key is shown again")
	}
}

// TestTheLastOwnerStays: the refusal names the organizations and links to a remedy.
func TestTheLastOwnerStays(t *testing.T) {
	c := own(t)
	refusal := adminapi.Error{
		Error: "you are the last owner", Code: "last_owner", Details: []fault.Violation{{Field: pagetest.Org, Reason: "Speicher has no other owner"}},
	}
	c.Refuse("DELETE /api/admin/user", 409, refusal)
	got := c.Post("/console/account/delete", url.Values{"password": {password}})
	wantStatus(t, "the deletion", got, http.StatusUnprocessableEntity)
	wantText(t, "the deletion", got, "Speicher", "/console/organization/"+pagetest.Org+"/team", "/console/organization/"+pagetest.Org+"/settings")
	c.Answer("DELETE /api/admin/user", 200, adminapi.Done{})
	wantLocation(t, "deleted", c.Post("/console/account/delete", url.Values{"password": {password}}), "/console/login?notice=account_deleted")
	wantStatus(t, "no login is left", c.Get("/console/account"), http.StatusSeeOther)
}

func TestTheExportIsAFile(t *testing.T) {
	c := own(t)
	c.Answer("GET /api/admin/user/export", 200, map[string]string{"email": "anna@example.org"})
	got := c.Get("/console/account/export")
	if got.Header.Get("Content-Disposition") != `attachment; filename="litfass-export.json"` || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v %s", got.Header, got.Body)
	}
}

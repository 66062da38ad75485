package account_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/account"
	"litfass/services/console/internal/page/pagetest"
)

const password = "correct horse battery staple"

var errToken = adminapi.Error{
	Error: "this link does not work any more", Code: "token_invalid", Details: []fault.Violation{{Field: "token", Reason: "is not valid"}},
}

// login has the service accept the password.
func login(c *pagetest.Console) {
	c.Answer("POST /api/login", 200, adminapi.LoginResult{
		UserID: 7, DisplayName: "Anna", Locale: "en", Theme: "light", TokenPair: adminapi.TokenPair{AccessToken: "a", RefreshToken: "r", ExpiresIn: 900},
	})
}

func wantStatus(t *testing.T, what string, got pagetest.Answer, status int) {
	t.Helper()
	if got.Status != status {
		t.Errorf("%s: %d %s, want %d", what, got.Status, got.Body, status)
	}
}

func wantText(t *testing.T, what string, got pagetest.Answer, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(got.Body, text) {
			t.Errorf("%s lacks %q: %s", what, text, got.Body)
		}
	}
}

func wantLocation(t *testing.T, what string, got pagetest.Answer, path string) {
	t.Helper()
	if got.Status != http.StatusSeeOther || got.Header.Get("Location") != path {
		t.Errorf("%s: %d to %q, want %q", what, got.Status, got.Header.Get("Location"), path)
	}
}

func TestSigningUp(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Forget()
	login(c)
	c.Answer("POST /api/signup", 201, adminapi.Done{})
	wantText(t, "the form", c.Get("/console/signup"), `name="email"`, `autocomplete="username"`)
	wantStatus(t, "without an address", c.Post("/console/signup", nil), http.StatusUnprocessableEntity)
	got := c.Post("/console/signup", url.Values{"email": {"anna@example.org"}, "name": {"Anna \"Lund\""}})
	wantText(t, "the mail", got, "data-mail-sent", "anna@example.org")

	c.Answer("POST /api/activate", 200, adminapi.Done{})
	wantLocation(t, "the link", c.Get("/console/activate?token=secret-token"), "/console/activate")
	got = c.Get("/console/activate")
	wantText(t, "the activation", got, `name="token" value="secret-token"`, `value="anna@example.org"`, "At least 12 characters", `value="Anna &#34;Lund&#34;"`)
	got = c.Post("/console/activate", url.Values{"token": {"secret-token"}, "email": {"anna@example.org"}, "name": {"Anna"}, "password": {password}})
	wantLocation(t, "activated", got, "/console/?notice=welcome")
	var sent adminapi.Activation
	if err := json.Unmarshal(c.Calls("POST /api/activate")[0].Body, &sent); err != nil || sent.Token != "secret-token" || sent.Password != password || sent.DisplayName != "Anna" {
		t.Errorf("sent %+v, %v", sent, err)
	}
	wantStatus(t, "the link again", c.Get("/console/activate"), http.StatusNotFound)
}

// TestAPasswordIsRefused: the reason stands at the field, the address stays, no password is shown.
func TestAPasswordIsRefused(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Refuse("POST /api/activate", 400, adminapi.Error{
		Error: "some fields are not right", Code: "invalid_parameters",
		Details: []fault.Violation{fault.Violate("password", reason.TooShort(12))},
	})
	got := c.Post("/console/activate", url.Values{"token": {"secret"}, "email": {"anna@example.org"}, "password": {"tooshort!"}})
	wantStatus(t, "refused", got, http.StatusUnprocessableEntity)
	wantText(t, "refused", got, `href="#password"`, `aria-invalid="true"`, "12 characters", "anna@example.org", `value="secret"`)
	if strings.Contains(got.Body, "tooshort!") {
		t.Error("the password is on the page")
	}
}

func TestLinksThatDoNotWork(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Refuse("POST /api/activate", 400, errToken)
	c.Refuse("POST /api/reset-password", 400, errToken)
	c.Refuse(accepting, 400, errToken)
	invited(c, false)
	for _, name := range []string{"activate", "reset", "confirm", "invitation"} {
		path := "/console/" + name
		wantStatus(t, name+" without a token", c.Get(path), http.StatusNotFound)
		wantLocation(t, name, c.Get(path+"?token=old"), path)
		wantText(t, name, c.Get(path), `value="old"`)
		got := c.Post(path, url.Values{"token": {"old"}, "email": {"a@example.org"}, "password": {password}, "new_password": {password}})
		wantStatus(t, name+" that is used up", got, http.StatusNotFound)
		wantText(t, name, got, "data-broken-link")
		wantStatus(t, name+" is forgotten", c.Get(path), http.StatusNotFound)
	}
}

// TestAResetNamesWhatRemains: what an intruder may have left in organizations leads to where it is
// ended.
func TestAResetNamesWhatRemains(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Answer("POST /api/forgot-password", 200, adminapi.Done{})
	wantText(t, "the mail", c.Post("/console/forgot", url.Values{"email": {"anna@example.org"}}), "data-mail-sent")
	c.Answer("POST /api/reset-password", 200, adminapi.PasswordReset{RevokedAPIKeys: 2, Remaining: adminapi.Remaining{
		OrganizationKeys: []adminapi.RemainingKey{{Name: "<b>Import</b>", OrgUUID: pagetest.Org, OrgName: "Speicher"}},
		Invitations:      []adminapi.RemainingInvitation{{Email: "intruder@example.org", OrgUUID: pagetest.Org, OrgName: "Speicher"}},
	}})
	got := c.Post("/console/reset", url.Values{"token": {"t"}, "new_password": {password}})
	wantText(t, "what remains", got, "2 personal API keys", "&lt;b&gt;Import&lt;/b&gt;", "intruder@example.org",
		"/console/organization/"+pagetest.Org+"/keys", "/console/organization/"+pagetest.Org+"/team")
	wantStatus(t, "the session has ended", c.Get("/console/logged-in"), http.StatusSeeOther)
}

// TestLookingAtALinkChangesNothing: programs that follow the links of mails use none up.
func TestLookingAtALinkChangesNothing(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	invited(c, false)
	for _, name := range []string{"activate", "reset", "confirm", "invitation"} {
		c.Get("/console/" + name + "?token=t")
		c.Get("/console/" + name)
	}
	for _, operation := range []string{"POST /api/activate", "POST /api/reset-password", "POST /api/invitation/join", accepting} {
		if calls := c.Calls(operation); len(calls) > 0 {
			t.Errorf("%s was called", operation)
		}
	}
}

func TestTooManyMails(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Forget()
	c.Refuse("POST /api/signup", 429, adminapi.Error{Error: "too many attempts", Code: "too_many_attempts", RetryAfter: 90})
	got := c.Post("/console/signup", url.Values{"email": {"anna@example.org"}})
	wantStatus(t, "refused", got, http.StatusTooManyRequests)
	wantText(t, "refused", got, "in 2 min", "anna@example.org")
}

// TestLoggingOutNeedsNoService: the login of the browser ends, too, when the service is down.
func TestLoggingOutNeedsNoService(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Refuse("POST /api/admin/logout", http.StatusServiceUnavailable, adminapi.Error{Error: "not now", Code: "unavailable"})
	wantLocation(t, "logged out", c.Post("/console/logout", nil), "/console/login?notice=logged_out")
	wantLocation(t, "the account", c.Get("/console/account"), "/console/login?next=%2Fconsole%2Faccount")
}

package account_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/account"
	"litfass/services/console/internal/page/pagetest"
)

const accepting = "POST /api/admin/organization/team/invite/accept"

// invited has the service know an invitation of Bea, and log in the person as Anna.
func invited(c *pagetest.Console, hasAccount bool) {
	c.Answer("POST /api/invitation", 200, adminapi.MailedInvitation{
		WaitingInvitation: adminapi.WaitingInvitation{OrgUUID: pagetest.Org, OrgName: "<b>Speicher</b>", Role: "editor", InvitedBy: "Ada Lund"},
		Email:             "bea@example.org", HasAccount: hasAccount,
	})
	c.Answer("GET /api/admin/user/profile", 200, adminapi.Profile{Email: "Bea@Example.org"})
}

// follow opens the link of the mail.
func follow(t *testing.T, c *pagetest.Console) pagetest.Answer {
	t.Helper()
	wantLocation(t, "the link", c.Get("/console/invitation?token=secret"), "/console/invitation")
	got := c.Get("/console/invitation")
	wantText(t, "the invitation", got, "Ada Lund", "&lt;b&gt;Speicher&lt;/b&gt;", "Editor", "Creates and publishes")
	return got
}

const joinedOrganization = "/console/organization/" + pagetest.Org + "?notice=joined"

// TestAnInvitedPersonJoinsWithANewAccount: name and password are all that the page asks for.
func TestAnInvitedPersonJoinsWithANewAccount(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Forget()
	invited(c, false)
	got := follow(t, c)
	wantText(t, "the form", got, `action="/console/invitation/join"`, `name="name"`, `autocomplete="new-password"`, "bea@example.org")
	form := url.Values{"token": {"secret"}, "name": {"Bea \"Holm\""}}
	got = c.Post("/console/invitation/join", form)
	wantStatus(t, "without a password", got, http.StatusUnprocessableEntity)
	wantText(t, "without a password", got, `aria-invalid="true"`, `value="Bea &#34;Holm&#34;"`, `value="secret"`)
	form.Set("password", password)
	c.Refuse("POST /api/invitation/join", 409, adminapi.Error{Error: "log in", Code: "account_exists"})
	wantStatus(t, "with an account meanwhile", c.Post("/console/invitation/join", form), http.StatusConflict)
	c.Answer("POST /api/invitation/join", 201, adminapi.InvitedLogin{
		LoginResult: adminapi.LoginResult{UserID: 8, Locale: "en", TokenPair: adminapi.TokenPair{AccessToken: "a", RefreshToken: "r", ExpiresIn: 900}},
		Membership:  adminapi.Accepted{OrgUUID: pagetest.Org},
	})
	wantLocation(t, "joined", c.Post("/console/invitation/join", form), joinedOrganization)
	calls := c.Calls("POST /api/invitation/join")
	var sent adminapi.InvitedAccount
	if err := json.Unmarshal(calls[len(calls)-1].Body, &sent); err != nil || sent != (adminapi.InvitedAccount{Token: "secret", Password: password, DisplayName: "Bea \"Holm\""}) {
		t.Errorf("sent %+v, %v", sent, err)
	}
	wantStatus(t, "the person is logged in", c.Get("/console/logged-in"), http.StatusOK)
	wantStatus(t, "the token is forgotten", c.Get("/console/invitation"), http.StatusNotFound)
}

// TestAnInvitedPersonLogsInAndJoins: with the address of the invitation, not that of the form.
func TestAnInvitedPersonLogsInAndJoins(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Forget()
	invited(c, true)
	wantText(t, "the form", follow(t, c), `action="/console/invitation/login"`, `autocomplete="current-password"`, "bea@example.org")
	c.Refuse("POST /api/login", 401, adminapi.Error{Error: "wrong", Code: "invalid_credentials"})
	form := url.Values{"token": {"secret"}, "email": {"mallory@example.org"}, "password": {password}}
	got := c.Post("/console/invitation/login", form)
	wantStatus(t, "a wrong password", got, http.StatusUnprocessableEntity)
	wantText(t, "a wrong password", got, `aria-invalid="true"`, `value="secret"`)
	login(c)
	c.Answer(accepting, 200, adminapi.AcceptedInvitation{Accepted: adminapi.Accepted{OrgUUID: pagetest.Org}})
	wantLocation(t, "joined", c.Post("/console/invitation/login", form), joinedOrganization)
	var sent adminapi.Credentials
	calls := c.Calls("POST /api/login")
	if err := json.Unmarshal(calls[len(calls)-1].Body, &sent); err != nil || sent.Email != "bea@example.org" {
		t.Errorf("logged in as %+v, %v", sent, err)
	}
}

// TestAnotherAccountDoesNotJoin: it is asked to log out, and returns to the invitation.
func TestAnotherAccountDoesNotJoin(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	invited(c, false)
	wantText(t, "the invited person", follow(t, c), `id="accept"`, "Bea@Example.org")
	c.Answer("GET /api/admin/user/profile", 200, adminapi.Profile{Email: "anna@example.org"})
	c.Refuse(accepting, 403, adminapi.Error{Error: "other", Code: "other_address"})
	forced := c.Post("/console/invitation", url.Values{"token": {"secret"}})
	wantStatus(t, "a form that is sent anyway", forced, http.StatusForbidden)
	for what, got := range map[string]pagetest.Answer{"another account": follow(t, c), "a form that is sent anyway": forced} {
		wantText(t, what, got, "anna@example.org", "bea@example.org", `id="other-account"`)
		if strings.Contains(got.Body, `id="accept"`) || strings.Contains(got.Body, `id="join"`) {
			t.Errorf("%s can join: %s", what, got.Body)
		}
	}
	c.Answer("POST /api/admin/logout", 200, adminapi.Done{})
	wantLocation(t, "logged out", c.Post("/console/logout", url.Values{"next": {"/console/invitation"}}), "/console/invitation")
	wantText(t, "afterwards", c.Get("/console/invitation"), `action="/console/invitation/join"`)
	wantLocation(t, "to another site", c.Post("/console/logout", url.Values{"next": {"https://evil.example"}}), "/console/")
}

// TestAnInvitationSurvivesTheLogin: also when a person signs up or logs in on other pages.
func TestAnInvitationSurvivesTheLogin(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Forget()
	login(c)
	invited(c, false)
	follow(t, c)
	wantText(t, "the signup", c.Get("/console/signup"), "invitation was sent to")
	wantLocation(t, "the login", c.Post("/console/login", url.Values{"email": {"a@example.org"}, "password": {password}}), "/console/invitation")
	c.Answer(accepting, 200, adminapi.AcceptedInvitation{Accepted: adminapi.Accepted{OrgUUID: pagetest.Org}})
	wantLocation(t, "accepted", c.Post("/console/invitation", url.Values{"token": {"secret"}}), joinedOrganization)
	wantLocation(t, "the next login", c.Post("/console/login", url.Values{"email": {"a@example.org"}, "password": {password}}), "/console/")
}

// TestAWrongInvitationShowsNothing: the answer to each wrong token is the same page.
func TestAWrongInvitationShowsNothing(t *testing.T) {
	c := pagetest.Start(t, account.Mount)
	c.Forget()
	c.Refuse("POST /api/invitation", 400, errToken)
	c.Refuse("POST /api/invitation/join", 400, errToken)
	form := url.Values{"token": {"made-up"}, "password": {password}}
	c.Get("/console/invitation?token=made-up")
	for what, got := range map[string]pagetest.Answer{
		"the page": c.Get("/console/invitation"), "joining": c.Post("/console/invitation/join", form), "logging in": c.Post("/console/invitation/login", form),
	} {
		wantStatus(t, what, got, http.StatusNotFound)
		wantText(t, what, got, "data-broken-link")
	}
	if calls := c.Calls("POST /api/login"); len(calls) > 0 {
		t.Error("a password was sent")
	}
}

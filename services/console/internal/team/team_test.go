package team_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/team"
)

const (
	api        = "/api/admin/organization/" + pagetest.Org
	root       = "/console/organization/" + pagetest.Org
	owner      = "0192f0a0-0000-7000-8000-0000000000a1"
	editor     = "0192f0a0-0000-7000-8000-0000000000a2"
	invitation = "0192f0a0-0000-7000-8000-0000000000b1"
	key        = "0192f0a0-0000-7000-8000-0000000000c1"
	own        = "0192f0a0-0000-7000-8000-0000000000aa" // membership of the person in pagetest
	script     = `<script>alert(1)</script>`
)

func setOf(role permission.Role) permission.Set {
	set, _ := permission.Of(role)
	return set
}

// start runs the pages over a team of an owner, an editor and one invitation, and one key.
func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, team.Mount)
	c.Answer("GET "+api, 200, adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher " + script}})
	c.Answer("GET "+api+"/team", 200, adminapi.Team{
		Members: []adminapi.Member{
			{UUID: owner, UserID: 1, Email: "o@example.org", DisplayName: "Ole " + script, Role: permission.Owner, Permissions: value.Mask(permission.All)},
			{UUID: editor, UserID: 2, Email: "e@example.org", Role: permission.Editor, Permissions: value.Mask(setOf(permission.Editor))},
		},
		Invitations: []adminapi.Invitation{{
			UUID: invitation, Email: "new@example.org", Role: permission.Viewer, Permissions: value.Mask(setOf(permission.Viewer)), Expired: true,
		}},
		Page: adminapi.Page{TotalCount: 2, Limit: 25},
	})
	c.Answer("GET "+api+"/api-keys", 200, adminapi.APIKeys{APIKeys: []adminapi.APIKey{{
		UUID: key, Name: "Website " + script, Prefix: "lf_abc", Permissions: value.Mask(setOf(permission.Viewer)), Active: true,
	}}, Page: adminapi.Page{TotalCount: 1, Limit: 25}})
	c.Answer("GET /api/admin/permissions/list", 200, adminapi.Permissions{
		Organization: []adminapi.Permission{{Bit: 1, Label: "Delete organization"}, {Bit: 6, Label: "Manage team"}},
		Event:        []adminapi.Permission{{Bit: 27, Label: "Release Event"}, {Bit: 28, Label: "View insights"}},
	})
	for uuid, role := range map[string]permission.Role{owner: permission.Owner, editor: permission.Editor} {
		c.Answer("GET "+api+"/member/"+uuid+"/permissions", 200, adminapi.Rights{
			UUID: uuid, UserID: 2, DisplayName: "Eva", Role: role, Permissions: value.Mask(setOf(role)),
		})
	}
	return c
}

// sent returns the body of the last request for an operation.
func sent(t *testing.T, c *pagetest.Console, operation string) map[string]any {
	t.Helper()
	calls := c.Calls(operation)
	if len(calls) == 0 {
		t.Fatalf("%s was not asked for", operation)
	}
	var body map[string]any
	if err := json.Unmarshal(calls[len(calls)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func TestOnlyWhatThePersonMayGrantIsOffered(t *testing.T) {
	c := start(t)
	for role, all := range map[permission.Role]bool{permission.Owner: true, permission.Manager: false} {
		c.Member(setOf(role))
		body := c.Get(root + "/team").Body
		for part, ownersOnly := range map[string]bool{
			`value="owner"`: true, "Delete organization": true, "/team/member/" + owner: true, "/team/remove/" + owner: true,
			`value="manager"`: false, "Manage team": false, "/team/member/" + editor: false, "/team/remove/" + editor: false,
		} {
			if got := strings.Contains(body, part); got != (all || !ownersOnly) {
				t.Errorf("%s: %s is offered: %t", role, part, got)
			}
		}
	}
	c.Member(permission.ManageTeam | permission.ViewEventInsights)
	if body := c.Get(root + "/team").Body; strings.Contains(body, "/team/member/") || strings.Contains(body, `value="editor"`) {
		t.Error("a member without the right to manage permissions is offered to change them")
	}
}

func TestHostileNamesAreText(t *testing.T) {
	c := start(t)
	for _, path := range []string{"/team", "/keys", "/leave", "/team/remove/" + owner, "/team/member/" + owner} {
		got := c.Get(root + path)
		if got.Status != http.StatusOK || strings.Contains(got.Body, script) {
			t.Errorf("%s: %d, or it holds a script", path, got.Status)
		}
	}
}

// TestEveryInvitationIsReached: also when there are more invitations than members.
func TestEveryInvitationIsReached(t *testing.T) {
	c := start(t)
	for counts, want := range map[[2]int]string{
		{2, 0}: "", {2, 25}: "", {2, 26}: "Page 1 of 2", {60, 26}: "Page 1 of 3", {26, 60}: "Page 1 of 3",
	} {
		c.Answer("GET "+api+"/team", 200, adminapi.Team{
			InvitationCount: counts[1], Page: adminapi.Page{TotalCount: counts[0], Limit: 25},
		})
		body := c.Get(root + "/team").Body
		if strings.Contains(body, `class="pager"`) != (want != "") || !strings.Contains(body, want) {
			t.Errorf("%d members and %d invitations: %q is not on the page", counts[0], counts[1], want)
		}
	}
}

func TestInvitations(t *testing.T) {
	c := start(t)
	operation := "POST " + api + "/team/invite"
	if form := c.Get(root + "/team").Body; !strings.Contains(form, "Publish Event") || strings.Contains(form, "Release") {
		t.Error("the form does not speak of publishing")
	}
	got := c.Post(root+"/team/invite", url.Values{"email": {"no address"}, "role": {"editor"}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="no address"`) ||
		!strings.Contains(got.Body, `value="editor" checked`) {
		t.Errorf("%d, or what was typed is lost", got.Status)
	}
	c.Answer(operation, 201, adminapi.WrittenInvitation{})
	got = c.Post(root+"/team/invite", url.Values{"email": {"x@example.org"}, "role": {"editor"}, "permission": {"1"}})
	if body := sent(t, c, operation); got.Status != http.StatusSeeOther || body["role"] != "editor" || body["permissions"] != nil {
		t.Errorf("%d %v", got.Status, body)
	}
	c.Post(root+"/team/invite", url.Values{"email": {"x@example.org"}, "role": {"custom"}, "permission": {"1", "28", "x", "77"}})
	if body := sent(t, c, operation); body["permissions"] != "268435458" || body["role"] != nil {
		t.Errorf("one by one: %v", body)
	}
	got = c.Post(root+"/team/invitation/"+invitation, url.Values{"email": {"new@example.org"}, "permission": {"28"}})
	if body := sent(t, c, operation); got.Status != http.StatusSeeOther || body["permissions"] != "268435456" {
		t.Errorf("renewed: %d %v", got.Status, body)
	}
	c.Refuse(operation, 409, adminapi.Error{Error: "is a member already", Code: "member_exists"})
	got = c.Post(root+"/team/invite", url.Values{"email": {"x@example.org"}, "role": {"editor"}})
	if !strings.Contains(got.Body, "is a member already") {
		t.Error("the reason is not shown")
	}
}

func TestRolesAreChanged(t *testing.T) {
	c := start(t)
	operation := "PUT " + api + "/member/" + editor + "/permissions"
	c.Answer(operation, 200, adminapi.WrittenRights{})
	got := c.Post(root+"/team/member/"+editor, url.Values{"role": {"viewer"}, "tag": {`"1"`}})
	if got.Status != http.StatusSeeOther || sent(t, c, operation)["role"] != "viewer" ||
		c.Calls(operation)[0].Header.Get("If-Match") != `"1"` {
		t.Errorf("%d", got.Status)
	}
	got = c.Post(root+"/team/member/"+editor, url.Values{"role": {"viewer"}, "tag": {`"0"`}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "the role is now “Editor”") ||
		!strings.Contains(got.Body, `value="viewer" checked`) || len(c.Calls(operation)) != 1 {
		t.Errorf("after another person: %d", got.Status)
	}
	c.Refuse("PUT "+api+"/member/"+owner+"/permissions", 409, adminapi.Error{Error: "keeps an owner", Code: "last_owner"})
	got = c.Post(root+"/team/member/"+owner, url.Values{"role": {"viewer"}})
	if got.Status != http.StatusUnprocessableEntity || strings.Count(got.Body, "Make another member an owner first.") != 2 {
		t.Errorf("the last owner: %d", got.Status)
	}
}

func TestTheLastOwnerIsNotOfferedToLeave(t *testing.T) {
	c := start(t)
	c.Answer("GET "+api+"/team", 200, adminapi.Team{
		Members: []adminapi.Member{{UUID: own, UserID: 7, Email: "anna@example.org", Role: permission.Owner, Permissions: value.Mask(permission.All)}},
		Page:    adminapi.Page{TotalCount: 1, Limit: 25},
	})
	const reason = "Make another member an owner first."
	offers := map[string]string{"/team": `href="` + root + `/leave"`, "/leave": `action="` + root + `/leave"`}
	for path, offer := range offers {
		if body := c.Get(root + path).Body; !strings.Contains(body, offer) || strings.Contains(body, reason) {
			t.Errorf("%s: one of several owners is not offered to leave", path)
		}
	}
	c.LastOwner()
	for path, offer := range offers {
		if body := c.Get(root + path).Body; strings.Contains(body, offer) || !strings.Contains(body, reason) {
			t.Errorf("%s: the last owner is offered to leave, or does not learn why not", path)
		}
	}
	got := c.Post(root+"/leave", url.Values{"password": {"right"}})
	if got.Status != http.StatusConflict || !strings.Contains(got.Body, reason) {
		t.Errorf("the last owner leaves: %d", got.Status)
	}
}

func TestMembersLeaveAndAreRemoved(t *testing.T) {
	c := start(t)
	for _, test := range []struct{ path, member, next string }{
		{"/team/remove/" + editor, editor, root + "/team?notice=team_removed"},
		{"/team/remove/" + invitation, invitation, root + "/team?notice=team_removed"},
		{"/leave", own, "/console/?notice=team_left"},
	} {
		operation := "DELETE " + api + "/team/member/" + test.member
		if got := c.Post(root+test.path, url.Values{"password": {""}}); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s without a password: %d", test.path, got.Status)
		}
		c.Refuse(operation, 403, adminapi.Error{Error: "the password is wrong", Code: "wrong_password"})
		got := c.Post(root+test.path, url.Values{"password": {"guess-it"}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "This is not your password.") ||
			strings.Contains(got.Body, "guess-it") {
			t.Errorf("%s with a wrong one: %d", test.path, got.Status)
		}
		c.Refuse(operation, 409, adminapi.Error{Error: "keeps an owner", Code: "last_owner"})
		got = c.Post(root+test.path, url.Values{"password": {"right"}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Make another member an owner first.") {
			t.Errorf("%s of the last owner: %d", test.path, got.Status)
		}
		c.Answer(operation, 200, adminapi.Deleted{})
		got = c.Post(root+test.path, url.Values{"password": {"right"}})
		if got.Status != http.StatusSeeOther || got.Header.Get("Location") != test.next ||
			sent(t, c, operation)["password"] != "right" {
			t.Errorf("%s: %d to %s", test.path, got.Status, got.Header.Get("Location"))
		}
	}
}

func TestKeysAreShownOnce(t *testing.T) {
	c := start(t)
	operation := "POST " + api + "/api-keys"
	c.Answer(operation, 201, adminapi.MadeAPIKey{Key: "lf_secret_text"})
	got := c.Post(root+"/keys", url.Values{"name": {"Website"}, "role": {"viewer"}, "expires": {"2026-11-30"}})
	if got.Status != http.StatusOK || !strings.Contains(got.Body, "lf_secret_text") || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d", got.Status)
	}
	if body := sent(t, c, operation); body["expires_at"] != "2026-12-01T00:00:00Z" || body["role"] != "viewer" {
		t.Errorf("%v", body)
	}
	if strings.Contains(c.Get(root+"/keys").Body, "lf_secret_text") {
		t.Error("the key is shown again")
	}
	for field, form := range map[string]url.Values{
		"name": {"name": {""}, "role": {"viewer"}}, "role": {"name": {"x"}},
		"expires": {"name": {"x"}, "role": {"viewer"}, "expires": {"2026-11-22"}},
	} {
		got := c.Post(root+"/keys", form)
		if got.Status != http.StatusUnprocessableEntity || len(c.Calls(operation)) != 1 {
			t.Errorf("without a right %s: %d", field, got.Status)
		}
	}
}

// TestAMadeKeyIsShownWithoutTheList: its text is shown this once, also when a read after it fails.
func TestAMadeKeyIsShownWithoutTheList(t *testing.T) {
	for _, lost := range []string{api + "/api-keys", "/api/admin/permissions/list"} {
		c := start(t)
		made := adminapi.MadeAPIKey{Key: "lf_secret_text", APIKey: adminapi.APIKey{UUID: key, Name: "Shop"}}
		c.Answer("POST "+api+"/api-keys", 201, made)
		c.Refuse("GET "+lost, 503, adminapi.Error{Error: "not now", Code: "unavailable"})
		got := c.Post(root+"/keys", url.Values{"name": {"Shop"}, "role": {"viewer"}})
		for _, want := range []string{"lf_secret_text", `data-key="` + key + `"`, `value="viewer"`} {
			if got.Status != http.StatusOK || !strings.Contains(got.Body, want) {
				t.Errorf("without %s: %d, %s is not on the page", lost, got.Status, want)
			}
		}
		if got := c.Get(root + "/keys"); got.Status != http.StatusServiceUnavailable {
			t.Errorf("a page without a new key: %d", got.Status)
		}
	}
}

func TestKeysAreRenamedAndRevoked(t *testing.T) {
	c := start(t)
	c.Answer("PUT "+api+"/api-keys/"+key, 200, adminapi.WrittenAPIKey{})
	if got := c.Post(root+"/keys/"+key, url.Values{"key-name": {"Shop"}}); got.Status != http.StatusSeeOther {
		t.Errorf("%d", got.Status)
	}
	if got := c.Post(root+"/keys/"+key, url.Values{"key-name": {" "}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without a name: %d", got.Status)
	}
	if got := c.Get(root + "/keys/" + key + "/revoke"); !strings.Contains(got.Body, "stop working at once") {
		t.Errorf("%d", got.Status)
	}
	c.Answer("DELETE "+api+"/api-keys/"+key, 200, adminapi.Deleted{})
	if got := c.Post(root+"/keys/"+key+"/revoke", nil); got.Status != http.StatusSeeOther {
		t.Errorf("revoked: %d", got.Status)
	}
}

func TestForgedRequestsOfViewersAreRefused(t *testing.T) {
	c := start(t)
	c.Member(setOf(permission.Viewer))
	refusal := adminapi.Error{Error: "you lack the permission", Code: "permission_missing"}
	for _, operation := range []string{
		"GET " + api + "/team", "POST " + api + "/team/invite", "GET " + api + "/member/" + editor + "/permissions",
		"GET " + api + "/api-keys", "POST " + api + "/api-keys", "PUT " + api + "/api-keys/" + key, "DELETE " + api + "/api-keys/" + key,
	} {
		c.Refuse(operation, 403, refusal)
	}
	for _, path := range []string{"/team", "/keys", "/keys/" + key + "/revoke", "/team/member/" + editor, "/team/remove/" + editor} {
		if got := c.Get(root + path); got.Status != http.StatusForbidden {
			t.Errorf("GET %s: %d", path, got.Status)
		}
	}
	for path, form := range map[string]url.Values{
		"/team/invite":                   {"email": {"x@example.org"}, "role": {"owner"}},
		"/team/invitation/" + invitation: {"email": {"x@example.org"}, "permission": {"0"}},
		"/team/member/" + editor:         {"role": {"owner"}},
		"/team/remove/" + editor:         {"password": {"x"}},
		"/keys":                          {"name": {"x"}, "role": {"owner"}},
		"/keys/" + key:                   {"key-name": {"x"}},
		"/keys/" + key + "/revoke":       {},
	} {
		if got := c.Post(root+path, form); got.Status != http.StatusForbidden {
			t.Errorf("POST %s: %d", path, got.Status)
		}
	}
}

// TestALimitedInvitationSaysWhenToTryAgain: no field is wrong then.
func TestALimitedInvitationSaysWhenToTryAgain(t *testing.T) {
	c := start(t)
	for seconds, want := range map[int]string{
		40:     "You can send five invitations a day until the first one is accepted. Try again in one minute.",
		5_401:  "Try again in 2 hours.",
		80_000: "Try again in 23 hours.",
		0:      "until the first one is accepted.<",
	} {
		c.Refuse("POST "+api+"/team/invite", http.StatusTooManyRequests, adminapi.Error{
			Error: "too many", Code: "first_invitations", RetryAfter: seconds,
		})
		got := c.Post(root+"/team/invite", url.Values{"email": {"new@example.org"}, "role": {"viewer"}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) || strings.Contains(got.Body, "Please check") {
			t.Errorf("after %d s: %d, %q is not in %s", seconds, got.Status, want, got.Body)
		}
	}
}

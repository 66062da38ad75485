package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

// A member finds the uuid of their own membership without any permission, and leaves with it.
func TestMembersLeave(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	none := s.join(t, "guest", s.org, 0)
	authtest.Member(t, s.db, s.foreign, none.id, permission.EditVenue)
	a := s.as(t, "guest", http.MethodGet, "/user/memberships", "")
	a.want(t, "memberships", ok, "")
	a.wantKeys(t, "memberships", "memberships total_count limit offset")
	first := a.first(t, "memberships")
	haveKeys(t, "membership", first, "uuid org_uuid org_name role permissions joined_at last_owner")
	if first["org_name"] != "Jazzclub" || first["permissions"] != permission.EditVenue.String() || first["role"] != "custom" ||
		a.body["total_count"] != 2.0 {
		t.Errorf("memberships %s", a.raw)
	}
	leave := func(who, secret string) answer {
		listed := s.as(t, who, http.MethodGet, "/user/memberships?limit=1", "").first(t, "memberships")
		path := fmt.Sprintf("/organization/%s/team/member/%s", listed["org_uuid"], listed["uuid"])
		return s.as(t, who, http.MethodDelete, path, password(secret))
	}
	leave("guest", authtest.Password).want(t, "leave", ok, "")
	if a := s.as(t, "guest", http.MethodGet, "/user/memberships", ""); a.body["total_count"] != 1.0 {
		t.Errorf("after leaving: %s", a.raw)
	}
	leave("neighbour", authtest.Password).want(t, "the last owner", http.StatusConflict, "last_owner")
	leave("neighbour", "wrong").want(t, "the last owner with a wrong password", http.StatusForbidden, "wrong_password")
}

// TestMembershipsNameTheLastOwner: owners who were deactivated do not count.
func TestMembershipsNameTheLastOwner(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	wantLast := func(who string, want bool) {
		t.Helper()
		first := s.as(t, who, http.MethodGet, "/user/memberships", "").first(t, "memberships")
		if first["last_owner"] != want {
			t.Errorf("%s: %v, want last_owner %t", who, first, want)
		}
	}
	wantLast("owner", true)
	wantLast("viewer", false)
	second := s.join(t, "second", s.org, permission.All)
	wantLast("owner", false)
	wantLast("second", false)
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", second.id)
	wantLast("owner", true)
}

func TestProfileShowsAdministrators(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["viewer"].id)
	for who, want := range map[string]bool{"viewer": true, "owner": false} {
		a := s.as(t, who, http.MethodGet, "/user/profile", "")
		if a.body["is_admin"] != want {
			t.Errorf("%s: %s", who, a.raw)
		}
		s.as(t, who, http.MethodPut, "/user/profile", string(a.raw)).want(t, "written back", ok, "")
	}
	a := s.as(t, "owner", http.MethodPut, "/user/profile", `{"is_admin": true}`)
	if a.status != ok || a.body["is_admin"] != false {
		t.Errorf("an owner makes themselves administrator: %s", a.raw)
	}
}

func TestInvitationsAreAnsweredFromTheList(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "ulla", "", 0)
	invite := func(org string) { s.invitation(t, org, ulla) }
	answer := func(who, verb string) answer {
		listed := s.as(t, "ulla", http.MethodGet, "/user/invitations", "").first(t, "invitations")
		return s.as(t, who, http.MethodPost, fmt.Sprintf("/user/invitations/%s/%s", listed["uuid"], verb), "")
	}
	invite(s.org)
	answer("stranger", "accept").want(t, "another user accepts", http.StatusNotFound, "invitation_not_found")
	answer("owner", "decline").want(t, "another user declines", http.StatusNotFound, "invitation_not_found")
	a := answer("ulla", "decline")
	a.want(t, "decline", ok, "")
	a.wantKeys(t, "decline", "message uuid")
	if a := s.as(t, "ulla", http.MethodGet, "/user/invitations", ""); a.body["total_count"] != 0.0 {
		t.Errorf("a declined invitation is listed: %s", a.raw)
	}
	if a := s.as(t, "owner", http.MethodGet, "/organization/"+s.org+"/team", ""); a.body["invitation_count"] != 0.0 {
		t.Errorf("a declined invitation waits in the team: %s", a.raw)
	}
	invite(s.org)
	accept := "/user/invitations/" + fmt.Sprint(s.as(t, "ulla", http.MethodGet, "/user/invitations", "").first(t, "invitations")["uuid"]) + "/accept"
	a = s.as(t, "ulla", http.MethodPost, accept, "")
	a.want(t, "accept", ok, "")
	a.wantKeys(t, "accept", "message uuid org_uuid org_name role permissions")
	s.as(t, "ulla", http.MethodGet, "/organization/"+s.org, "").want(t, "read as a member", ok, "")
	s.as(t, "ulla", http.MethodPost, accept, "").want(t, "accept again", http.StatusNotFound, "invitation_not_found")
	if got, want := s.audited(t, s.org), "member.decline member.join"; got != want {
		t.Errorf("audited %s, want %s", got, want)
	}
}

// An address that was not verified may be another person's, so its invitations are not the user's.
func TestUnverifiedAddressAnswersNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "ulla", "", 0)
	s.exec(t, "UPDATE app_user SET email_verified = false WHERE id = $1", s.people["ulla"].id)
	id, _ := s.invitation(t, s.org, ulla)
	for _, verb := range []string{"accept", "decline"} {
		s.as(t, "ulla", http.MethodPost, "/user/invitations/"+id+"/"+verb, "").want(t, verb, http.StatusNotFound, "invitation_not_found")
	}
}

func TestListedInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "ulla", "", 0)
	id, _ := s.invitation(t, s.org, ulla)
	send := func(verb string) func() answer {
		return func() answer { return s.as(t, "ulla", http.MethodPost, "/user/invitations/"+id+"/"+verb, "") }
	}
	got := atOnce(send("accept"), send("accept"), send("decline"))
	if got[0] != ok || got[1] != http.StatusNotFound || got[2] != http.StatusNotFound {
		t.Errorf("answered three times at once: %v", got)
	}
}

func TestRightsAreWrittenBackAsRead(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	custom := s.join(t, "custom", s.org, permission.EditVenue|permission.EditSpace)
	for _, member := range []string{s.people["viewer"].member, custom.member, s.people["owner"].member} {
		path := "/organization/" + s.org + "/member/" + member + "/permissions"
		read := s.as(t, "owner", http.MethodGet, path, "")
		a := s.as(t, "owner", http.MethodPut, path, string(read.raw), "If-Match", read.header.Get("ETag"))
		a.want(t, "write back", ok, "")
		if again := s.as(t, "owner", http.MethodGet, path, ""); string(again.raw) != string(read.raw) || again.header.Get("ETag") != read.header.Get("ETag") {
			t.Errorf("%s has become %s", read.raw, again.raw)
		}
	}
	if got := s.audited(t, s.org); got != "" {
		t.Errorf("audited %s", got)
	}
}

// The answer shows the member's name, so its version changes with it.
func TestVersionOfRightsChangesWithTheName(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org + "/member/" + s.people["viewer"].member + "/permissions"
	before := s.as(t, "owner", http.MethodGet, path, "").header.Get("ETag")
	s.as(t, "viewer", http.MethodPut, "/user/profile", `{"display_name": "Vera"}`).want(t, "rename", ok, "")
	a := s.as(t, "owner", http.MethodGet, path, "", "If-None-Match", before)
	a.want(t, "read after the rename", ok, "")
	if a.body["user_display_name"] != "Vera" {
		t.Errorf("read %s", a.raw)
	}
	a = s.as(t, "owner", http.MethodPut, path, `{"bit": 24, "enabled": true}`, "If-Match", a.header.Get("ETag"))
	a.want(t, "change what was read", ok, "")
	if read := s.as(t, "owner", http.MethodGet, path, ""); read.header.Get("ETag") != a.header.Get("ETag") {
		t.Errorf("versions %s and %s", read.header.Get("ETag"), a.header.Get("ETag"))
	}
}

func TestRolesAreListed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for lang, label := range map[string]string{"de": "Inhaber", "da-DK": "Ejer", "en": "Owner", "": "Owner"} {
		a := s.as(t, "stranger", http.MethodGet, "/roles/list?lang="+lang, "")
		a.want(t, "roles", ok, "")
		if first := a.first(t, "roles"); first["name"] != "owner" || first["label"] != label ||
			first["permissions"] != permission.All.String() || len(first["bits"].([]any)) != permission.All.Bits() {
			t.Errorf("%s: %s", lang, a.raw)
		}
	}
}

// A mailbox is not flooded from many organizations, or under many tags of one address.
func TestInvitationsToOneMailboxAreLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	invite := func(who, org, email string) answer {
		return s.as(t, who, http.MethodPost, "/organization/"+org+"/team/invite", inviteBody(email, "viewer"))
	}
	for i := range 5 {
		invite("owner", s.org, fmt.Sprintf("ulla+%d@example.org", i)).want(t, "invite", http.StatusCreated, "")
		invite("neighbour", s.foreign, ulla)
	}
	third := s.as(t, "stranger", http.MethodPut, "/organization", `{"name": "Third"}`)
	org := fmt.Sprint(third.body["uuid"])
	invite("stranger", org, ulla).want(t, "the eleventh", http.StatusTooManyRequests, "too_many_attempts")
	invite("stranger", org, "ulla+x@example.org").want(t, "with a tag", http.StatusTooManyRequests, "too_many_attempts")
	invite("stranger", org, "uwe@example.org").want(t, "another mailbox", http.StatusCreated, "")
}

// Names with invisible characters are refused.
func TestNamesHideNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for path, fields := range map[string]string{
		"/user/profile":          "display_name first_name last_name",
		"/organization/" + s.org: "name web_link",
	} {
		for field := range strings.FieldsSeq(fields) {
			for _, hidden := range []string{"\u200b", "\u202e", "\u2066", "\ufeff"} {
				body := fmt.Sprintf(`{"%s": "https://example.org/%sx"}`, field, hidden)
				a := s.as(t, "owner", http.MethodPut, path, body)
				a.want(t, field+" with "+hidden, http.StatusBadRequest, "")
				if a.fields() != field {
					t.Errorf("%s: bad fields %s", body, a.fields())
				}
			}
		}
	}
}

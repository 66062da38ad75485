package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

const ulla = "ulla@example.org"

func inviteBody(email, role string) string {
	return fmt.Sprintf(`{"email": %q, "role": %q}`, email, role)
}

func TestInvitationWaitsForSignup(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org + "/team"
	a := s.as(t, "manager", http.MethodPost, path+"/invite?lang=da", `{"email": " Ulla@Example.ORG ", "role": "editor", "role_id": 3}`)
	a.want(t, "invite", http.StatusCreated, "")
	a.wantKeys(t, "invite", "message uuid email role permissions invited_by invited_at expires_at expired")
	if a.body["email"] != ulla || a.body["role"] != "editor" {
		t.Errorf("invited %s", a.raw)
	}
	token := s.token(t, ulla)
	if got := s.box.mails[0]; !strings.Contains(got.Subject, "Kulturhaus") || !strings.Contains(got.Text, "Hej") ||
		!strings.HasPrefix(got.Link, "https://litfass.example/console/invitation?token=") {
		t.Errorf("mail %+v", got)
	}
	a = s.as(t, "owner", http.MethodGet, path, "")
	a.want(t, "team", ok, "")
	a.wantKeys(t, "team", "members invitations total_count invitation_count limit offset")
	haveKeys(t, "member", a.first(t, "members"), `uuid member_uuid user_id email display_name first_name last_name avatar_url role
		permissions last_active_at joined_at`)
	invitation := a.first(t, "invitations")
	haveKeys(t, "invitation", invitation, "uuid email role permissions invited_by invited_at expires_at expired")
	if a.body["total_count"] != 5.0 || a.body["invitation_count"] != 1.0 || invitation["email"] != ulla || invitation["expired"] != false {
		t.Errorf("team %s", a.raw)
	}

	s.join(t, "ulla", "", 0)
	a = s.as(t, "ulla", http.MethodGet, "/user/invitations", "")
	a.want(t, "waiting", ok, "")
	waiting := a.first(t, "invitations")
	haveKeys(t, "waiting", waiting, "uuid org_uuid org_name role invited_by invited_at expires_at")
	if waiting["org_uuid"] != s.org {
		t.Errorf("waiting %s", a.raw)
	}
	const accept = "/organization/team/invite/accept"
	body := fmt.Sprintf(`{"token": %q}`, token)
	s.as(t, "stranger", http.MethodPost, accept, body).want(t, "another user", http.StatusForbidden, "other_address")
	s.as(t, "ulla", http.MethodPost, accept, `{"token": "made up"}`).want(t, "unknown", http.StatusBadRequest, "token_invalid")
	s.as(t, "ulla", http.MethodPost, accept, `{}`).want(t, "missing", http.StatusBadRequest, "invalid_parameters")
	a = s.as(t, "ulla", http.MethodPost, accept, body)
	a.want(t, "accept", ok, "")
	a.wantKeys(t, "accept", "message uuid org_uuid org_name role permissions")
	s.as(t, "ulla", http.MethodPost, accept, body).want(t, "accept again", http.StatusConflict, "already_accepted")
	s.as(t, "ulla", http.MethodGet, "/organization/"+s.org, "").want(t, "read as a member", ok, "")
	s.as(t, "manager", http.MethodPost, path+"/invite", inviteBody(ulla, "viewer")).want(t, "invite a member", http.StatusConflict, "already_member")
	if a = s.as(t, "ulla", http.MethodGet, "/user/invitations", ""); a.body["total_count"] != 0.0 {
		t.Errorf("still waiting: %s", a.raw)
	}
	if got, want := s.audited(t, s.org), "member.invite member.join"; got != want {
		t.Errorf("audited %s, want %s", got, want)
	}
}

func TestInviteRefuses(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org + "/team/invite"
	tests := []struct {
		who, body string
		status    int
		fields    string
	}{
		{"owner", `{}`, http.StatusBadRequest, "email"},
		{"owner", `{"email": "x", "role": "king"}`, http.StatusBadRequest, "email role"},
		{"owner", `{"email": 5, "role": "king", "x": 1}`, http.StatusBadRequest, "email x role"},
		{"owner", `{"email": "a@b.example", "permissions": "128"}`, http.StatusBadRequest, "permissions"},
		{"owner", `{"email": "a@b.example", "permissions": -1}`, http.StatusBadRequest, "permissions"},
		{"owner", `{"email": "a@b.example", "permissions": 1, "role": "viewer"}`, http.StatusBadRequest, "permissions"},
		{"owner", `{"email": "a@b.example\r\nBcc: c@d.example"}`, http.StatusBadRequest, "email"},
		{"manager", inviteBody("a@b.example", "owner"), http.StatusForbidden, ""},
		{"manager", `{"email": "a@b.example", "permissions": 2}`, http.StatusForbidden, ""},
		{"editor", inviteBody("a@b.example", "viewer"), http.StatusForbidden, ""},
		{"neighbour", inviteBody("a@b.example", "viewer"), http.StatusNotFound, ""},
	}
	for _, test := range tests {
		a := s.as(t, test.who, http.MethodPost, path, test.body)
		a.want(t, test.who+" invites with "+test.body, test.status, "")
		if got := a.fields(); got != test.fields {
			t.Errorf("%s invites with %s: bad fields %s, want %s", test.who, test.body, got, test.fields)
		}
	}
	var stored int
	s.one(t, &stored, "SELECT (SELECT count(*) FROM invitation) + (SELECT count(*) FROM mail_outbox) + (SELECT count(*) FROM attempt)")
	if stored != 0 {
		t.Errorf("%d rows were stored", stored)
	}
}

// TestInvitationIsRenewed: the new link works and the old one does not, also when the invitation
// has expired.
func TestInvitationIsRenewed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "ulla", "", 0)
	path := "/organization/" + s.org + "/team/invite"
	first := s.as(t, "owner", http.MethodPost, path, inviteBody(ulla, "owner"))
	old := s.token(t, ulla)
	s.as(t, "manager", http.MethodPost, path, inviteBody(ulla, "viewer")).
		want(t, "a manager takes an owner's offer back", http.StatusForbidden, "permission_beyond_own")
	s.clock.Move(8 * 24 * time.Hour)
	for name, who := range s.people {
		grant := s.stack.LogIn(t, s.db, who.id)
		s.people[name].access = grant.Access
	}
	accept := func(token string) answer {
		return s.as(t, "ulla", http.MethodPost, "/organization/team/invite/accept", fmt.Sprintf(`{"token": %q}`, token))
	}
	accept(old).want(t, "expired", http.StatusBadRequest, "token_invalid")
	if a := s.as(t, "owner", http.MethodGet, "/organization/"+s.org+"/team", ""); a.first(t, "invitations")["expired"] != true {
		t.Errorf("team %s", a.raw)
	}
	second := s.as(t, "owner", http.MethodPost, path, inviteBody(ulla, "viewer"))
	second.want(t, "renew", ok, "")
	if first.body["uuid"] != second.body["uuid"] {
		t.Errorf("renewed %s, was %s", second.raw, first.raw)
	}
	renewed := s.token(t, ulla)
	accept(old).want(t, "the old link", http.StatusBadRequest, "token_invalid")
	a := accept(renewed)
	a.want(t, "the new link", ok, "")
	if a.body["role"] != "viewer" {
		t.Errorf("accepted %s", a.raw)
	}
}

func TestInvitationsAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "ulla", "", 0)
	path := "/organization/" + s.org + "/team/invite"
	invite := func(who string) func() answer {
		return func() answer { return s.as(t, who, http.MethodPost, path, inviteBody(ulla, "viewer")) }
	}
	got := atOnce(invite("owner"), invite("manager"), invite("owner"))
	if !slices.Equal(got, []int{ok, ok, http.StatusCreated}) {
		t.Errorf("three invite at once: %v", got)
	}
	token := s.token(t, ulla) // one mail: the links of the others are worthless before they leave
	accept := func() answer {
		return s.as(t, "ulla", http.MethodPost, "/organization/team/invite/accept", fmt.Sprintf(`{"token": %q}`, token))
	}
	if got := atOnce(accept, accept, accept); !slices.Equal(got, []int{ok, http.StatusConflict, http.StatusConflict}) {
		t.Errorf("accepted three times at once: %v", got)
	}
}

func TestInvitationMailsAreLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org + "/team/invite"
	s.as(t, "owner", http.MethodPost, path, inviteBody("anna@example.org", "viewer")).want(t, "the first", http.StatusCreated, "")
	s.exec(t, "UPDATE invitation SET accepted_at = created_at, accepted_by = invited_by")
	for range 5 {
		if a := s.as(t, "owner", http.MethodPost, path, inviteBody(ulla, "viewer")); a.status >= 400 {
			t.Fatalf("invite: %s", a.raw)
		}
	}
	s.as(t, "owner", http.MethodPost, path, inviteBody(ulla, "viewer")).want(t, "the sixth", http.StatusTooManyRequests, "too_many_attempts")
	s.as(t, "owner", http.MethodPost, path, inviteBody("uwe@example.org", "viewer")).want(t, "another", http.StatusCreated, "")
}

func TestMemberIsRemoved(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	team := "/organization/" + s.org + "/team"
	remove := func(who, id, body string) answer { return s.as(t, who, http.MethodDelete, team+"/member/"+id, body) }
	right := password(authtest.Password)
	member := func(name string) string { return s.people[name].member }

	remove("manager", member("viewer"), `{}`).want(t, "without password", http.StatusBadRequest, "invalid_parameters")
	remove("manager", member("viewer"), password("wrong")).want(t, "wrong password", http.StatusForbidden, "wrong_password")
	remove("manager", member("owner"), right).want(t, "a stronger one", http.StatusForbidden, "permission_beyond_own")
	remove("editor", member("viewer"), right).want(t, "without the right", http.StatusForbidden, "permission_missing")
	remove("editor", newUUID(), right).want(t, "a member who may not manage", http.StatusForbidden, "permission_missing")
	remove("owner", member("owner"), right).want(t, "the last owner", http.StatusConflict, "last_owner")
	remove("owner", newUUID(), right).want(t, "unknown", http.StatusNotFound, "member_not_found")
	foreign := authtest.Member(t, s.db, s.foreign, s.people["viewer"].id, 0)
	remove("owner", foreign, right).want(t, "another organization's", http.StatusNotFound, "member_not_found")

	s.as(t, "manager", http.MethodPost, team+"/invite", inviteBody(ulla, "viewer")).want(t, "invite", http.StatusCreated, "")
	a := remove("owner", member("manager"), right)
	a.want(t, "remove", ok, "")
	a.wantKeys(t, "remove", "message uuid")
	s.as(t, "manager", http.MethodGet, "/organization/"+s.org, "").want(t, "removed", http.StatusNotFound, "organization_not_found")
	if a = s.as(t, "owner", http.MethodGet, team, ""); a.body["invitation_count"] != 0.0 {
		t.Errorf("what the removed one has offered still stands: %s", a.raw)
	}
	remove("viewer", member("viewer"), right).want(t, "leave", ok, "")

	a = s.as(t, "owner", http.MethodPost, team+"/invite", inviteBody(ulla, "viewer"))
	id, _ := a.body["uuid"].(string)
	remove("owner", id, right).want(t, "take an invitation back", ok, "")
	remove("owner", id, right).want(t, "take it back again", http.StatusNotFound, "member_not_found")
	if err := s.mails.Drain(t.Context()); err != nil || len(s.box.mails) != 0 {
		t.Errorf("mails of invitations that were taken back: %v, %v", s.box.mails, err)
	}
	const want = "member.invite member.uninvite member.remove member.leave member.invite member.uninvite"
	if got := sorted(s.audited(t, s.org)); got != sorted(want) {
		t.Errorf("audited %s, want %s", got, want)
	}
}

func sorted(words string) string {
	list := strings.Fields(words)
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestRightsOfAMember(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := func(who string) string {
		return "/organization/" + s.org + "/member/" + s.people[who].member + "/permissions"
	}
	a := s.as(t, "manager", http.MethodGet, path("viewer"), "")
	a.want(t, "read", ok, "")
	a.wantKeys(t, "read", "uuid user_id user_display_name role permissions")
	if a.body["permissions"] != "268435456" || a.body["role"] != "viewer" || a.header.Get("ETag") != `"1"` {
		t.Errorf("read %s", a.raw)
	}
	tests := []struct {
		name, who, whose, body string
		status                 int
		want                   string // permissions, code or bad fields
	}{
		{"a bit", "manager", "viewer", `{"bit": 24, "enabled": true}`, ok, "285212672"},
		{"the same bit", "manager", "viewer", `{"bit": 24, "enabled": true}`, ok, "285212672"},
		{"takes a bit", "manager", "viewer", `{"bit": 24, "enabled": false}`, ok, "268435456"},
		{"a role", "manager", "viewer", `{"role": "contributor"}`, ok, "318769156"},
		{"a mask as text", "manager", "viewer", `{"permissions": "1"}`, ok, "1"},
		{"a mask as a number", "manager", "viewer", `{"permissions": 0}`, ok, "0"},
		{"nothing", "manager", "viewer", `{}`, http.StatusBadRequest, "bit"},
		{"half", "manager", "viewer", `{"bit": 1}`, http.StatusBadRequest, "enabled"},
		{"the other half", "manager", "viewer", `{"enabled": null, "bit": null}`, http.StatusBadRequest, "bit"},
		{"no such bit", "manager", "viewer", `{"bit": 7, "enabled": true}`, http.StatusBadRequest, "bit"},
		{"no bit at all", "manager", "viewer", `{"bit": 64, "enabled": true}`, http.StatusBadRequest, "bit"},
		{"a negative bit", "manager", "viewer", `{"bit": -1, "enabled": true}`, http.StatusBadRequest, "bit"},
		{"types", "manager", "viewer", `{"bit": "1", "enabled": 1, "x": 0}`, http.StatusBadRequest, "bit enabled x"},
		{"two forms", "manager", "viewer", `{"bit": 1, "enabled": true, "role": "viewer"}`, http.StatusBadRequest, "role"},
		{"an unknown bit in the mask", "manager", "viewer", `{"permissions": "18446744073709551615"}`, http.StatusBadRequest, "permissions"},
		{"a preset that is none", "manager", "viewer", `{"role": "custom"}`, http.StatusBadRequest, "role"},
		{"two that differ", "manager", "viewer", `{"role": "viewer", "permissions": "1"}`, http.StatusBadRequest, "permissions"},
		{"another member's", "manager", "viewer", `{"uuid": "0192f0a0-0000-7000-8000-000000000001", "role": "viewer"}`, http.StatusBadRequest, "uuid"},
		{"grants what they lack", "manager", "viewer", `{"bit": 1, "enabled": true}`, http.StatusForbidden, "permission_beyond_own"},
		{"makes an owner", "manager", "viewer", `{"role": "owner"}`, http.StatusForbidden, "permission_beyond_own"},
		{"takes from a stronger one", "manager", "owner", `{"role": "viewer"}`, http.StatusForbidden, "permission_beyond_own"},
		{"without the right", "editor", "viewer", `{"bit": 24, "enabled": true}`, http.StatusForbidden, "permission_missing"},
		{"a stranger", "neighbour", "viewer", `{"bit": 24, "enabled": true}`, http.StatusNotFound, "organization_not_found"},
		{"the last owner", "owner", "owner", `{"bit": 0, "enabled": false}`, http.StatusConflict, "last_owner"},
		{"lowers themselves", "manager", "manager", `{"bit": 6, "enabled": false}`, ok, "520556349"},
		{"raises themselves", "manager", "manager", `{"bit": 6, "enabled": true}`, http.StatusForbidden, "permission_beyond_own"},
		{"makes an owner of another", "owner", "editor", `{"role": "owner"}`, ok, "520556415"},
		{"is not the last owner", "owner", "owner", `{"role": "viewer"}`, ok, "268435456"},
	}
	for _, test := range tests {
		a := s.as(t, test.who, http.MethodPut, path(test.whose), test.body)
		a.want(t, test.name, test.status, "")
		got, _ := a.body["code"].(string)
		switch a.status {
		case ok:
			a.wantKeys(t, test.name, "message uuid user_id user_display_name role permissions")
			got, _ = a.body["permissions"].(string)
		case http.StatusBadRequest:
			got = a.fields()
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestRightsChangedAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org + "/member/" + s.people["viewer"].member + "/permissions"
	put := func(who, body string, headers ...string) func() answer {
		return func() answer { return s.as(t, who, http.MethodPut, path, body, headers...) }
	}
	tag := []string{"If-Match", `"1"`}
	got := atOnce(put("owner", `{"bit": 24, "enabled": true}`, tag...), put("manager", `{"bit": 25, "enabled": true}`, tag...))
	if !slices.Equal(got, []int{ok, http.StatusPreconditionFailed}) {
		t.Errorf("with If-Match: %v", got)
	}
	put("owner", `{"role": "viewer"}`)().want(t, "reset", ok, "")
	atOnce(put("owner", `{"bit": 24, "enabled": true}`), put("manager", `{"bit": 25, "enabled": true}`),
		put("owner", `{"bit": 8, "enabled": true}`), put("manager", `{"bit": 9, "enabled": true}`))
	want := (permission.ViewEventInsights | permission.AddEvent | permission.EditEvent | permission.AddVenue | permission.EditVenue).String()
	if a := s.as(t, "owner", http.MethodGet, path, ""); a.body["permissions"] != want {
		t.Errorf("a change is lost: %s, want %s", a.raw, want)
	}
}

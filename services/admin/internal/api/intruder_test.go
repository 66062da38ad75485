package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"litfass/services/admin/internal/people/auth/authtest"
)

// mailedToken sends the due mails and returns the token of the last one to an address.
func (s *stage) mailedToken(t *testing.T, recipient string) string {
	t.Helper()
	s.box.mails = nil
	if err := s.mails.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	token := ""
	for _, mail := range s.box.mails {
		if link, err := url.Parse(mail.Link); err == nil && mail.Recipient == recipient {
			token = link.Query().Get("token")
		}
	}
	return token
}

func (s *stage) accept(t *testing.T, who, token string) answer {
	t.Helper()
	return s.as(t, who, http.MethodPost, "/organization/team/invite/accept", fmt.Sprintf(`{"token": %q}`, token))
}

func (s *stage) leave(t *testing.T, who, whom string, headers ...string) answer {
	t.Helper()
	path := "/organization/" + s.org + "/team/member/" + s.people[whom].member
	return s.as(t, who, http.MethodDelete, path, password(authtest.Password), headers...)
}

// TestClaimedAddressSeesNoInvitations: a user who claims an address without confirming it sees none
// of its invitations, and does not keep its owner from accepting them.
func TestClaimedAddressSeesNoInvitations(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.as(t, "owner", http.MethodPost, "/organization/"+s.org+"/team/invite", inviteBody(ulla, "viewer")).
		want(t, "invite", http.StatusCreated, "")
	token := s.token(t, ulla)
	s.move(t, "stranger", ulla).want(t, "claim the address", ok, "")
	claim := s.mailedToken(t, ulla)
	waiting := func(who string) any { return s.as(t, who, http.MethodGet, "/user/invitations", "").body["total_count"] }
	if waiting("stranger") != 0.0 {
		t.Error("a stranger sees the invitations to an address that they only claim")
	}
	s.accept(t, "stranger", token).want(t, "a stranger accepts", http.StatusForbidden, "other_address")
	s.post(t, "/api/signup", login(ulla, "staple under the bridge")).want(t, "Ulla signs up", http.StatusCreated, "")
	s.follow(t, s.mailedToken(t, ulla)).want(t, "Ulla activates", ok, "")
	s.follow(t, claim).want(t, "the stranger's link", http.StatusConflict, "email_taken")
	p := &person{email: ulla}
	s.one(t, &p.id, "SELECT id FROM app_user WHERE email = $1", ulla)
	p.access, s.people["ulla"] = s.stack.LogIn(t, s.db, p.id).Access, p
	if waiting("ulla") != 1.0 {
		t.Error("Ulla does not see her invitation")
	}
	s.exec(t, "UPDATE app_user SET email_verified = false WHERE id = $1", p.id)
	if waiting("ulla") != 0.0 {
		t.Error("an address that was never verified sees invitations")
	}
	s.accept(t, "ulla", token).want(t, "Ulla accepts", ok, "")
}

// TestResetPasswordShutsOut: a reset ends the sessions and keys that existed before.
func TestResetPasswordShutsOut(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	key, _ := s.makeKey(t, "viewer", "/user/api-keys", `{"name": "back door", "role": "owner"}`)
	s.post(t, "/api/forgot-password", `{"email": "viewer@example.org"}`).want(t, "forgot", ok, "")
	body := fmt.Sprintf(`{"token": %q, "new_password": "staple under the bridge"}`, s.mailedToken(t, "viewer@example.org"))
	s.post(t, "/api/reset-password", body).want(t, "reset", ok, "")
	s.as(t, "viewer", http.MethodGet, "/user/profile", "").want(t, "the login before", http.StatusUnauthorized, "session_ended")
	s.with(t, key, http.MethodGet, "/organization/dashboard").want(t, "the key before", http.StatusUnauthorized, "api_key_invalid")
}

// TestRemovingWithAnETag: a removal with a stale ETag is refused, in every form of the header.
func TestRemovingWithAnETag(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	rights := "/organization/" + s.org + "/member/" + s.people["viewer"].member + "/permissions"
	tag := s.as(t, "owner", http.MethodGet, rights, "").header.Get("ETag")
	s.as(t, "owner", http.MethodPut, rights, `{"role": "editor"}`, "If-Match", tag).want(t, "change", ok, "")
	for _, stale := range [][]string{{tag}, {"W/" + tag}, {`"9", ` + tag}, {`"x"`}, {"1"}, {tag, `"7"`}} {
		var headers []string
		for _, line := range stale {
			headers = append(headers, "If-Match", line)
		}
		s.leave(t, "owner", "viewer", headers...).want(t, fmt.Sprint(stale), http.StatusPreconditionFailed, "stale_member")
		a := s.as(t, "owner", http.MethodPut, rights, `{"role": "viewer"}`, headers...)
		a.want(t, fmt.Sprint(stale), http.StatusPreconditionFailed, "stale_member")
	}
	a := s.as(t, "owner", http.MethodPost, "/organization/"+s.org+"/team/invite", inviteBody(ulla, "viewer"))
	invitation := fmt.Sprintf("/organization/%s/team/member/%s", s.org, a.body["uuid"])
	remove := func(tag string) answer {
		return s.as(t, "owner", http.MethodDelete, invitation, password(authtest.Password), "If-Match", tag)
	}
	remove(`"0", "1"`).want(t, "an invitation has no version", http.StatusPreconditionFailed, "stale_invitation")
	remove("*").want(t, "any invitation", ok, "")
	s.leave(t, "owner", "viewer", "If-Match", `"7"`, "If-Match", `"2"`).want(t, "one of the list", ok, "")
	s.leave(t, "owner", "editor", "If-Match", "*").want(t, "any", ok, "")
}

// TestConfirmationWithoutABody: known clients send none. A caller without access gets the same
// answer as without a password.
func TestConfirmationWithoutABody(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, path := range []string{"/organization/" + s.org, "/organization/" + s.org + "/team/member/" + s.people["viewer"].member} {
		a := s.as(t, "owner", http.MethodDelete, path, "")
		a.want(t, "without a body", http.StatusBadRequest, "invalid_parameters")
		if a.fields() != "password" {
			t.Errorf("bad fields %s", a.fields())
		}
		s.as(t, "neighbour", http.MethodDelete, path, "").want(t, "by a stranger", http.StatusNotFound, "organization_not_found")
		s.as(t, "editor", http.MethodDelete, path, "").want(t, "without the right", http.StatusForbidden, "permission_missing")
	}
}

// TestDeletedOrganizationIsGone: nothing that belonged to it opens anything any more.
func TestDeletedOrganizationIsGone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "ulla", "", 0)
	path := "/organization/" + s.org
	key, id := s.makeKey(t, "owner", path+"/api-keys", `{"name": "x", "role": "owner"}`)
	s.as(t, "owner", http.MethodPost, path+"/team/invite", inviteBody(ulla, "owner")).want(t, "invite", http.StatusCreated, "")
	token := s.token(t, ulla)
	s.as(t, "owner", http.MethodDelete, path, password(authtest.Password)).want(t, "delete", ok, "")
	s.accept(t, "ulla", token).want(t, "accept", http.StatusBadRequest, "token_invalid")
	s.with(t, key, http.MethodGet, "/organization/dashboard").want(t, "its key", http.StatusUnauthorized, "api_key_invalid")
	member := s.people["viewer"].member
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["neighbour"].id)
	for _, who := range []string{"owner", "manager", "neighbour"} {
		for _, request := range [][3]string{
			{http.MethodGet, path}, {http.MethodPut, path, "{}"}, {http.MethodDelete, path, "{}"}, {http.MethodGet, path + "/team"},
			{http.MethodGet, path + "/venues"}, {http.MethodGet, path + "/events"}, {http.MethodGet, path + "/audit"},
			{http.MethodPost, path + "/team/invite", inviteBody(ulla, "viewer")}, {http.MethodDelete, path + "/team/member/" + member, "{}"},
			{http.MethodGet, path + "/member/" + member + "/permissions"}, {http.MethodPut, path + "/member/" + member + "/permissions", `{"role": "owner"}`},
			{http.MethodGet, path + "/api-keys"}, {http.MethodPost, path + "/api-keys", `{"name": "x", "role": "viewer"}`},
			{http.MethodDelete, path + "/api-keys/" + id},
		} {
			s.as(t, who, request[0], request[1], request[2]).want(t, request[0]+" "+request[1], http.StatusNotFound, "organization_not_found")
		}
	}
}

// TestKeysOfPlatformAdministrators: a key has only the rights of its user's membership, wherever
// they may act in person.
func TestKeysOfPlatformAdministrators(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id IN ($1, $2)", s.people["stranger"].id, s.people["viewer"].id)
	s.as(t, "stranger", http.MethodGet, "/organization/"+s.org+"/team", "").want(t, "in person", ok, "")
	key, _ := s.makeKey(t, "stranger", "/user/api-keys", `{"name": "x", "role": "owner"}`)
	s.with(t, key, http.MethodGet, "/organization/"+s.org).want(t, "no member", http.StatusNotFound, "organization_not_found")
	key, _ = s.makeKey(t, "viewer", "/user/api-keys", `{"name": "x", "role": "owner"}`)
	s.with(t, key, http.MethodGet, "/organization/"+s.org+"/team").want(t, "a viewer", http.StatusForbidden, "permission_missing")
	key, _ = s.makeKey(t, "stranger", "/organization/"+s.org+"/api-keys", `{"name": "x", "role": "owner"}`)
	s.with(t, key, http.MethodGet, "/organization/"+s.org+"/team").want(t, "the organization's", ok, "")
	s.exec(t, "UPDATE app_user SET is_platform_admin = false WHERE id = $1", s.people["stranger"].id)
	s.with(t, key, http.MethodGet, "/organization/"+s.org).want(t, "its maker is no member", http.StatusUnauthorized, "api_key_invalid")
}

// TestNoWayAround: spellings of a path that some server may take for it lead nowhere without a
// token.
func TestNoWayAround(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, path := range []string{
		"/api/admin/user/profile", "/api/admin//user/profile", "/API/admin/user/profile", "/api/Admin/user/profile", "//api/admin/user/profile",
		"/api/%61dmin/user/profile", "/api/admin/%75ser/profile", "/api/admin/docs/../user/profile", "/api/admin/docs/%2e%2e/user/profile",
		"/api/x/../admin/user/profile", "/api/admin/user/profile/", "/api/admin/user/profile?access_token=" + s.people["owner"].access,
		"/api/admin/refresh/../user/profile", "/api/login/../admin/user/profile", "/api/admin/user/profile%00", "/api/admin;/user/profile",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut} {
			a := s.send(t, method, path, nil, "X-Original-URL", "/api/admin/docs", "X-HTTP-Method-Override", "GET")
			if !slices.Contains([]int{400, 401, 404, 405}, a.status) {
				t.Errorf("%s %s answers %d: %.200s", method, path, a.status, a.raw)
			}
		}
	}
}

package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/auth/authtest"
	"litfass/services/admin/internal/permission"
)

// mailedToken sends what is due and returns the token of the last mail to somebody.
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

// TestInvitationsEndWithTheirInviter: whoever is about to lose what they have cannot keep a door open with an invitation to
// another of their addresses, not even one without any permission.
func TestInvitationsEndWithTheirInviter(t *testing.T) {
	tests := []struct {
		name, body string
		lose       func(s *stage)
	}{
		{"removed, an offer of nothing", `{"email": "ulla@example.org", "permissions": 0}`,
			func(s *stage) { s.leave(t, "owner", "manager").want(t, "remove", ok, "") }},
		{"left", inviteBody(ulla, "viewer"), func(s *stage) { s.leave(t, "manager", "manager").want(t, "leave", ok, "") }},
		{"demoted", inviteBody(ulla, "editor"), func(s *stage) {
			path := "/organization/" + s.org + "/member/" + s.people["manager"].member + "/permissions"
			s.as(t, "owner", http.MethodPut, path, `{"role": "viewer"}`).want(t, "demote", ok, "")
		}},
		{"deactivated", inviteBody(ulla, "viewer"), func(s *stage) {
			s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["manager"].id)
		}},
		{"no longer a platform administrator", inviteBody(ulla, "viewer"), func(s *stage) {
			s.exec(t, "DELETE FROM membership WHERE user_id = $1", s.people["manager"].id)
			s.exec(t, "UPDATE app_user SET is_platform_admin = false WHERE id = $1", s.people["manager"].id)
		}},
	}
	for _, test := range tests {
		s := newStage(t)
		s.join(t, "ulla", "", 0)
		s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["manager"].id)
		path := "/organization/" + s.org + "/team"
		s.as(t, "manager", http.MethodPost, path+"/invite", test.body).want(t, test.name, http.StatusCreated, "")
		token := s.token(t, ulla)
		if a := s.as(t, "ulla", http.MethodGet, "/user/invitations", ""); a.body["total_count"] != 1.0 {
			t.Errorf("%s: before: %s", test.name, a.raw)
		}
		test.lose(s)
		if a := s.as(t, "ulla", http.MethodGet, "/user/invitations", ""); a.body["total_count"] != 0.0 {
			t.Errorf("%s: still waiting: %s", test.name, a.raw)
		}
		s.accept(t, "ulla", token).want(t, test.name, http.StatusBadRequest, "token_invalid")
		if a := s.as(t, "owner", http.MethodGet, path, ""); a.body["invitation_count"] != 0.0 && a.first(t, "invitations")["expired"] != true {
			t.Errorf("%s: the team believes that it is open: %s", test.name, a.raw)
		}
		s.as(t, "owner", http.MethodPost, path+"/invite", inviteBody(ulla, "viewer"))
		s.accept(t, "ulla", s.token(t, ulla)).want(t, test.name+", invited by another", ok, "")
	}
}

// TestInvitationOfADeactivatedInviterIsNotMailed: it waited in the queue when its inviter was shut out.
func TestInvitationOfADeactivatedInviterIsNotMailed(t *testing.T) {
	s := newStage(t)
	s.as(t, "manager", http.MethodPost, "/organization/"+s.org+"/team/invite", inviteBody(ulla, "viewer")).
		want(t, "invite", http.StatusCreated, "")
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["manager"].id)
	if err := s.mails.Drain(t.Context()); err != nil || len(s.box.mails) != 0 {
		t.Errorf("mails %v, %v", s.box.mails, err)
	}
}

// TestClaimedAddressSeesNoInvitations: naming somebody's address as one's own shows nothing of what waits for it, and keeps
// its owner from nothing. Who is known only by their word does not see it either.
func TestClaimedAddressSeesNoInvitations(t *testing.T) {
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

// TestResetPasswordShutsOut: whoever was in the account before is in it no more.
func TestResetPasswordShutsOut(t *testing.T) {
	s := newStage(t)
	key, _ := s.makeKey(t, "viewer", "/user/api-keys", `{"name": "back door", "role": "owner"}`)
	s.post(t, "/api/forgot-password", `{"email": "viewer@example.org"}`).want(t, "forgot", ok, "")
	body := fmt.Sprintf(`{"token": %q, "new_password": "staple under the bridge"}`, s.mailedToken(t, "viewer@example.org"))
	s.post(t, "/api/reset-password", body).want(t, "reset", ok, "")
	s.as(t, "viewer", http.MethodGet, "/user/profile", "").want(t, "the login before", http.StatusUnauthorized, "session_ended")
	s.with(t, key, http.MethodGet, "/organization/dashboard").want(t, "the key before", http.StatusUnauthorized, "api_key_invalid")
}

// TestAcceptedAndTakenBackAtOnce: one of the two wins, and what is stored is what was answered.
func TestAcceptedAndTakenBackAtOnce(t *testing.T) {
	s := newStage(t)
	p := s.join(t, "ulla", "", 0)
	s.exec(t, "DELETE FROM attempt")
	for range 5 {
		a := s.as(t, "owner", http.MethodPost, "/organization/"+s.org+"/team/invite", inviteBody(ulla, "viewer"))
		token := s.token(t, ulla)
		remove := fmt.Sprintf("/organization/%s/team/member/%s", s.org, a.body["invitation_uuid"])
		var accepted, removed answer
		atOnce(
			func() answer { accepted = s.accept(t, "ulla", token); return accepted },
			func() answer {
				removed = s.as(t, "manager", http.MethodDelete, remove, password(authtest.Password))
				return removed
			},
		)
		won, lost := accepted.status == ok, removed.status == ok
		if won == lost || !won && accepted.status != http.StatusBadRequest || !lost && removed.status != http.StatusNotFound {
			t.Errorf("accepted: %d %s, taken back: %d %s", accepted.status, accepted.raw, removed.status, removed.raw)
		}
		var members, open int
		s.one(t, &members, "SELECT count(*) FROM membership WHERE org_uuid = $1 AND user_id = $2", s.org, p.id)
		s.one(t, &open, "SELECT count(*) FROM invitation WHERE accepted_at IS NULL AND revoked_at IS NULL")
		if (members == 1) != won || open != 0 {
			t.Errorf("accepted %t, but %d members and %d open invitations", won, members, open)
		}
		s.exec(t, "DELETE FROM membership WHERE user_id = $1", p.id)
	}
}

// TestInvitingIsLimited: nobody founds organizations in order to send their names to the world.
func TestInvitingIsLimited(t *testing.T) {
	s := newStage(t)
	const earlier = `
INSERT INTO attempt (action, account, at, pending)
SELECT 'inviting', $1, $2, false
FROM generate_series(1, 199)`
	s.exec(t, earlier, auth.Digest(strconv.Itoa(s.people["owner"].id)), s.clock.Now().Add(-time.Hour))
	invite := func(who, org, email string) answer {
		return s.as(t, who, http.MethodPost, "/organization/"+org+"/team/invite", inviteBody(email, "viewer"))
	}
	invite("owner", s.org, "a@example.org").want(t, "the last one", http.StatusCreated, "")
	a := s.as(t, "owner", http.MethodPut, "/organization", `{"name": "Buy now"}`)
	another, _ := a.body["uuid"].(string)
	invite("owner", another, "b@example.org").want(t, "in another organization", http.StatusTooManyRequests, "too_many_attempts")
	invite("manager", s.org, "b@example.org").want(t, "by another", http.StatusCreated, "")
}

// TestDeactivatedOwnerIsNoOwner: somebody who cannot log in does not keep an organization.
func TestDeactivatedOwnerIsNoOwner(t *testing.T) {
	s := newStage(t)
	s.join(t, "second", s.org, permission.All)
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["second"].id)
	s.leave(t, "owner", "owner").want(t, "leave", http.StatusConflict, "last_owner")
	path := "/organization/" + s.org + "/member/" + s.people["owner"].member + "/permissions"
	s.as(t, "owner", http.MethodPut, path, `{"role": "viewer"}`).want(t, "step down", http.StatusConflict, "last_owner")
	s.leave(t, "owner", "second").want(t, "remove the other", ok, "")
}

const waitingForLocks = `
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'`

// TestOwnerLeavesWhileTheOtherIsDeactivated: the one who leaves waits for the deactivation that has begun, and stays.
func TestOwnerLeavesWhileTheOtherIsDeactivated(t *testing.T) {
	s := newStage(t)
	s.join(t, "second", s.org, permission.All)
	left := make(chan answer, 1)
	authtest.InTx(t, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT FROM app_user WHERE id = $1 FOR UPDATE", s.people["second"].id); err != nil {
			return err
		}
		go func() { left <- s.leave(t, "owner", "owner") }()
		for waiting := 0; waiting == 0; {
			s.one(t, &waiting, waitingForLocks)
		}
		_, err := tx.Exec(ctx, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["second"].id)
		return err
	})
	a := <-left
	a.want(t, "leave", http.StatusConflict, "last_owner")
}

// TestManagingPermissionsAlone: whoever only manages permissions gives nothing that they lack, to nobody.
func TestManagingPermissionsAlone(t *testing.T) {
	s := newStage(t)
	clerk := permission.ManagePermissions | permission.AddEvent
	s.join(t, "clerk", s.org, clerk)
	s.join(t, "helper", s.org, permission.AddEvent)
	path := func(whose string) string {
		return "/organization/" + s.org + "/member/" + s.people[whose].member + "/permissions"
	}
	for _, test := range []struct {
		whose, body string
		status      int
		code        string
	}{
		{"clerk", `{"bit": 6, "enabled": true}`, http.StatusForbidden, "permission_beyond_own"},
		{"clerk", `{"role": "owner"}`, http.StatusForbidden, "permission_beyond_own"},
		{"helper", `{"role": "manager"}`, http.StatusForbidden, "permission_beyond_own"},
		{"helper", fmt.Sprintf(`{"permissions": "%d"}`, clerk), ok, ""},
		{"viewer", `{"permissions": 0}`, http.StatusForbidden, "permission_beyond_own"},
		{"owner", `{"bit": 5, "enabled": false}`, http.StatusForbidden, "permission_beyond_own"},
		{"manager", `{"bit": 24, "enabled": false}`, http.StatusForbidden, "permission_beyond_own"},
	} {
		s.as(t, "clerk", http.MethodPut, path(test.whose), test.body).want(t, test.whose+" "+test.body, test.status, test.code)
	}
	keys := "/organization/" + s.org + "/api-keys"
	s.as(t, "clerk", http.MethodPost, keys, `{"name": "x", "role": "manager"}`).want(t, "a key", http.StatusForbidden, "permission_beyond_own")
	s.as(t, "clerk", http.MethodGet, "/organization/"+s.org+"/team", "").want(t, "the team", http.StatusForbidden, "permission_missing")
	s.leave(t, "clerk", "helper").want(t, "remove", http.StatusForbidden, "permission_missing")
}

// TestRemovingWithAnETag: a removal that was decided on what is no longer so is refused, in every form of the header.
func TestRemovingWithAnETag(t *testing.T) {
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
	invitation := fmt.Sprintf("/organization/%s/team/member/%s", s.org, a.body["invitation_uuid"])
	remove := func(tag string) answer {
		return s.as(t, "owner", http.MethodDelete, invitation, password(authtest.Password), "If-Match", tag)
	}
	remove(`"0", "1"`).want(t, "an invitation has no version", http.StatusPreconditionFailed, "stale_invitation")
	remove("*").want(t, "any invitation", ok, "")
	s.leave(t, "owner", "viewer", "If-Match", `"7"`, "If-Match", `"2"`).want(t, "one of the list", ok, "")
	s.leave(t, "owner", "editor", "If-Match", "*").want(t, "any", ok, "")
}

// TestConfirmationWithoutABody: known clients send none; who may not even know is told nothing of passwords.
func TestConfirmationWithoutABody(t *testing.T) {
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

// TestKeysOfPlatformAdministrators: a key is worth what its user is as a member, wherever they may act in person.
func TestKeysOfPlatformAdministrators(t *testing.T) {
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
	s.with(t, key, http.MethodGet, "/organization/"+s.org).want(t, "its maker is nobody there", http.StatusUnauthorized, "api_key_invalid")
}

// TestNoWayAround: spellings of a path that some server may take for it lead nowhere without a token.
func TestNoWayAround(t *testing.T) {
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

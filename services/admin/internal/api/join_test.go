package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const joinTeam = "/api/invitation/join"

func joining(token string) string {
	return fmt.Sprintf(`{"token": %q, "password": "staple under the bridge", "display_name": "Ulla"}`, token)
}

// invited returns the token that is mailed with an invitation to Ulla.
func (s *stage) invited(t *testing.T, role string) string {
	t.Helper()
	a := s.as(t, "owner", http.MethodPost, "/organization/"+s.org+"/team/invite", inviteBody(ulla, role))
	if a.status >= http.StatusBadRequest {
		t.Fatalf("invite: %s", a.raw)
	}
	return s.token(t, ulla)
}

func (s *stage) readInvitation(t *testing.T, token string) answer {
	t.Helper()
	return s.post(t, "/api/invitation", fmt.Sprintf(`{"token": %q}`, token))
}

// TestAnInvitedPersonJoinsWithOneRequest: reading the invitation changes nothing; the token makes
// the account with its address, a member who is logged in, once.
func TestAnInvitedPersonJoinsWithOneRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	token := s.invited(t, "editor")
	for range 2 {
		a := s.readInvitation(t, token)
		a.want(t, "read", ok, "")
		a.wantKeys(t, "read", "uuid org_uuid org_name role invited_by invited_at expires_at email has_account")
		if a.body["org_name"] != "Kulturhaus" || a.body["role"] != "editor" || a.body["email"] != ulla || a.body["has_account"] != false {
			t.Errorf("the invitation is %s", a.raw)
		}
	}
	weak := strings.Replace(joining(token), "staple under the bridge", "ulla@example.org", 1)
	s.post(t, joinTeam, weak).want(t, "with a weak password", http.StatusBadRequest, "invalid_parameters")

	a := s.post(t, joinTeam+"?lang=da", joining(token))
	a.want(t, "join", http.StatusCreated, "")
	if a.body["display_name"] != "Ulla" || a.body["locale"] != "da" || a.body["membership"].(map[string]any)["role"] != "editor" {
		t.Errorf("joined %s", a.raw)
	}
	s.people["ulla"] = &person{email: ulla, access: a.body["access_token"].(string)}
	s.as(t, "ulla", http.MethodGet, "/organization/"+s.org, "").want(t, "read as a member", ok, "")
	var verified bool
	s.one(t, &verified, "SELECT email_verified FROM app_user WHERE email = $1 AND activated_at IS NOT NULL", ulla)
	if !verified {
		t.Error("the address is not verified")
	}
	s.post(t, joinTeam, joining(token)).want(t, "again", http.StatusBadRequest, "token_invalid")
	s.readInvitation(t, token).want(t, "read again", http.StatusBadRequest, "token_invalid")
	s.box.mails = nil
	if err := s.mails.Drain(t.Context()); err != nil || len(s.box.mails) != 0 {
		t.Errorf("%d other mails, %v", len(s.box.mails), err)
	}
	if got, want := s.audited(t, s.org), "member.invite member.join"; got != want {
		t.Errorf("audited %s, want %s", got, want)
	}
}

// TestInvitationsThatDoNotOpen: once the invitation has ended, its bearer gets the answer to an
// unknown token, and no account.
func TestInvitationsThatDoNotOpen(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, s *stage){
		"revoked": func(_ *testing.T, s *stage) { s.exec(t, "UPDATE invitation SET revoked_at = now()") },
		"expired": func(_ *testing.T, s *stage) { s.clock.Move(8 * 24 * time.Hour) },
		"renewed": func(t *testing.T, s *stage) { s.invited(t, "viewer") },
		"of a demoted inviter": func(_ *testing.T, s *stage) {
			s.exec(t, "UPDATE invitation SET invited_by = $1", s.people["viewer"].id)
		},
		"of a deactivated inviter": func(_ *testing.T, s *stage) {
			s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["owner"].id)
		},
		"of a deleted organization": func(_ *testing.T, s *stage) { s.exec(t, "DELETE FROM organization WHERE uuid = $1", s.org) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			token := s.invited(t, "editor")
			end(t, s)
			unknown := s.readInvitation(t, "made-up")
			a := s.readInvitation(t, token)
			a.want(t, "read", http.StatusBadRequest, "token_invalid")
			if a.body["error"] != unknown.body["error"] || a.fields() != unknown.fields() {
				t.Errorf("%s differs from %s", a.raw, unknown.raw)
			}
			s.post(t, joinTeam, joining(token)).want(t, "join", http.StatusBadRequest, "token_invalid")
			var accounts int
			s.one(t, &accounts, "SELECT count(*) FROM app_user WHERE email = $1", ulla)
			if accounts != 0 {
				t.Error("an account was made")
			}
		})
	}
}

// TestAnInvitedAddressWithAnAccount: one that was only signed up with becomes that of the bearer of
// the token; the password of an active one stays.
func TestAnInvitedAddressWithAnAccount(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	token := s.invited(t, "editor")
	s.post(t, "/api/signup", login(ulla, "chosen by another person")).want(t, "sign up", http.StatusCreated, "")
	signup := s.token(t, ulla)
	if a := s.readInvitation(t, token); a.body["has_account"] != false {
		t.Errorf("an account that is not active: %s", a.raw)
	}
	s.post(t, joinTeam, joining(token)).want(t, "join", http.StatusCreated, "")
	s.post(t, "/api/activate", activation(signup, "another long password")).want(t, "the link of the signup", http.StatusBadRequest, "token_invalid")
	s.post(t, "/api/login", login(ulla, "staple under the bridge")).want(t, "log in", ok, "")

	s.exec(t, "DELETE FROM membership WHERE user_id = (SELECT id FROM app_user WHERE email = $1)", ulla)
	token = s.invited(t, "viewer")
	if a := s.readInvitation(t, token); a.body["has_account"] != true {
		t.Errorf("an active account: %s", a.raw)
	}
	taking := strings.Replace(joining(token), "staple under", "taken over", 1)
	s.post(t, joinTeam, taking).want(t, "join with an active account", http.StatusConflict, "account_exists")
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE email = $1", ulla)
	s.post(t, joinTeam, taking).want(t, "join with a deactivated account", http.StatusConflict, "account_exists")
	s.exec(t, "UPDATE app_user SET deactivated_at = NULL WHERE email = $1", ulla)
	s.post(t, "/api/login", login(ulla, "staple under the bridge")).want(t, "the password stays", ok, "")
}

// TestJoiningAtOnce: one of several requests with a token makes the account.
func TestJoiningAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	token := s.invited(t, "editor")
	join := func() answer { return s.post(t, joinTeam, joining(token)) }
	statuses := atOnce(join, join, join)
	if statuses[0] != http.StatusCreated || statuses[1] < http.StatusBadRequest || statuses[2] >= http.StatusInternalServerError {
		t.Errorf("three join at once: %v", statuses)
	}
	var members int
	s.one(t, &members, "SELECT count(*) FROM membership m JOIN app_user u ON u.id = m.user_id WHERE u.email = $1", ulla)
	if members != 1 {
		t.Errorf("%d are members", members)
	}
}

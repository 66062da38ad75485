package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/services/admin/internal/people/auth/authtest"
)

// letters sends the due mails and returns their subjects by recipient.
func (s *stage) letters(t *testing.T) map[string]string {
	t.Helper()
	s.box.mails = nil
	if err := s.mails.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	subjects := map[string]string{}
	for _, mail := range s.box.mails {
		subjects[mail.Recipient] = strings.Trim(subjects[mail.Recipient]+"; "+mail.Subject, "; ")
	}
	return subjects
}

// move asks for another address of a person.
func (s *stage) move(t *testing.T, who, email string, headers ...string) answer {
	t.Helper()
	return s.as(t, who, http.MethodPut, "/user/profile", login(email, authtest.Password), headers...)
}

func (s *stage) follow(t *testing.T, token string) answer {
	t.Helper()
	return s.post(t, "/api/activate", activation(token, "staple under the bridge"))
}

func TestEmailChangeNeedsThePassword(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.as(t, "editor", http.MethodPut, "/user/profile", `{"email": " Editor@Example.org "}`).want(t, "the same address", ok, "")
	a := s.as(t, "editor", http.MethodPut, "/user/profile", `{"email": "new@example.org", "display_name": "x"}`)
	a.want(t, "without password", http.StatusBadRequest, "invalid_parameters")
	if a.fields() != "password" {
		t.Errorf("bad fields %s", a.fields())
	}
	s.as(t, "editor", http.MethodPut, "/user/profile", login("new@example.org", "wrong")).
		want(t, "wrong password", http.StatusForbidden, "wrong_password")
	s.move(t, "editor", "new@example.org", "If-Match", `"7"`).want(t, "stale", http.StatusPreconditionFailed, "stale_profile")
	if mails := s.letters(t); len(mails) != 0 || s.done(t, "editor") != "" {
		t.Errorf("mails %v, audited %s", mails, s.done(t, "editor"))
	}
}

func TestEmailChangeWaitsForItsLink(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const before, after = "editor@example.org", "new@example.org"
	s.as(t, "owner", http.MethodPost, "/organization/"+s.org+"/team/invite", inviteBody(after, "viewer")).want(t, "invite", http.StatusCreated, "")
	s.post(t, "/api/forgot-password", `{"email": "editor@example.org"}`).want(t, "forgot", ok, "")
	reset := s.mailedToken(t, before)
	a := s.move(t, "editor", "New@Example.org")
	a.want(t, "another address", ok, "")
	if a.body["email"] != before || a.body["pending_email"] != after || a.header.Get("ETag") != `"2"` {
		t.Errorf("asked for another address: %s with %v", a.raw, a.header)
	}
	s.post(t, "/api/login", login(after, authtest.Password)).want(t, "too early", http.StatusUnauthorized, "invalid_credentials")
	s.post(t, "/api/login", login(before, authtest.Password)).want(t, "the address of now", ok, "")
	token := s.mailedToken(t, after)
	if len(s.box.mails) != 2 || s.box.mails[1].Recipient != before || s.box.mails[1].Link != "https://litfass.example/console/forgot" ||
		s.box.mails[0].Link != "https://litfass.example/console/confirm?token="+token {
		t.Errorf("mails %+v", s.box.mails)
	}
	var stored int
	s.one(t, &stored, "SELECT count(*) FROM one_time_token WHERE position($1::bytea IN hash) > 0", []byte(token))
	waiting := func() any { return s.as(t, "editor", http.MethodGet, "/user/invitations", "").body["total_count"] }
	if stored != 0 || waiting() != 0.0 {
		t.Errorf("%d tokens are stored as they are, %v invitations are seen", stored, waiting())
	}

	s.follow(t, token).want(t, "follow the link", ok, "")
	s.follow(t, token).want(t, "again", http.StatusBadRequest, "token_invalid")
	a = s.as(t, "editor", http.MethodGet, "/user/profile", "") // the login goes on
	if a.status != ok || a.body["email"] != after || a.body["pending_email"] != nil || a.header.Get("ETag") != `"3"` || waiting() != 1.0 {
		t.Errorf("afterwards %d %s with %v, %v invitations", a.status, a.raw, a.header, waiting())
	}
	if mails := s.letters(t); len(mails) != 1 || mails[before] != "Your e-mail address was changed" || s.box.mails[0].Link != "https://litfass.example/" {
		t.Errorf("mails %v", mails)
	}
	s.post(t, "/api/reset-password", fmt.Sprintf(`{"token": %q, "new_password": "staple under the bridge"}`, reset)).
		want(t, "a link that went to the address before", http.StatusBadRequest, "token_invalid")
	s.post(t, "/api/login", login(before, authtest.Password)).want(t, "the address before", http.StatusUnauthorized, "invalid_credentials")
	s.post(t, "/api/login", login(after, authtest.Password)).want(t, "login", ok, "")
	if got := s.done(t, "editor"); got != "user.update user.login user.change_email user.login" {
		t.Errorf("audited %s", got)
	}
}

// TestEmailChangeDisclosesNothing: only a mail to the address says whether another account has it.
func TestEmailChangeDisclosesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.post(t, "/api/signup", login("begun@example.org", authtest.Password)).want(t, "signup", http.StatusCreated, "")
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE email = 'neighbour@example.org'")
	s.letters(t)
	for i, test := range []struct{ address, subject string }{
		{"viewer@example.org", "You already have an account"}, {"neighbour@example.org", ""},
		{"begun@example.org", "Confirm your new e-mail address"}, {"free@example.org", "Confirm your new e-mail address"},
	} {
		a := s.move(t, "editor", test.address)
		a.want(t, test.address, ok, "")
		if a.body["email"] != "editor@example.org" || a.body["pending_email"] != test.address || a.header.Get("ETag") != fmt.Sprintf(`"%d"`, i+2) {
			t.Errorf("%s: %s with %v", test.address, a.raw, a.header)
		}
		mails := s.letters(t)
		if mails[test.address] != test.subject || mails["editor@example.org"] != "Your e-mail address is about to change" {
			t.Errorf("%s: mails %v", test.address, mails)
		}
		if strings.Contains(s.box.mails[0].Link, "token") != strings.HasPrefix(test.subject, "Confirm") {
			t.Errorf("%s: %s", test.address, s.box.mails[0].Link)
		}
		var left int
		s.one(t, &left, "SELECT count(*) FROM one_time_token WHERE purpose = 'email' AND used_at IS NULL AND expires_at > $1", s.clock.Now())
		if left != 1 {
			t.Errorf("%s: %d links are open", test.address, left)
		}
	}
	s.post(t, "/api/login", login("viewer@example.org", authtest.Password)).want(t, "whose address it is", ok, "")
}

package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

const profileKeys = "user_id email pending_email display_name first_name last_name locale theme avatar_url is_admin"

func TestProfileLives(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.as(t, "viewer", http.MethodGet, "/user/profile", "")
	a.want(t, "read", ok, "")
	a.wantKeys(t, "read", profileKeys)
	if a.body["email"] != "viewer@example.org" || a.body["display_name"] != nil || a.body["avatar_url"] != nil ||
		a.body["theme"] != "auto" || a.header.Get("ETag") != `"1"` {
		t.Errorf("read %s with %v", a.raw, a.header)
	}
	a = s.as(t, "viewer", http.MethodPut, "/user/profile", fmt.Sprintf(
		`{"display_name": " <b>Vi</b> ", "first_name": "Vigdis", "username": "vi", "user_id": %d, "avatar_url": null}`, s.people["viewer"].id))
	a.want(t, "change", ok, "")
	a.wantKeys(t, "change", profileKeys+" message")
	if a.body["display_name"] != "<b>Vi</b>" || a.header.Get("ETag") != `"2"` {
		t.Errorf("changed %s with %v", a.raw, a.header)
	}
	a = s.as(t, "viewer", http.MethodPut, "/user/profile/", `{"first_name": null, "last_name": "Berg"}`)
	a.want(t, "PUT keeps what is absent and clears what is null", ok, "")
	if a.body["display_name"] != "<b>Vi</b>" || a.body["first_name"] != nil || a.body["last_name"] != "Berg" {
		t.Errorf("changed %s", a.raw)
	}
	a = s.as(t, "viewer", http.MethodPut, "/user/settings", `{"theme": "dark"}`)
	a.want(t, "settings", ok, "")
	if a.body["theme"] != "dark" || a.body["locale"] != "en" || a.header.Get("ETag") != `"4"` {
		t.Errorf("settings %s", a.raw)
	}
	s.as(t, "viewer", http.MethodPut, "/user/settings", `{}`).want(t, "nothing to change", ok, "")
	s.as(t, "viewer", http.MethodPut, "/user/profile", `{"theme": "light"}`, "If-Match", `"2"`).
		want(t, "stale", http.StatusPreconditionFailed, "stale_profile")
	s.as(t, "viewer", http.MethodGet, "/user/profile", "", "If-None-Match", `"4"`).want(t, "not modified", http.StatusNotModified, "")
	if got := s.done(t, "viewer"); got != "user.update user.update user.update" {
		t.Errorf("audited %s", got)
	}
}

// done returns the actions that were recorded of a person, in order.
func (s *stage) done(t *testing.T, who string) string {
	t.Helper()
	var actions string
	const read = "SELECT coalesce(string_agg(action, ' ' ORDER BY id), '') FROM audit_entry WHERE actor_user_id = $1"
	s.one(t, &actions, read, s.people[who].id)
	return actions
}

func TestProfileRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, test := range []struct{ name, path, body, fields string }{
		{"values", "/user/profile", `{"email": "x", "display_name": "a\u0007", "locale": "fr", "theme": "pink", "first_name": "` +
			strings.Repeat("x", 501) + `"}`, "display_name first_name email locale theme"},
		{"types beside values", "/user/profile", `{"email": 5, "colour": 1, "locale": "fr", "theme": null, "theme": "dark"}`,
			"email colour theme locale"},
		{"what must not be empty", "/user/profile", `{"email": null, "locale": null, "theme": ""}`, "email locale theme"},
		{"another user", "/user/profile", `{"user_id": 4711}`, "user_id"},
		{"other settings", "/user/settings", `{"locale": "xx", "theme": 5, "email": "x@example.org"}`, "theme email locale"},
		{"no object", "/user/settings", `[]`, ""},
		{"passwords", "/user/password", `{"new_password": "short"}`, "password new_password"},
		{"no new password", "/user/password", `{"password": "x", "new_password": null}`, "new_password"},
	} {
		a := s.as(t, "owner", http.MethodPut, test.path, test.body)
		a.want(t, test.name, http.StatusBadRequest, "")
		if got := a.fields(); got != test.fields {
			t.Errorf("%s: bad fields %q, want %q", test.name, got, test.fields)
		}
	}
	if got := s.done(t, "owner"); got != "" {
		t.Errorf("audited %s", got)
	}
}

func TestPasswordChange(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.stack.LogIn(t, s.db, s.people["viewer"].id)
	s.as(t, "viewer", http.MethodPut, "/user/password", `{"password": "wrong", "new_password": "staple under the bridge"}`).
		want(t, "wrong", http.StatusForbidden, "wrong_password")
	s.as(t, "viewer", http.MethodPut, "/user/password",
		`{"password": "`+authtest.Password+`", "new_password": "staple under the bridge"}`).want(t, "change", ok, "")
	s.as(t, "viewer", http.MethodGet, "/user/profile", "").want(t, "this login goes on", ok, "")
	s.send(t, http.MethodGet, admin+"/user/profile", nil, "Authorization", "Bearer "+other.Access).
		want(t, "admin: the other login is over", http.StatusUnauthorized, "session_ended")
	s.post(t, "/api/login", login("viewer@example.org", "staple under the bridge")).want(t, "login", ok, "")
	s.token(t, "viewer@example.org")
	if got := s.done(t, "viewer"); got != "user.change_password user.login" {
		t.Errorf("audited %s", got)
	}
}

func TestPersonalMattersNeedALogin(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	key := authtest.Key(t, s.db, s.people["owner"].id, "", permission.EditEvent)
	for _, operation := range []string{
		"GET /user/profile", "PUT /user/profile", "PUT /user/settings", "PUT /user/password", "GET /user/messages",
		"POST /user/send-message", "PUT /user/message/1/read", "GET /user/todos", "PUT /user/todo", "GET /user/todo/1",
		"DELETE /user/todo/1",
	} {
		method, path, _ := strings.Cut(operation, " ")
		body := strings.NewReader(`{}`)
		switch path {
		case "/user/todo":
			body = strings.NewReader(`{"title": "x"}`)
		case "/user/send-message":
			body = strings.NewReader(`{"context": "organization", "context_id": "` + s.org + `", "subject": "x", "message": "x"}`)
		}
		s.send(t, method, admin+path, body, "Authorization", "Bearer "+key, "Content-Type", "application/json").
			want(t, operation, http.StatusForbidden, "login_required")
	}
}

// TestAFieldIsNamedOnce: what is wrong with the form of a field is enough; that it is not the right
// one goes without saying.
func TestAFieldIsNamedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, test := range []struct{ path, body, fields string }{
		{"/user/profile", `{"user_id": 7.5}`, "user_id"},
		{"/user/profile", `{"user_id": "7", "theme": "blue"}`, "user_id theme"},
		{"/organization/" + s.org, `{"uuid": 5}`, "uuid"},
		{"/organization", `{"uuid": 5, "name": "x"}`, "uuid"},
	} {
		a := s.as(t, "owner", http.MethodPut, test.path, test.body)
		a.want(t, test.path, http.StatusBadRequest, "invalid_body")
		if got := a.fields(); got != test.fields {
			t.Errorf("%s %s: bad fields %q, want %q", test.path, test.body, got, test.fields)
		}
	}
}

package api_test

import (
	"net/http"
	"testing"
)

// TestSessionsOfAUser: each is listed by uuid, and can be ended by it.
func TestSessionsOfAUser(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.stack.LogIn(t, s.db, s.people["viewer"].id)
	a := s.as(t, "viewer", http.MethodGet, "/user/sessions?limit=1", "")
	a.want(t, "list", ok, "")
	a.wantKeys(t, "list", "sessions total_count limit offset")
	haveKeys(t, "session", a.first(t, "sessions"), "uuid user_agent created_at used_at expires_at current")
	if a.body["total_count"] != 2.0 || len(a.body["sessions"].([]any)) != 1 {
		t.Errorf("list %s", a.raw)
	}
	s.as(t, "viewer", http.MethodDelete, "/user/sessions/x", "").want(t, "no uuid", http.StatusBadRequest, "")
	path := "/user/sessions/" + other.SessionID
	s.as(t, "owner", http.MethodDelete, path, "").want(t, "another user's", http.StatusNotFound, "session_not_found")
	a = s.as(t, "viewer", http.MethodDelete, path, "")
	a.want(t, "end", ok, "")
	if a.body["uuid"] != other.SessionID {
		t.Errorf("end %s", a.raw)
	}
	s.send(t, http.MethodGet, admin+"/user/profile", nil, "Authorization", "Bearer "+other.Access).
		want(t, "admin with the ended session", http.StatusUnauthorized, "session_ended")
	s.as(t, "viewer", http.MethodGet, "/user/profile", "").want(t, "the other session", ok, "")
}

// TestOneAuthorizationHeader: with several it is not clear who asks, so none of them is used.
func TestOneAuthorizationHeader(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	owner, viewer := s.people["owner"], s.people["viewer"]
	for _, second := range []string{"Bearer " + owner.access, "Bearer " + viewer.access, "Basic eDp5", ""} {
		for _, headers := range [][]string{
			{"Authorization", "Bearer " + owner.access, "Authorization", second},
			{"Authorization", second, "Authorization", "Bearer " + owner.access},
		} {
			s.send(t, http.MethodGet, admin+"/user/profile", nil, headers...).
				want(t, "admin with two headers", http.StatusUnauthorized, "token_invalid")
		}
	}
	s.send(t, http.MethodPost, admin+"/refresh", nil, "Authorization", "Bearer "+owner.refresh, "Authorization", "Bearer "+viewer.refresh).
		want(t, "refresh with two headers", http.StatusUnauthorized, "token_invalid")
	s.send(t, http.MethodPost, admin+"/refresh", nil, "Authorization", "Bearer "+owner.refresh).want(t, "neither was spent", ok, "")
	s.as(t, "owner", http.MethodGet, "/user/profile", "").want(t, "one header", ok, "")
}

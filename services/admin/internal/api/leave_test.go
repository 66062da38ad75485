package api_test

import (
	"net/http"
	"testing"

	"litfass/services/admin/internal/people/auth/authtest"
)

func TestExportIsAFileThatNoCacheKeeps(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.as(t, "editor", http.MethodGet, "/user/export", "")
	a.want(t, "export", ok, "")
	if got := a.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control: %s", got)
	}
	if got := a.header.Get("Content-Disposition"); got != `attachment; filename="litfass-export.json"` {
		t.Errorf("Content-Disposition: %s", got)
	}
	if account, _ := a.body["account"].(map[string]any); account["email"] != "editor@example.org" {
		t.Errorf("account %v", account)
	}
}

// A deleted account is gone at once: its tokens and password are refused, and its address is free.
func TestDeletedAccountCanDoNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	refused := s.as(t, "owner", http.MethodDelete, "/user", password(authtest.Password))
	refused.want(t, "last owner", http.StatusConflict, "last_owner")
	if refused.fields() != s.org {
		t.Errorf("named %s", refused.raw)
	}
	s.as(t, "editor", http.MethodDelete, "/user", password(authtest.Password)).want(t, "delete", ok, "")
	s.as(t, "editor", http.MethodGet, "/user/profile", "").want(t, "access token, admin", http.StatusUnauthorized, "session_ended")
	s.as(t, "editor", http.MethodDelete, "/user", password(authtest.Password)).
		want(t, "twice, admin", http.StatusUnauthorized, "session_ended")
	refresh := s.send(t, http.MethodPost, admin+"/refresh", nil, "Authorization", "Bearer "+s.people["editor"].refresh)
	refresh.want(t, "refresh, admin", http.StatusUnauthorized, "session_ended")
	s.post(t, "/api/login", login("editor@example.org", authtest.Password)).want(t, "login", http.StatusUnauthorized, "")
	s.join(t, "editor", "", 0)
	s.as(t, "editor", http.MethodGet, "/user/profile", "").want(t, "a new account with the address", ok, "")
}

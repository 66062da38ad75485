package api_test

import (
	"net/http"
	"strings"
	"testing"

	"litfass/services/admin/internal/people/auth/authtest"
)

const keyKeys = "uuid name prefix permissions created_by created_at expires_at last_used_at active tier"

// with sends a request with an API key.
func (s *stage) with(t *testing.T, key, method, path string) answer {
	t.Helper()
	return s.send(t, method, admin+path, nil, "Authorization", "Bearer "+key)
}

// makeKey makes a key below a path and returns its text and uuid.
func (s *stage) makeKey(t *testing.T, who, path, body string) (text, id string) {
	t.Helper()
	a := s.as(t, who, http.MethodPost, path, body)
	a.want(t, "make a key", http.StatusCreated, "")
	a.wantKeys(t, "make a key", keyKeys+" key message")
	text, _ = a.body["key"].(string)
	id, _ = a.body["uuid"].(string)
	return text, id
}

func TestPersonalKey(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org := "/organization/" + s.org
	key, id := s.makeKey(t, "manager", "/user/api-keys", `{"name": " Export ", "role": "owner"}`)
	a := s.as(t, "manager", http.MethodGet, "/user/api-keys", "")
	a.want(t, "list", ok, "")
	a.wantKeys(t, "list", "api_keys total_count limit offset")
	haveKeys(t, "key", a.first(t, "api_keys"), keyKeys)
	if a.first(t, "api_keys")["name"] != "Export" || a.first(t, "api_keys")["last_used_at"] != nil {
		t.Errorf("list %s", a.raw)
	}
	a = s.as(t, "manager", http.MethodPost, "/user/api-keys",
		`{"name": "Short", "role": "viewer", "expires_at": "2999-01-01T01:00:00.123456789+01:00"}`)
	listed := s.as(t, "manager", http.MethodGet, "/user/api-keys", "").first(t, "api_keys")
	for _, field := range []string{"created_at", "expires_at"} {
		if a.body[field] != listed[field] {
			t.Errorf("%s is answered as %v and listed as %v", field, a.body[field], listed[field])
		}
	}
	s.with(t, key, http.MethodGet, org+"/team").want(t, "within the user's rights", ok, "")
	for _, path := range []string{"/user/api-keys", "/user/invitations", org + "/api-keys"} {
		s.with(t, key, http.MethodGet, path).want(t, "personal matters", http.StatusForbidden, "login_required")
	}
	s.as(t, "owner", http.MethodPut, org+"/member/"+s.people["manager"].member+"/permissions", `{"role": "viewer"}`).want(t, "demote", ok, "")
	s.with(t, key, http.MethodGet, org+"/team").want(t, "beyond the user's rights", http.StatusForbidden, "permission_missing")
	s.with(t, key, http.MethodGet, org).want(t, "reading", ok, "")

	s.as(t, "owner", http.MethodDelete, "/user/api-keys/"+id, "").want(t, "another user's", http.StatusNotFound, "api_key_not_found")
	s.as(t, "manager", http.MethodDelete, "/user/api-keys/"+id, "").want(t, "revoke", ok, "")
	s.as(t, "manager", http.MethodDelete, "/user/api-keys/"+id, "").want(t, "revoke again", http.StatusNotFound, "api_key_not_found")
	s.with(t, key, http.MethodGet, org).want(t, "revoked", http.StatusUnauthorized, "api_key_invalid")
	var open int
	s.one(t, &open, "SELECT count(*) FROM api_key k, audit_entry a WHERE k::text || a::text LIKE '%' || $1 || '%'", key)
	if open != 0 {
		t.Error("the key itself was stored")
	}
}

func TestOrganizationKey(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org := "/organization/" + s.org
	keys := org + "/api-keys"
	s.as(t, "manager", http.MethodPost, keys, `{"name": "x", "role": "owner"}`).want(t, "beyond", http.StatusForbidden, "permission_beyond_own")
	s.as(t, "editor", http.MethodPost, keys, `{"name": "x", "role": "viewer"}`).want(t, "without the right", http.StatusForbidden, "permission_missing")
	s.as(t, "neighbour", http.MethodPost, keys, `{"name": "x", "role": "viewer"}`).want(t, "a stranger", http.StatusNotFound, "organization_not_found")
	key, id := s.makeKey(t, "manager", keys, `{"name": "Terminal", "role": "manager"}`)
	s.with(t, key, http.MethodGet, org+"/team").want(t, "within", ok, "")
	s.with(t, key, http.MethodGet, "/organization/"+s.foreign).want(t, "elsewhere", http.StatusNotFound, "organization_not_found")
	s.with(t, key, http.MethodGet, keys).want(t, "keys make no keys", http.StatusForbidden, "login_required")
	weak, _ := s.makeKey(t, "manager", keys, `{"name": "Sign", "permissions": 0}`)
	put := func(key, body string) answer {
		return s.send(t, http.MethodPut, admin+org, strings.NewReader(body),
			"Authorization", "Bearer "+key, "Content-Type", "application/json")
	}
	put(key, `{"city": "Kiel"}`).want(t, "write within", ok, "")
	put(weak, `{"city": "Husum"}`).want(t, "write beyond", http.StatusForbidden, "permission_missing")
	entry := s.as(t, "owner", http.MethodGet, org+"/audit?action=organization.", "").first(t, "entries")
	if entry["actor_api_key"] != id || entry["actor_user_id"] != nil {
		t.Errorf("audited %v", entry)
	}
	if a := s.with(t, key, http.MethodGet, "/organization/dashboard"); a.body["total_count"] != 1.0 {
		t.Errorf("dashboard %s", a.raw)
	}

	member := s.people["manager"].member
	s.as(t, "owner", http.MethodPut, org+"/member/"+member+"/permissions", `{"role": "viewer"}`).want(t, "demote", ok, "")
	s.with(t, key, http.MethodGet, org+"/team").want(t, "beyond its maker's rights", http.StatusForbidden, "permission_missing")
	s.with(t, key, http.MethodGet, org).want(t, "reading", ok, "")
	s.as(t, "owner", http.MethodDelete, org+"/team/member/"+member, password(authtest.Password)).want(t, "remove", ok, "")
	s.with(t, key, http.MethodGet, org).want(t, "its maker has left", http.StatusUnauthorized, "api_key_invalid")

	s.as(t, "neighbour", http.MethodDelete, "/organization/"+s.foreign+"/api-keys/"+id, "").
		want(t, "by another organization", http.StatusNotFound, "api_key_not_found")
	if a := s.as(t, "owner", http.MethodGet, keys, ""); a.body["total_count"] != 2.0 {
		t.Errorf("list %s", a.raw)
	}
	s.as(t, "owner", http.MethodDelete, keys+"/"+id, "").want(t, "revoke", ok, "")
	if a := s.as(t, "owner", http.MethodGet, keys, ""); a.body["total_count"] != 1.0 {
		t.Errorf("list %s", a.raw)
	}
}

func TestKeyRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	tests := map[string]string{
		`{}`: "name permissions",
		`{"name": "\u0007", "permissions": "128", "expires_at": "2001-01-01T00:00:00Z"}`: "name expires_at permissions",
		`{"name": 1, "permissions": "x", "expires_at": "soon", "key": "y"}`:              "name permissions expires_at key",
		`{"name": "x", "role": "viewer", "permissions": 0}`:                              "permissions",
	}
	for body, want := range tests {
		a := s.as(t, "owner", http.MethodPost, "/user/api-keys", body)
		a.want(t, body, http.StatusBadRequest, "")
		if got := a.fields(); got != want {
			t.Errorf("%s: bad fields %s, want %s", body, got, want)
		}
	}
}

// TestRenameKey: only the name changes.
func TestRenameKey(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, keys := range []string{"/user/api-keys", "/organization/" + s.org + "/api-keys"} {
		key, id := s.makeKey(t, "owner", keys, `{"name": "Website", "role": "viewer", "expires_at": "2999-01-01T00:00:00Z"}`)
		before := s.as(t, "owner", http.MethodGet, keys, "").first(t, "api_keys")
		a := s.as(t, "owner", http.MethodPut, keys+"/"+id, `{"name": " Terminal "}`)
		a.want(t, "rename", ok, "")
		a.wantKeys(t, "rename", keyKeys+" message")
		before["name"] = "Terminal"
		after := s.as(t, "owner", http.MethodGet, keys, "").first(t, "api_keys")
		for field, value := range before {
			if after[field] != value || a.body[field] != value {
				t.Errorf("%s: %v is answered, %v listed, want %v", field, a.body[field], after[field], value)
			}
		}
		s.with(t, key, http.MethodGet, "/organization/dashboard").want(t, "the key", ok, "")
		for body, want := range map[string]string{`{}`: "name", `{"name": " "}`: "name", `{"name": "x", "role": "owner"}`: "role"} {
			a := s.as(t, "owner", http.MethodPut, keys+"/"+id, body)
			a.want(t, body, http.StatusBadRequest, "")
			if got := a.fields(); got != want {
				t.Errorf("%s: bad fields %s, want %s", body, got, want)
			}
		}
		s.as(t, "owner", http.MethodDelete, keys+"/"+id, "").want(t, "revoke", ok, "")
		s.as(t, "owner", http.MethodPut, keys+"/"+id, `{"name": "x"}`).want(t, "revoked", http.StatusNotFound, "api_key_not_found")
	}
}

// TestDeadKeysAreListedAsSuch: a key is active exactly when it is accepted.
func TestDeadKeysAreListedAsSuch(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org := "/organization/" + s.org
	expiring, _ := s.makeKey(t, "owner", "/user/api-keys", `{"name": "x", "role": "viewer", "expires_at": "2999-01-01T00:00:00Z"}`)
	managers, _ := s.makeKey(t, "manager", org+"/api-keys", `{"name": "x", "role": "viewer"}`)
	check := func(what, key, list string, active bool) {
		t.Helper()
		if got := s.as(t, "owner", http.MethodGet, list, "").first(t, "api_keys")["active"]; got != active {
			t.Errorf("%s: active is %v, want %t", what, got, active)
		}
		status := http.StatusUnauthorized
		if active {
			status = ok
		}
		s.with(t, key, http.MethodGet, "/organization/dashboard").want(t, what, status, "")
	}
	check("a new key", expiring, "/user/api-keys", true)
	check("a new key of the organization", managers, org+"/api-keys", true)
	s.exec(t, "UPDATE api_key SET expires_at = $1 WHERE expires_at IS NOT NULL", s.clock.Now())
	check("an expired key", expiring, "/user/api-keys", false)
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["manager"].id)
	check("its creator is deactivated", managers, org+"/api-keys", false)
	s.exec(t, "UPDATE app_user SET deactivated_at = NULL WHERE id = $1", s.people["manager"].id)
	check("its creator is active again", managers, org+"/api-keys", true)
	member := s.people["manager"].member
	s.as(t, "owner", http.MethodDelete, org+"/team/member/"+member, password(authtest.Password)).want(t, "remove", ok, "")
	check("its creator has left", managers, org+"/api-keys", false)
}

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"
)

// TestNoTokenIsLogged: a log is read by more people than may log in as others, or act for them.
func TestNoTokenIsLogged(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	var log bytes.Buffer
	p.log = &log
	dir := t.TempDir()
	p.environment = append(p.environment, "MAIL_DIR="+dir, "LOG_LEVEL=debug")
	made := p.must("user", "create", "anna@example.org")
	secrets := map[string]string{"password": strings.TrimSpace(made[strings.LastIndex(made, " ")+1:])}
	stop := p.serve()
	write := func(method, path, bearer, body string) map[string]any {
		t.Helper()
		status, answer := p.request(method, path, bearer, body)
		if status >= http.StatusBadRequest {
			t.Fatalf("%s %s: %d %v", method, path, status, answer)
		}
		return answer
	}
	post := func(path, bearer, body string) map[string]any { return write(http.MethodPost, path, bearer, body) }
	login := post("/api/login", "", fmt.Sprintf(`{"email": "anna@example.org", "password": %q}`, secrets["password"]))
	access := login["access_token"].(string)
	secrets["access token"], secrets["refresh token"] = access, login["refresh_token"].(string)
	next := post("/api/admin/refresh", "", fmt.Sprintf(`{"refresh_token": %q}`, secrets["refresh token"]))
	secrets["next refresh token"] = next["refresh_token"].(string)

	post("/api/signup", "", `{"email": "bert@example.org", "password": "correct horse battery"}`)
	secrets["activation"] = p.mailed(dir, "bert@example.org")
	post("/api/forgot-password", "", `{"email": "anna@example.org"}`)
	secrets["reset"] = p.mailed(dir, "anna@example.org")
	org := write(http.MethodPut, "/api/admin/organization", access, `{"name": "Kulturhaus"}`)["uuid"].(string)
	post("/api/admin/organization/"+org+"/team/invite", access, `{"email": "carl@example.org"}`)
	secrets["invitation"] = p.mailed(dir, "carl@example.org")
	secrets["key"] = post("/api/admin/user/api-keys", access, `{"name": "x", "role": "viewer"}`)["key"].(string)
	event := post("/api/admin/event/create", access, fmt.Sprintf(`{"org_uuid": %q, "title": "Jazz"}`, org))["uuid"].(string)
	preview, err := url.Parse(post("/api/admin/event/"+event+"/preview-link", access, "")["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	secrets["preview"] = path.Base(preview.Path)
	write(http.MethodGet, "/api/preview/"+secrets["preview"], "", "")

	for name, secret := range secrets { // where they do not belong
		if name == "password" {
			continue // shorter than an id
		}
		for _, place := range []string{"/api/preview/%s", "/api/preview/%s/x", "/api/%s", "/%s/", "/api/login?token=%s", "/api/activate?token=%s", "/api/invitation?token=%s"} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				p.request(method, fmt.Sprintf(place, secret), secret, fmt.Sprintf(`{"token": %q, "%[1]s": true}`, secret))
			}
		}
	}
	stop()
	secrets["address"] = "@example.org"
	for name, secret := range secrets {
		if secret == "" || strings.Contains(log.String(), secret) {
			t.Errorf("the log has the %s %q", name, secret)
		}
	}
}

package api_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

// Outsiders and platform administrators are not shown by name or address.
func TestAuditShowsMembersOnly(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "platform", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["platform"].id)
	from := []string{"X-Forwarded-For", "203.0.113.77"}
	org := "/organization/" + s.org
	body := `{"context": "organization", "context_id": "` + s.org + `", "subject": "x", "message": "x"}`
	s.as(t, "stranger", http.MethodPost, "/user/send-message", body, from...).want(t, "write", http.StatusCreated, "")
	s.as(t, "platform", http.MethodPut, org, `{"city": "Kiel"}`, from...).want(t, "administer", ok, "")
	for who, creator := range map[string]string{"an administrator": "platform", "a member": "owner"} {
		key := authtest.Key(t, s.db, s.people[creator].id, s.org, permission.EditOrganization)
		address := map[string]string{"platform": "203.0.113.77", "owner": "203.0.113.88"}[creator]
		s.send(t, http.MethodPut, admin+org, strings.NewReader(`{"city": "`+who+`"}`), "Content-Type", "application/json",
			"Authorization", "Bearer "+key, "X-Forwarded-For", address).want(t, "with a key of "+who, ok, "")
	}
	s.as(t, "manager", http.MethodPut, org, `{"city": "Husum"}`, "X-Forwarded-For", "203.0.113.99").want(t, "edit", ok, "")

	a := s.as(t, "owner", http.MethodGet, org+"/audit", "")
	if a.body["total_count"] != 5.0 {
		t.Errorf("entries %s", a.raw)
	}
	for _, shown := range []string{"manager@example.org", "203.0.113.99", "203.0.113.88"} {
		if !strings.Contains(string(a.raw), shown) {
			t.Errorf("%s is not shown in %s", shown, a.raw)
		}
	}
	for _, hidden := range []string{"stranger@example.org", "platform@example.org", "203.0.113.77"} {
		if strings.Contains(string(a.raw), hidden) {
			t.Errorf("%s is shown in %s", hidden, a.raw)
		}
	}
}

func TestAuditIsReadable(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org := "/organization/" + s.org
	s.as(t, "owner", http.MethodPut, org, `{"city": "Kiel"}`).want(t, "first", ok, "")
	s.clock.Move(time.Minute)
	middle := s.clock.Now()
	s.as(t, "manager", http.MethodPut, org, `{"city": "Husum"}`).want(t, "second", ok, "")
	s.as(t, "owner", http.MethodPost, org+"/team/invite", inviteBody(ulla, "viewer")).want(t, "third", http.StatusCreated, "")

	a := s.as(t, "manager", http.MethodGet, org+"/audit", "")
	a.want(t, "read", ok, "")
	a.wantKeys(t, "read", "entries total_count limit offset")
	haveKeys(t, "entry", a.first(t, "entries"), `id at actor_user_id actor_name actor_api_key action entity_kind entity_id
		address request_id before after`)
	second := a.body["entries"].([]any)[1].(map[string]any)
	if second["action"] != "organization.update" || second["actor_name"] != "manager@example.org" || second["address"] != "127.0.0.1" ||
		second["before"].(map[string]any)["city"] != "Kiel" || second["after"].(map[string]any)["city"] != "Husum" ||
		len(second["after"].(map[string]any)) != 1 {
		t.Errorf("second entry %v", second)
	}
	owner := strconv.Itoa(s.people["owner"].id)
	from := url.QueryEscape(middle.Format(time.RFC3339))
	for query, want := range map[string]float64{
		"": 3, "?limit=1": 3, "?actor=" + owner: 2, "?action=member.": 1, "?action=organization.update": 2, "?action=organization.": 2,
		"?action=organization.create": 0, "?from=" + from: 2, "?to=" + from: 1, "?from=" + from + "&actor=" + owner: 1,
		"?to=2000-01-01": 0, "?from=2000-01-01&to=2900-01-01": 3,
	} {
		if a := s.as(t, "owner", http.MethodGet, org+"/audit"+query, ""); a.body["total_count"] != want {
			t.Errorf("%s: %.200s, want %v", query, a.raw, want)
		}
	}
	if a := s.as(t, "owner", http.MethodGet, org+"/audit?limit=1&offset=2", ""); a.first(t, "entries")["action"] != "organization.update" {
		t.Errorf("last page %s", a.raw)
	}
	s.as(t, "neighbour", http.MethodGet, org+"/audit", "").want(t, "a stranger", http.StatusNotFound, "organization_not_found")
	if a := s.as(t, "neighbour", http.MethodGet, "/organization/"+s.foreign+"/audit", ""); a.body["total_count"] != 0.0 {
		t.Errorf("another organization's %s", a.raw)
	}
}

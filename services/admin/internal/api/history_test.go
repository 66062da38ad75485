package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

// The history lists writes with the names of members only and without addresses; writing back a
// former value from it restores the field.
func TestHistoryOfAnEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "platform", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true, display_name = 'Admin' WHERE id = $1", s.people["platform"].id)
	s.exec(t, "UPDATE app_user SET display_name = 'Edda' WHERE id = $1", s.people["editor"].id)
	s.exec(t, "UPDATE app_user SET first_name = 'Max', last_name = 'Muster' WHERE id = $1", s.people["manager"].id)
	made := s.as(t, "editor", http.MethodPost, "/event/create", `{"org_uuid": "`+s.org+`", "title": "Jazz", "tags": ["alt"]}`)
	made.want(t, "create", http.StatusCreated, "")
	path := "/event/" + fmt.Sprint(made.body["uuid"])
	from := []string{"X-Forwarded-For", "203.0.113.77"}
	s.as(t, "manager", http.MethodPut, path+"/tags", `{"tags": ["neu"]}`, from...).want(t, "tags", ok, "")
	s.as(t, "platform", http.MethodPut, path+"/summary", `{"summary": "kurz"}`, from...).want(t, "summary", ok, "")
	s.as(t, "owner", http.MethodPost, path+"/date", `{"start_date": "2027-01-01", "all_day": true}`).want(t, "date", http.StatusCreated, "")
	key := authtest.Key(t, s.db, s.people["owner"].id, s.org, permission.EditEvent)
	s.send(t, http.MethodPut, admin+path+"/header", strings.NewReader(`{"title": "Blues"}`), "Content-Type", "application/json",
		"Authorization", "Bearer "+key).want(t, "title", ok, "")

	a := s.as(t, "manager", http.MethodGet, path+"/history", "")
	a.want(t, "history", ok, "")
	var lines []string
	for _, e := range a.body["entries"].([]any) {
		row := e.(map[string]any)
		haveKeys(t, "entry", row, "id at actor_name own with_key action before after")
		was, _ := row["before"].(map[string]any)
		is, _ := row["after"].(map[string]any)
		lines = append(lines, fmt.Sprint(row["actor_name"], " ", row["own"], " ", row["with_key"], " ", row["action"], " ",
			was["title"], " ", is["title"], " ", was["tags"], " ", is["tags"]))
	}
	want := []string{
		"<nil> false true event.update Jazz Blues <nil> <nil>",
		"<nil> false false event.update <nil> <nil> <nil> <nil>", // the owner has no name
		"<nil> false false event.update <nil> <nil> <nil> <nil>", // the administrator is no member
		"Max Muster true false event.update <nil> <nil> [alt] [neu]",
		"Edda false false event.create <nil> Jazz <nil> [alt]",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") || a.body["total_count"] != 5.0 {
		t.Errorf("the history is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	for _, hidden := range []string{"@example.org", "203.0.113.77", "127.0.0.1", "Admin", key} {
		if strings.Contains(string(a.raw), hidden) {
			t.Errorf("%s is shown in %s", hidden, a.raw)
		}
	}
	paged := s.as(t, "contributor", http.MethodGet, path+"/history?limit=1&offset=3", "")
	tags := paged.first(t, "entries")["before"].(map[string]any)["tags"].([]any)
	s.as(t, "contributor", http.MethodPut, path+"/tags", fmt.Sprintf(`{"tags": [%q]}`, tags[0])).want(t, "restore", ok, "")
	if restored := s.as(t, "viewer", http.MethodGet, path, ""); fmt.Sprint(restored.body["tags"]) != "[alt]" {
		t.Errorf("restored %s", restored.raw)
	}
}

// The organization of an event does not see its history in another organization, nor the other way
// round.
func TestHistoryStaysWhereItWasMade(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	made := s.as(t, "owner", http.MethodPost, "/event/create", `{"org_uuid": "`+s.org+`", "title": "geheim"}`)
	path := "/event/" + fmt.Sprint(made.body["uuid"])
	s.as(t, "owner", http.MethodPut, path+"/header", `{"title": "Jazz"}`).want(t, "title", ok, "")
	authtest.Member(t, s.db, s.foreign, s.people["owner"].id, permission.All)
	s.as(t, "owner", http.MethodPut, path+"/header", `{"org_uuid": "`+s.foreign+`"}`).want(t, "move", ok, "")
	a := s.as(t, "neighbour", http.MethodGet, path+"/history", "")
	if a.want(t, "where it is now", ok, ""); a.body["total_count"] != 1.0 || strings.Contains(string(a.raw), "geheim") {
		t.Errorf("the history is %s", a.raw)
	}
	s.as(t, "manager", http.MethodGet, path+"/history", "").want(t, "where it was", http.StatusNotFound, "event_not_found")
	limited := authtest.Key(t, s.db, s.people["neighbour"].id, "", permission.AddEvent)
	s.send(t, http.MethodGet, admin+path+"/history", nil, "Authorization", "Bearer "+limited).want(t, "a key without the right", http.StatusForbidden, "")
}

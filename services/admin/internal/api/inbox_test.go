package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

func (s *stage) write(t *testing.T, who, context string, id any, subject string) answer {
	t.Helper()
	body := fmt.Sprintf(`{"context": %q, "context_id": %v, "subject": %q, "message": "See <a href='x'>you</a>.\nSoon."}`, context, id, subject)
	return s.as(t, who, http.MethodPost, "/user/send-message", body)
}

func TestMessagesReachTheirRecipients(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org := `"` + s.org + `"`
	a := s.write(t, "stranger", "organization", org, "Hall for rent?")
	a.want(t, "anybody may write to an organization", http.StatusCreated, "")
	a.wantKeys(t, "send", "message id")
	for who, want := range map[string]float64{"owner": 1, "manager": 1, "editor": 1, "contributor": 0, "viewer": 0, "stranger": 0} {
		a := s.as(t, who, http.MethodGet, "/user/messages", "")
		a.want(t, who, ok, "")
		a.wantKeys(t, who, "messages total_count unread_count limit offset")
		if a.body["total_count"] != want || a.body["unread_count"] != want {
			t.Errorf("%s: %s", who, a.raw)
		}
	}
	row := s.as(t, "editor", http.MethodGet, "/user/messages", "").first(t, "messages")
	haveKeys(t, "message", row, "id from_user_id from_display_name org_uuid reply_to created_at is_read subject message link")
	if row["org_uuid"] != s.org || row["from_user_id"] != float64(s.people["stranger"].id) || row["is_read"] != false ||
		row["message"] != "See <a href='x'>you</a>.\nSoon." || row["from_display_name"] != nil {
		t.Errorf("message %v", row)
	}
	path := fmt.Sprintf("/user/message/%v/read", row["id"])
	for range 2 {
		a = s.as(t, "editor", http.MethodPut, path, "")
		a.want(t, "read", ok, "")
		if a.body["is_read"] != true {
			t.Errorf("read %s", a.raw)
		}
	}
	if a = s.as(t, "owner", http.MethodGet, "/user/messages", ""); a.body["unread_count"] != 1.0 {
		t.Errorf("another recipient's reading counts: %s", a.raw)
	}
	s.as(t, "viewer", http.MethodPut, path, "").want(t, "not to them", http.StatusNotFound, "message_not_found")
	s.as(t, "editor", http.MethodPut, "/user/message/x/read", "").want(t, "no number", http.StatusBadRequest, "invalid_parameters")
	if got := s.done(t, "editor"); got != "message.read" {
		t.Errorf("audited %s", got)
	}
	if got := s.audited(t, s.org); got != "message.send" {
		t.Errorf("audited for the organization %s", got)
	}
}

func TestMessageRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, test := range map[string]struct{ body, fields string }{
		"nothing":       {`{}`, "context context_id subject message"},
		"wrong ids":     {`{"context": "organization", "context_id": 5, "subject": "x", "message": "x"}`, "context_id"},
		"wrong id":      {`{"context": "user", "context_id": "5", "subject": "x", "message": "x"}`, "context_id"},
		"too large id":  {`{"context": "user", "context_id": 99999999999, "subject": "x", "message": "x"}`, "context_id"},
		"control":       {`{"context": "user", "context_id": 1, "subject": "a\nb", "message": "a\u001bb"}`, "subject message"},
		"types, values": {`{"context": "x", "context_id": 1, "subject": 1, "message": " "}`, "subject context message"},
	} {
		a := s.as(t, "viewer", http.MethodPost, "/user/send-message", test.body)
		a.want(t, name, http.StatusBadRequest, "")
		if got := a.fields(); got != test.fields {
			t.Errorf("%s: bad fields %q, want %q", name, got, test.fields)
		}
	}
}

func TestMessagesPageAndAreLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 30 {
		s.write(t, "viewer", "user", s.people["editor"].id, fmt.Sprint(i)).want(t, "send", http.StatusCreated, "")
	}
	s.write(t, "viewer", "user", s.people["editor"].id, "x").want(t, "one too many", http.StatusTooManyRequests, "too_many_attempts")
	s.clock.Move(10*time.Minute + time.Second)
	s.write(t, "viewer", "user", s.people["editor"].id, "30").want(t, "later", http.StatusCreated, "")
	a := s.as(t, "editor", http.MethodGet, "/user/messages?limit=1&offset=1", "")
	if a.first(t, "messages")["subject"] != "29" || a.body["total_count"] != 31.0 || a.body["limit"] != 1.0 {
		t.Errorf("page %s", a.raw)
	}
	for _, path := range []string{"messages", "todos", "event/notifications", "choosable-organizations", "choosable-event-places"} {
		a := s.as(t, "editor", http.MethodGet, "/user/"+path+"?limit=0&offset=-1", "")
		a.want(t, path, http.StatusBadRequest, "invalid_parameters")
		if a.fields() != "limit offset" {
			t.Errorf("%s: bad fields %s", path, a.fields())
		}
	}
}

func TestTodoLives(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.as(t, "viewer", http.MethodPut, "/user/todo", `{"id": -1, "title": " <i>Print</i> posters ", "due_date": "2026-12-01"}`)
	a.want(t, "create", http.StatusCreated, "")
	a.wantKeys(t, "create", "message id title description due_date completed")
	if a.body["title"] != "<i>Print</i> posters" || a.body["completed"] != false || a.header.Get("ETag") != `"1"` {
		t.Errorf("created %s", a.raw)
	}
	id := fmt.Sprint(a.body["id"])
	path := "/user/todo/" + id
	if a.header.Get("Location") != admin+path {
		t.Errorf("location %s", a.header.Get("Location"))
	}
	a = s.as(t, "viewer", http.MethodPut, "/user/todo", `{"id": `+id+`, "completed": true, "description": "A3\nand A2"}`)
	a.want(t, "update", ok, "")
	if a.body["due_date"] != "2026-12-01" || a.body["completed"] != true || a.body["description"] != "A3\nand A2" {
		t.Errorf("updated %s", a.raw)
	}
	a = s.as(t, "viewer", http.MethodPut, "/user/todo", `{"id": `+id+`, "due_date": null, "description": ""}`, "If-Match", `"2"`)
	a.want(t, "clear", ok, "")
	a = s.as(t, "viewer", http.MethodGet, path, "")
	a.want(t, "read", ok, "")
	a.wantKeys(t, "read", "todo")
	todo := a.body["todo"].(map[string]any)
	haveKeys(t, "todo", todo, "id title description due_date completed")
	if todo["due_date"] != nil || todo["description"] != nil || todo["completed"] != true || a.header.Get("ETag") != `"3"` {
		t.Errorf("read %s", a.raw)
	}
	for _, who := range []string{"owner", "stranger"} {
		s.as(t, who, http.MethodGet, path, "").want(t, "another's", http.StatusNotFound, "todo_not_found")
		s.as(t, who, http.MethodPut, "/user/todo", `{"id": `+id+`, "title": "x"}`).want(t, "another's", http.StatusNotFound, "todo_not_found")
		s.as(t, who, http.MethodDelete, path, "").want(t, "another's", http.StatusNotFound, "todo_not_found")
	}
	s.as(t, "viewer", http.MethodDelete, path, "", "If-Match", `"1"`).want(t, "stale", http.StatusPreconditionFailed, "stale_todo")
	a = s.as(t, "viewer", http.MethodDelete, path, `{"password": "ignored"}`)
	a.want(t, "delete", ok, "")
	a.wantKeys(t, "delete", "message id")
	s.as(t, "viewer", http.MethodGet, path, "").want(t, "gone", http.StatusNotFound, "todo_not_found")
	if got := s.done(t, "viewer"); got != "todo.create todo.update todo.update todo.delete" {
		t.Errorf("audited %s", got)
	}
}

func TestTodosAreOrderedAndRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, todo := range []string{`"title": "none"`, `"title": "early", "due_date": "2026-01-02"`, `"title": "late", "due_date": "2026-12-02"`} {
		s.as(t, "viewer", http.MethodPut, "/user/todo", "{"+todo+"}").want(t, todo, http.StatusCreated, "")
	}
	var order []string
	a := s.as(t, "viewer", http.MethodGet, "/user/todos", "")
	a.wantKeys(t, "todos", "todos total_count limit offset")
	for _, todo := range a.body["todos"].([]any) {
		order = append(order, todo.(map[string]any)["title"].(string))
	}
	if got := strings.Join(order, " "); got != "late early none" {
		t.Errorf("order %s", got)
	}
	if a = s.as(t, "viewer", http.MethodGet, "/user/todos?limit=1&offset=1", ""); a.first(t, "todos")["title"] != "early" || a.body["total_count"] != 3.0 {
		t.Errorf("page %s", a.raw)
	}
	for name, test := range map[string]struct{ body, fields string }{
		"nothing":           {`{}`, "title"},
		"emptied":           {`{"id": 1, "title": null, "completed": null}`, "completed title"},
		"values":            {`{"title": "a\u0000", "due_date": "2026-02-30", "description": "\u0008"}`, "title due_date description"},
		"a moment":          {`{"title": "x", "due_date": "2026-02-03T00:00:00Z"}`, "due_date"},
		"types":             {`{"title": 1, "completed": "yes", "id": 1.5, "importance": 3}`, "title completed id importance"},
		"twice, and absent": {`{"due_date": "x", "completed": true, "completed": false}`, "completed title due_date"},
	} {
		a := s.as(t, "viewer", http.MethodPut, "/user/todo", test.body)
		a.want(t, name, http.StatusBadRequest, "")
		if got := a.fields(); !sameWords(got, test.fields) {
			t.Errorf("%s: bad fields %q, want %q", name, got, test.fields)
		}
	}
	s.as(t, "viewer", http.MethodPut, "/user/todo", `{"id": 99999999999, "title": "x"}`).want(t, "no such number", http.StatusNotFound, "todo_not_found")
	s.as(t, "viewer", http.MethodGet, "/user/todo/99999999999", "").want(t, "no such number", http.StatusBadRequest, "invalid_parameters")
}

func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, word := range strings.Fields(a) {
		count[word]++
	}
	for _, word := range strings.Fields(b) {
		count[word]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestChoosableLists(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	venue, space := newUUID(), newUUID()
	s.exec(t, "INSERT INTO venue (uuid, org_uuid, name, city, country) VALUES ($1, $2, 'Saal', 'Kiel', 'DEU')", venue, s.org)
	s.exec(t, "INSERT INTO space (uuid, venue_uuid, name) VALUES ($1, $2, 'Bühne')", space, venue)
	s.exec(t, "INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Theirs')", newUUID(), s.foreign)

	a := s.as(t, "contributor", http.MethodGet, "/user/choosable-organizations", "")
	a.wantKeys(t, "organizations", "organizations total_count limit offset")
	haveKeys(t, "organization", a.first(t, "organizations"), "id name")
	if a.body["total_count"] != 1.0 || a.first(t, "organizations")["id"] != s.org {
		t.Errorf("organizations %s", a.raw)
	}
	a = s.as(t, "contributor", http.MethodGet, "/user/choosable-event-places", "")
	a.wantKeys(t, "places", "places total_count limit offset")
	first := a.first(t, "places")
	haveKeys(t, "place", first, "venue_uuid venue_name space_uuid space_name city country")
	if a.body["total_count"] != 2.0 || first["space_uuid"] != nil || first["country"] != "DEU" {
		t.Errorf("places %s", a.raw)
	}
	a = s.as(t, "contributor", http.MethodGet, "/user/choosable-event-places?offset=1", "")
	if second := a.first(t, "places"); second["space_uuid"] != space || second["venue_uuid"] != venue || second["space_name"] != "Bühne" {
		t.Errorf("space %v", second)
	}
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["stranger"].id)
	for who, want := range map[string]float64{"viewer": 0, "neighbour": 1, "stranger": 2} { // the stranger has become administrator
		a := s.as(t, who, http.MethodGet, "/user/choosable-organizations", "")
		if a.body["total_count"] != want || a.body["organizations"] == nil {
			t.Errorf("%s: %s", who, a.raw)
		}
	}
	for permissions, want := range map[permission.Set]float64{permission.ChooseVenue: 2, permission.EditEvent: 0} {
		key := authtest.Key(t, s.db, s.people["owner"].id, "", permissions)
		a := s.send(t, http.MethodGet, admin+"/user/choosable-event-places", nil, "Authorization", "Bearer "+key)
		if a.body["total_count"] != want {
			t.Errorf("a key with %d: %s", permissions, a.raw)
		}
	}
}

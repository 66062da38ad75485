package inbox_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/inbox"
	"litfass/services/console/internal/page/pagetest"
)

const hostile = `"><img src=x onerror=alert(1)>`

// start returns the pages over a service with a message, a todo and a team.
func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, inbox.Mount)
	from := 8
	letter := adminapi.Message{ID: 5, FromUserID: &from, FromDisplayName: hostile, OrgUUID: pagetest.Org, Subject: hostile, Message: hostile, CreatedAt: pagetest.Now}
	c.Answer("GET /api/admin/user/messages", 200, adminapi.Messages{
		Messages: []adminapi.Message{letter}, UnreadCount: 1, Page: adminapi.Page{TotalCount: 30, Limit: 25},
	})
	c.Answer("PUT /api/admin/user/message/5/read", 200, letter)
	todo := adminapi.Todo{ID: 3, Title: hostile, Description: hostile, DueDate: "2026-11-01"}
	c.Answer("GET /api/admin/user/todos", 200, adminapi.Todos{Todos: []adminapi.Todo{todo}, Page: adminapi.Page{TotalCount: 1, Limit: 25}})
	c.Answer("GET /api/admin/user/todo/3", 200, adminapi.ReadTodo{Todo: todo})
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/team", 200, adminapi.Team{Members: []adminapi.Member{
		{UserID: 7, DisplayName: "Anna"}, {UserID: 8, DisplayName: "Bo"}, {UserID: 9, Email: "cleo@example.org"},
	}})
	return c
}

func want(t *testing.T, what string, got pagetest.Answer, status int, texts ...string) {
	t.Helper()
	if got.Status != status {
		t.Errorf("%s: %d, want %d: %s", what, got.Status, status, got.Body)
	}
	for _, text := range texts {
		if !strings.Contains(got.Body, text) {
			t.Errorf("%s lacks %q: %s", what, text, got.Body)
		}
	}
	if strings.Contains(got.Body, hostile) {
		t.Errorf("%s shows what others have written as it is", what)
	}
}

func TestPages(t *testing.T) {
	c := start(t)
	want(t, "messages", c.Get("/console/messages"), 200, "/console/messages/5", "new</span>", "Speicher", "page=2")
	want(t, "a message", c.Get("/console/messages/5"), 200, `id="reply"`, "/console/messages/5/delete")
	want(t, "the deletion", c.Get("/console/messages/5/delete"), 200, "Other recipients keep their copies")
	want(t, "a new message", c.Get("/console/messages/new"), 200, `value="organization:`+pagetest.Org, `value="user:8"`, "cleo@example.org")
	want(t, "todos", c.Get("/console/todos"), 200, "overdue", `id="todo-3"`)
	want(t, "a todo", c.Get("/console/todos/3"), 200, `value="2026-11-01"`)
	want(t, "no message", c.Get("/console/messages/x"), http.StatusNotFound)
	want(t, "no todo", c.Get("/console/todos/4"), http.StatusNotFound)
}

// TestAMessageIsNotLost: when something stands against sending it, the text is in the form again.
func TestAMessageIsNotLost(t *testing.T) {
	c := start(t)
	form := url.Values{"to": {"user:8"}, "subject": {"Bar"}, "message": {"Who opens it?"}}
	kept := []string{`value="Bar"`, "Who opens it?", `value="user:8" selected`}
	for code, status := range map[string]int{"too_many_attempts": 429, "no_recipient": 409, "user_not_found": 404} {
		c.Refuse("POST /api/admin/user/send-message", status, adminapi.Error{Error: "no", Code: code})
		want(t, code, c.Post("/console/messages/new", form), http.StatusUnprocessableEntity, kept...)
	}
	form.Set("to", "user:99999999999")
	want(t, "no such person", c.Post("/console/messages/new", form), http.StatusUnprocessableEntity, "Choose a recipient", "Who opens it?")
	form.Set("to", "user:8")
	c.Answer("POST /api/admin/user/send-message", 201, adminapi.Numbered{ID: 6})
	if got := c.Post("/console/messages/new", form); got.Header.Get("Location") != "/console/messages?notice=sent" {
		t.Errorf("%d to %q", got.Status, got.Header.Get("Location"))
	}
	calls := c.Calls("POST /api/admin/user/send-message")
	if got := string(calls[len(calls)-1].Body); got != `{"context":"user","context_id":8,"subject":"Bar","message":"Who opens it?"}` {
		t.Errorf("sent %s", got)
	}
}

// TestWritingToAnyOrganization: a link can name one that the person is no member of.
func TestWritingToAnyOrganization(t *testing.T) {
	c := start(t)
	const other = "0192f0a0-0000-7000-8000-000000000002"
	c.Answer("GET /api/organization/"+other, 200, map[string]any{"data": map[string]any{"name": "Hafenbühne"}})
	want(t, "the form", c.Get("/console/messages/new?organization="+other), 200, "Hafenbühne", other+`" selected`)
}

func TestReplies(t *testing.T) {
	c := start(t)
	want(t, "an empty reply", c.Post("/console/messages/5/reply", nil), http.StatusUnprocessableEntity, "Write a message first")
	c.Answer("POST /api/admin/user/message/5/reply", 201, adminapi.Numbered{ID: 7})
	if got := c.Post("/console/messages/5/reply", url.Values{"message": {"Me"}}); got.Status != http.StatusSeeOther {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestTodos(t *testing.T) {
	c := start(t)
	bad := c.Post("/console/todos", url.Values{"title": {""}, "description": {"Key at the bar"}, "due_date": {"soon"}})
	want(t, "a bad todo", bad, http.StatusUnprocessableEntity, `href="#title"`, "This is not a valid date", "Key at the bar")
	c.Answer("PUT /api/admin/user/todo", 200, adminapi.WrittenTodo{})
	c.Answer("DELETE /api/admin/user/todo/3", 200, adminapi.Numbered{})
	for path, form := range map[string]url.Values{
		"/console/todos":          {"title": {"Posters"}, "due_date": {"2026-12-01"}},
		"/console/todos/3":        {"title": {"Posters"}},
		"/console/todos/3/tick":   {"completed": {"true"}},
		"/console/todos/3/delete": nil,
	} {
		if got := c.Post(path, form); got.Status != http.StatusSeeOther {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	var ticked int
	for _, call := range c.Calls("PUT /api/admin/user/todo") {
		var body map[string]any
		if err := json.Unmarshal(call.Body, &body); err != nil {
			t.Fatal(err)
		}
		if body["completed"] == true && body["id"] == 3.0 {
			ticked++
		}
	}
	if ticked != 1 {
		t.Errorf("%d todos were ticked", ticked)
	}
}

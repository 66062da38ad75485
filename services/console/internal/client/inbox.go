package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
)

// Messages reads the person's messages.
func (a Admin) Messages(paged url.Values) (adminapi.Messages, error) {
	return get[adminapi.Messages](a, at("user", "messages"), paged)
}

// ReadMessage reads a message, and marks it as read.
func (a Admin) ReadMessage(id string) (adminapi.Message, error) {
	return send[adminapi.Message](a, http.MethodPut, at("user", "message", id, "read"), nil)
}

// SendMessage sends a message to an organization or a person.
func (a Admin) SendMessage(m adminapi.NewMessage) error { return a.post(at("user", "send-message"), m) }

// Reply answers a message.
func (a Admin) Reply(id string, with adminapi.Reply) error {
	return a.post(at("user", "message", id, "reply"), with)
}

// DeleteMessage deletes a message.
func (a Admin) DeleteMessage(id string) error { return a.delete(at("user", "message", id)) }

// Todos reads the person's todos.
func (a Admin) Todos(paged url.Values) (adminapi.Todos, error) {
	return get[adminapi.Todos](a, at("user", "todos"), paged)
}

// Todo reads a todo.
func (a Admin) Todo(id string) (adminapi.ReadTodo, error) {
	return get[adminapi.ReadTodo](a, at("user", "todo", id), nil)
}

// WriteTodo changes the given fields of the todo that id names, or adds it with the id -1.
func (a Admin) WriteTodo(fields map[string]any) error { return a.put(at("user", "todo"), fields) }

// DeleteTodo deletes a todo.
func (a Admin) DeleteTodo(id string) error { return a.delete(at("user", "todo", id)) }

// Notifications reads the person's unfinished events.
func (a Admin) Notifications(paged url.Values) (adminapi.Notifications, error) {
	return get[adminapi.Notifications](a, at("user", "event", "notifications"), paged)
}

// Package inbox has the pages of a person's messages and todos.
package inbox

import "litfass/services/console/internal/page"

// Mount adds the pages.
func Mount(r page.Router) {
	r.Get("/messages", listMessages)
	r.Get("/messages/new", func(r *page.Request) error { return askMessage(r, letter{}) })
	r.Post("/messages/new", send)
	r.Get("/messages/:message", showMessage)
	r.Post("/messages/:message/reply", reply)
	r.Get("/messages/:message/delete", askDelete)
	r.Post("/messages/:message/delete", deleteMessage)
	r.Get("/todos", func(r *page.Request) error { return listTodos(r, todoForm{}) })
	r.Post("/todos", addTodo)
	r.Get("/todos/:todo", func(r *page.Request) error { return showTodo(r, todoForm{}) })
	r.Post("/todos/:todo", saveTodo)
	r.Post("/todos/:todo/tick", tick)
	r.Post("/todos/:todo/delete", deleteTodo)
}

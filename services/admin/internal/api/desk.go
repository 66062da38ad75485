package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/desk"
	"litfass/services/admin/internal/paging"
)

// Desk are the operations on what lies on a user's desk (interface.md, Admin operations).
type Desk struct {
	Service *desk.Service
}

// Mount adds the operations to the router of Prefix, before which it is known who asks.
func (d Desk) Mount(admin fiber.Router) {
	admin.Get("/user/messages", d.listMessages)
	admin.Post("/user/send-message", d.sendMessage)
	admin.Put("/user/message/:messageId/read", d.markRead)

	admin.Get("/user/todos", d.listTodos)
	admin.Put("/user/todo", d.putTodo)
	admin.Get("/user/todo/:todoId", d.getTodo)
	admin.Delete("/user/todo/:todoId", d.deleteTodo)

	admin.Get("/user/event/notifications", d.listNotifications)
}

func (d Desk) listMessages(c *fiber.Ctx) error { return sendPage(c, d.Service.Messages) }

func (d Desk) listTodos(c *fiber.Ctx) error { return sendPage(c, d.Service.Todos) }

func (d Desk) listNotifications(c *fiber.Ctx) error { return sendPage(c, d.Service.Notifications) }

// sendPage answers with the part of a list that the parameters ask for.
func sendPage[T any](c *fiber.Ctx, list func(context.Context, paging.Page) (T, error)) error {
	p := parametersOf(c)
	page := p.page()
	if err := p.err(); err != nil {
		return err
	}
	shown, err := list(c.UserContext(), page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/platform/paging"
)

// Inbox are the operations on a user's messages, todos and notifications.
type Inbox struct{ Service *inbox.Service }

// Mount adds the operations to the authenticated router of Prefix.
func (i Inbox) Mount(admin fiber.Router) {
	admin.Get("/user/messages", i.listMessages)
	admin.Post("/user/send-message", i.sendMessage)
	admin.Put("/user/message/:messageId/read", i.markRead)
	admin.Post("/user/message/:messageId/reply", i.reply)
	admin.Delete("/user/message/:messageId", i.deleteMessage)

	admin.Get("/user/todos", i.listTodos)
	admin.Put("/user/todo", i.putTodo)
	admin.Get("/user/todo/:todoId", i.getTodo)
	admin.Delete("/user/todo/:todoId", i.deleteTodo)

	admin.Get("/user/event/notifications", i.listNotifications)
	admin.Get("/user/attention", i.attention)
}

func (i Inbox) listMessages(c *fiber.Ctx) error { return sendPage(c, i.Service.Messages) }

func (i Inbox) listTodos(c *fiber.Ctx) error { return sendPage(c, i.Service.Todos) }

func (i Inbox) listNotifications(c *fiber.Ctx) error { return sendPage(c, i.Service.Notifications) }

// attention answers the number of items that wait for the caller.
func (i Inbox) attention(c *fiber.Ctx) error {
	waits, err := i.Service.Attention(c.UserContext())
	if err != nil {
		return err
	}
	return c.JSON(waits)
}

// sendPage answers the requested page of a list.
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

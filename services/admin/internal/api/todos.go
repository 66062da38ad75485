package api

import (
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/platform/version"
)

func (i Inbox) getTodo(c *fiber.Ctx) error {
	id, err := todoID(c)
	if err != nil {
		return err
	}
	stored, err := i.Service.Todo(c.UserContext(), id)
	if err != nil {
		return err
	}
	return sendVersion(c, stored.Version, adminapi.ReadTodo{Todo: stored.Todo})
}

func todoID(c *fiber.Ctx) (int, error) {
	p := parametersOf(c)
	id := positive(&p.bad, "todoId", c.Params("todoId"))
	return id, p.err()
}

// todoBody is a new todo, without an id or with one below 0, or a change of one.
type todoBody struct {
	ID          *int    `json:"id"`
	Title       *string `json:"title"`
	Description *string `json:"description"`
	DueDate     *string `json:"due_date"`
	Completed   *bool   `json:"completed"`
}

func (i Inbox) putTodo(c *fiber.Ctx) error {
	body, err := readPatch[todoBody](c, smallBody)
	if err != nil {
		return err
	}
	change := inbox.TodoChange{
		ID:    -1,
		Title: body.text("title", body.given.Title), Description: body.text("description", body.given.Description),
		DueDate: body.text("due_date", body.given.DueDate), Completed: body.given.Completed,
	}
	if body.given.ID != nil {
		change.ID = *body.given.ID
	}
	if body.cleared("completed") {
		body.bad.Add("completed", reason.NotBoolean)
	}
	if err := body.refuse(change.Check); err != nil {
		return err
	}
	stored, made, err := i.Service.PutTodo(c.UserContext(), expected(c), change)
	if err != nil {
		return err
	}
	return sendTodo(c, stored, made)
}

// sendTodo answers a write.
func sendTodo(c *fiber.Ctx, stored inbox.StoredTodo, made bool) error {
	text := done("todo updated")
	if made {
		text.Message = "todo created"
		c.Status(http.StatusCreated).Location(Prefix + "/user/todo/" + strconv.Itoa(stored.ID))
	}
	c.Set(fiber.HeaderETag, version.Tag(stored.Version))
	return c.JSON(adminapi.WrittenTodo{Done: text, Todo: stored.Todo})
}

// deleteTodo ignores the body: known clients send a password, which a todo does not need.
func (i Inbox) deleteTodo(c *fiber.Ctx) error {
	id, err := todoID(c)
	if err != nil {
		return err
	}
	if _, err := web.ReadBody(c, smallBody); err != nil {
		return err
	}
	if err := i.Service.DeleteTodo(c.UserContext(), expected(c), id); err != nil {
		return err
	}
	return c.JSON(adminapi.Numbered{Done: done("todo deleted"), ID: id})
}

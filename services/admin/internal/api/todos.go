package api

import (
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/admin/internal/desk"
	"litfass/services/admin/internal/version"
)

func (d Desk) getTodo(c *fiber.Ctx) error {
	id, err := todoID(c)
	if err != nil {
		return err
	}
	stored, err := d.Service.Todo(c.UserContext(), id)
	if err != nil {
		return err
	}
	return sendVersion(c, stored.Version, struct {
		Todo desk.Todo `json:"todo"`
	}{stored.Todo})
}

func todoID(c *fiber.Ctx) (int, error) {
	p := parametersOf(c)
	id := positive(&p.bad, "todoId", c.Params("todoId"))
	return id, p.err()
}

// todoBody is what a user writes of a todo: a new one without an id, or with one below 0.
type todoBody struct {
	ID          *int    `json:"id"`
	Title       *string `json:"title"`
	Description *string `json:"description"`
	DueDate     *string `json:"due_date"`
	Completed   *bool   `json:"completed"`
}

func (d Desk) putTodo(c *fiber.Ctx) error {
	body, err := readPatch[todoBody](c, smallBody)
	if err != nil {
		return err
	}
	change := desk.TodoChange{
		ID:    -1,
		Title: body.text("title", body.given.Title), Description: body.text("description", body.given.Description),
		DueDate: body.text("due_date", body.given.DueDate), Completed: body.given.Completed,
	}
	if body.given.ID != nil {
		change.ID = *body.given.ID
	}
	if body.cleared("completed") {
		body.bad.Add("completed", "must be true or false")
	}
	if err := body.refuse(change.Check); err != nil {
		return err
	}
	stored, made, err := d.Service.PutTodo(c.UserContext(), expected(c), change)
	if err != nil {
		return err
	}
	return sendTodo(c, stored, made)
}

// sendTodo answers to a write.
func sendTodo(c *fiber.Ctx, stored desk.StoredTodo, made bool) error {
	text := message{"todo updated"}
	if made {
		text.Message = "todo created"
		c.Status(http.StatusCreated).Location(Prefix + "/user/todo/" + strconv.Itoa(stored.ID))
	}
	c.Set(fiber.HeaderETag, version.Tag(stored.Version))
	return c.JSON(struct {
		message
		desk.Todo
	}{text, stored.Todo})
}

// deleteTodo passes over a body: known clients send a password, which a todo does not need.
func (d Desk) deleteTodo(c *fiber.Ctx) error {
	id, err := todoID(c)
	if err != nil {
		return err
	}
	if _, err := web.ReadBody(c, smallBody); err != nil {
		return err
	}
	if err := d.Service.DeleteTodo(c.UserContext(), expected(c), id); err != nil {
		return err
	}
	return c.JSON(numbered{message{"todo deleted"}, id})
}

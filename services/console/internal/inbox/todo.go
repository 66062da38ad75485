package inbox

import (
	"net/http"
	"strconv"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

const pageTodos = page.Root + "/todos"

// todoForm is a todo as it is written.
type todoForm struct {
	Title, Description, Due string
	Problem                 string
	Errors                  view.Errors
}

func (f todoForm) status() int {
	if f.Problem == "" && len(f.Errors) == 0 {
		return http.StatusOK
	}
	return http.StatusUnprocessableEntity
}

// todoGiven reads a todo from a form.
func todoGiven(r *page.Request) todoForm {
	f := todoForm{
		Title: r.Form.Text("title"), Description: r.Form.Text("description"), Due: r.Form.Text("due_date"), Errors: view.Errors{},
	}
	if f.Title == "" {
		f.Errors["title"] = r.Text.T("field.required")
	}
	if _, err := time.Parse(time.DateOnly, f.Due); err != nil && f.Due != "" {
		f.Errors["due_date"] = r.Text.T("todo.no_day")
	}
	return f
}

func (f todoForm) body(r *page.Request, id int) map[string]any {
	return map[string]any{
		"id": id, "title": f.Title, "description": r.Form.TextOrNil("description"), "due_date": r.Form.TextOrNil("due_date"),
	}
}

// refused notes why a todo was not stored, and reports whether its page can be shown.
func (f *todoForm) refused(err error) bool {
	switch refusal := fault.Of(err); refusal.Kind {
	case fault.Invalid:
		f.Errors = view.ErrorsOf(err)
	case fault.Conflict:
		f.Problem = refusal.Message
	default:
		return false
	}
	return true
}

func listTodos(r *page.Request, f todoForm) error {
	list, err := r.Admin().Todos(view.Paged(map[string][]string{"page": r.Query["page"]}))
	if err != nil {
		return err
	}
	return r.Status(f.status()).Show(view.Page{Title: r.Text.T("todos"), Section: view.SectionMessages, Content: todos(r, list, f)})
}

func addTodo(r *page.Request) error {
	f := todoGiven(r)
	if len(f.Errors) > 0 {
		return listTodos(r, f)
	}
	err := r.Admin().WriteTodo(f.body(r, -1))
	if err == nil {
		return r.Go(pageTodos, "saved")
	}
	if f.refused(err) {
		return listTodos(r, f)
	}
	return err
}

// readTodo returns the todo of the path.
func readTodo(r *page.Request) (adminapi.Todo, error) {
	id, err := number(r, "todo")
	if err != nil {
		return adminapi.Todo{}, err
	}
	got, err := r.Admin().Todo(id)
	return got.Todo, err
}

// showTodo is the page on which a todo is edited.
func showTodo(r *page.Request, f todoForm) error {
	stored, err := readTodo(r)
	if err != nil {
		return err
	}
	if f.status() == http.StatusOK {
		f = todoForm{Title: stored.Title, Description: string(stored.Description), Due: string(stored.DueDate)}
	}
	return r.Status(f.status()).Show(view.Page{Title: r.Text.T("todo.edit"), Section: view.SectionMessages, Content: editing(r.Text, stored.ID, f)})
}

func saveTodo(r *page.Request) error {
	id, err := number(r, "todo")
	if err != nil {
		return err
	}
	f := todoGiven(r)
	if len(f.Errors) > 0 {
		return showTodo(r, f)
	}
	whole, err := strconv.Atoi(id)
	if err != nil {
		return err
	}
	err = r.Admin().WriteTodo(f.body(r, whole))
	if err == nil {
		return r.Go(pageTodos, "saved")
	}
	if f.refused(err) {
		return showTodo(r, f)
	}
	return err
}

// tick marks a todo as done, or as not done.
func tick(r *page.Request) error {
	id, err := number(r, "todo")
	if err != nil {
		return err
	}
	whole, err := strconv.Atoi(id)
	if err != nil {
		return err
	}
	body := map[string]any{"id": whole, "completed": r.Form.Get("completed") == "true"}
	if err := r.Admin().WriteTodo(body); err != nil {
		return err
	}
	return r.Go(pageTodos+"#todo-"+id, "saved")
}

func deleteTodo(r *page.Request) error {
	id, err := number(r, "todo")
	if err != nil {
		return err
	}
	if err := r.Admin().DeleteTodo(id); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return r.Go(pageTodos, "deleted")
}

package inbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

// StoredTodo is a todo with its version.
type StoredTodo struct {
	adminapi.Todo
	Version int64
}

// TodoChange is a new todo or a change of one. A nil field is left unchanged, an empty one is
// cleared.
type TodoChange struct {
	ID          int // below 0 for a new one
	Title       *string
	Description *string
	DueDate     *string
	Completed   *bool
}

const countTodos = `
SELECT count(*)
FROM todo
WHERE user_id = $1`

const todoColumns = `
SELECT id, title, coalesce(description, ''), coalesce(to_char(due_date, 'YYYY-MM-DD'), ''), completed`

const selectTodos = todoColumns + `
FROM todo
WHERE user_id = $1
ORDER BY due_date DESC NULLS LAST, id DESC
LIMIT $2 OFFSET $3`

// Todos returns the todos of the logged-in user. The fault is Forbidden for an API key.
func (s *Service) Todos(ctx context.Context, page paging.Page) (adminapi.Todos, error) {
	who := auth.PrincipalOf(ctx)
	shown := adminapi.Todos{Todos: []adminapi.Todo{}, Page: page.Answer()}
	if err := access.RequireLogin(who); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countTodos, who.UserID).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count todos: %w", err)
		}
		var err error
		shown.Todos, err = postgres.List[adminapi.Todo](ctx, tx, "todos", selectTodos,
			who.UserID, page.Limit, page.Offset)
		return err
	})
	return shown, err
}

const selectTodo = todoColumns + `, version
FROM todo
WHERE user_id = $1 AND id = $2`

const selectTodoForUpdate = selectTodo + `
FOR UPDATE`

// Todo returns a todo of the logged-in user. The faults: NotFound for a todo of others; Forbidden
// for an API key.
func (s *Service) Todo(ctx context.Context, id int) (StoredTodo, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return StoredTodo{}, err
	}
	return readTodo(s.DB.QueryRow(ctx, selectTodo, who.UserID, id))
}

func readTodo(row pgx.Row) (StoredTodo, error) {
	var t StoredTodo
	err := row.Scan(&t.ID, &t.Title, &t.Description, &t.DueDate, &t.Completed, &t.Version)
	if errors.Is(err, pgx.ErrNoRows) {
		return t, errNoTodo()
	}
	if err != nil {
		return t, fmt.Errorf("read todo: %w", err)
	}
	return t, nil
}

func errNoTodo() error { return fault.New(fault.NotFound, "todo_not_found", "there is no such todo") }

// PutTodo creates or changes a todo of the logged-in user, and returns the stored todo and whether
// it is new. The faults: Invalid, naming every bad field; NotFound for a todo of others; Stale when
// the version is not an expected one; Conflict with code "too_many_todos" for a new one beyond the
// 1,000th; Forbidden for an API key.
func (s *Service) PutTodo(
	ctx context.Context, expected version.Expected, change TodoChange,
) (t StoredTodo, made bool, err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return t, false, err
	}
	made = change.ID < 0
	var violations fault.Violations
	change.Check(&violations)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return t, made, err
	}
	if change.ID > math.MaxInt32 { // beyond the column's type
		return t, made, errNoTodo()
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if made {
			t, err = s.addTodo(ctx, tx, who, change)
		} else {
			t, err = s.changeTodo(ctx, tx, who, expected, change)
		}
		return err
	})
	return t, made, err
}

// Check normalizes the fields and adds violations for invalid ones.
func (c *TodoChange) Check(violations *fault.Violations) {
	if c.Title != nil {
		*c.Title = line(violations, "title", *c.Title)
	}
	if c.Title == nil && c.ID < 0 || c.Title != nil && *c.Title == "" {
		violations.Add("title", reason.Required)
	}
	if c.Description != nil {
		*c.Description = Paragraphs(violations, "description", *c.Description, adminapi.MaxText)
	}
	if c.DueDate != nil && *c.DueDate != "" {
		day, err := time.Parse(time.DateOnly, *c.DueDate)
		if err != nil || day.Year() < 1900 || day.Year() > 2999 {
			violations.Add("due_date", reason.NotDate(1900, 2999))
		}
	}
}

func (c *TodoChange) apply(t *adminapi.Todo) {
	if c.Title != nil {
		t.Title = *c.Title
	}
	if c.Description != nil {
		t.Description = value.Text(*c.Description)
	}
	if c.DueDate != nil {
		t.DueDate = value.Text(*c.DueDate)
	}
	if c.Completed != nil {
		t.Completed = *c.Completed
	}
}

// maxTodos is the maximum number of todos of a user.
const maxTodos = 1000

const insertTodo = `
INSERT INTO todo (user_id, title, description, due_date, completed, created_at, updated_at)
VALUES ($1, $2, nullif($3, ''), nullif($4, '')::date, $5, $6, $6)
RETURNING id, version`

func (s *Service) addTodo(
	ctx context.Context, tx pgx.Tx, who auth.Principal, change TodoChange,
) (StoredTodo, error) {
	var t StoredTodo
	if err := access.LockUser(ctx, tx, who.UserID); err != nil {
		return t, err
	}
	var count int
	if err := tx.QueryRow(ctx, countTodos, who.UserID).Scan(&count); err != nil {
		return t, fmt.Errorf("count todos: %w", err)
	}
	if count >= maxTodos {
		return t, fault.New(fault.Conflict, "too_many_todos",
			"at most %d todos can be kept: delete one first", maxTodos)
	}
	change.apply(&t.Todo)
	err := tx.QueryRow(ctx, insertTodo, who.UserID, t.Title, string(t.Description), string(t.DueDate),
		t.Completed, s.Now()).Scan(&t.ID, &t.Version)
	if err != nil {
		return t, fmt.Errorf("store todo: %w", err)
	}
	return t, s.auditTodo(ctx, tx, "todo.create", t.ID, nil, t.Todo)
}

const updateTodo = `
UPDATE todo
SET title = $3, description = nullif($4, ''), due_date = nullif($5, '')::date, completed = $6, updated_at = $7,
    version = version + 1
WHERE user_id = $1 AND id = $2
RETURNING version`

func (s *Service) changeTodo(
	ctx context.Context, tx pgx.Tx, who auth.Principal, expected version.Expected, change TodoChange,
) (StoredTodo, error) {
	before, err := readTodo(tx.QueryRow(ctx, selectTodoForUpdate, who.UserID, change.ID))
	if err != nil {
		return before, err
	}
	if err := expected.Check("todo", before.Version); err != nil {
		return before, err
	}
	after := before
	change.apply(&after.Todo)
	if after == before {
		return after, nil
	}
	err = tx.QueryRow(ctx, updateTodo, who.UserID, after.ID, after.Title, string(after.Description),
		string(after.DueDate), after.Completed, s.Now()).Scan(&after.Version)
	if err != nil {
		return after, fmt.Errorf("store todo: %w", err)
	}
	return after, s.auditTodo(ctx, tx, "todo.update", after.ID, before.Todo, after.Todo)
}

const deleteTodo = `
DELETE FROM todo
WHERE user_id = $1 AND id = $2`

// DeleteTodo deletes a todo of the logged-in user. The faults: NotFound for a todo of others; Stale
// when the version is not an expected one; Forbidden for an API key.
func (s *Service) DeleteTodo(ctx context.Context, expected version.Expected, id int) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		before, err := readTodo(tx.QueryRow(ctx, selectTodoForUpdate, who.UserID, id))
		if err != nil {
			return err
		}
		if err := expected.Check("todo", before.Version); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, deleteTodo, who.UserID, id); err != nil {
			return fmt.Errorf("delete todo: %w", err)
		}
		return s.auditTodo(ctx, tx, "todo.delete", id, before.Todo, nil)
	})
}

func (s *Service) auditTodo(ctx context.Context, tx pgx.Tx, action string, id int, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "todo", EntityID: strconv.Itoa(id), Before: before, After: after,
	})
}

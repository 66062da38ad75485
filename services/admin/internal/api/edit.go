package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
)

// entityBody is enough for an entity with a description of 100,000 characters.
const entityBody = 640 << 10

// The handlers of operations on the catalogue's entities. An operation is a method of
// editing.Editor. B is the body; its fields match the fields of T, which the operation fills or
// edits, in name and type; A is the answer. names are the path parameters: first the entity's, then
// its part's.

// show returns the handler of an operation that reads an entity, with its version.
func show[A any](
	name string, operation func(ctx context.Context, key string) (editing.Versioned[A], error),
) fiber.Handler {
	return showBy(sendVersion, name, operation)
}

// showBy is show with another function that sends the answer.
func showBy[A any](
	send func(c *fiber.Ctx, version int64, resource any) error,
	name string, operation func(ctx context.Context, key string) (editing.Versioned[A], error),
) fiber.Handler {
	return func(c *fiber.Ctx) error {
		at, err := target(c, name)
		if err != nil {
			return err
		}
		found, err := operation(c.UserContext(), at.Key)
		if err != nil {
			return err
		}
		return send(c, found.Version, found.Answer)
	}
}

// create returns the handler of an operation of the editor that adds an entity. The answer is 201
// with the entity, its location and version.
func create[B, T any, A rules.Entity](
	editor *editing.Editor, text string, operation func(context.Context, *T) (editing.Versioned[A], error),
) fiber.Handler {
	mustFit[B, T]()
	return func(c *fiber.Ctx) error {
		body, err := readPatch[B](c, entityBody)
		if err != nil {
			return err
		}
		if _, given := body.keys["uuid"]; given {
			body.wrong("uuid", reason.FromClient)
		}
		entity := new(T)
		body.apply(entity)
		if err := body.refuse(rulesOf[B, T](body, true)); err != nil {
			return editor.RefuseNew(c.UserContext(), any(entity).(rules.Entity), err)
		}
		created, err := operation(c.UserContext(), entity)
		if err != nil {
			return err
		}
		c.Status(http.StatusCreated).Location(fmt.Sprintf("%s/%s/%s", Prefix, created.Answer.Kind(), created.Answer.Key()))
		return sendWritten(c, text, created.Version, created.Warnings, created.Answer)
	}
}

// update returns the handler of an operation that changes an entity: absent fields are left
// unchanged, null clears a field. The answer is the entity with its version.
func update[B, T, A any](
	text string, operation func(context.Context, editing.Target, func(*T) error) (editing.Versioned[A], error),
	names ...string,
) fiber.Handler {
	mustFit[B, T]()
	return func(c *fiber.Ctx) error {
		updated, err := change[B](c, operation, names...)
		if err != nil {
			return err
		}
		return sendWritten(c, text, updated.Version, updated.Warnings, updated.Answer)
	}
}

// change reads the body of an update and runs the operation with it.
func change[B, T, A any](
	c *fiber.Ctx,
	operation func(context.Context, editing.Target, func(*T) error) (editing.Versioned[A], error), names ...string,
) (changed editing.Versioned[A], err error) {
	at, err := target(c, names...)
	if err != nil {
		return changed, err
	}
	body, err := readPatch[B](c, entityBody)
	if err != nil {
		return changed, err
	}
	body.mustName(at)
	refused := body.refuse(rulesOf[B, T](body, false))
	return operation(c.UserContext(), at, func(to *T) error { // which checks the rights first
		body.apply(to)
		return refused
	})
}

// remove returns the handler of an operation that deletes an entity, or a part of one, and requires
// a password.
func remove(
	text string, operation func(ctx context.Context, at editing.Target, password string) error, names ...string,
) fiber.Handler {
	return func(c *fiber.Ctx) error {
		at, err := target(c, names...)
		if err != nil {
			return err
		}
		body, err := readConfirmation(c)
		if err != nil {
			return err
		}
		if err := operation(c.UserContext(), at, body.Password); err != nil {
			return err
		}
		return c.JSON(adminapi.Deleted{Done: done(text), UUID: cmp.Or(at.Part, at.Key)})
	}
}

// target reads the entity of the path and the expected version.
func target(c *fiber.Ctx, names ...string) (editing.Target, error) {
	p := parametersOf(c)
	at := editing.Target{Key: p.uuid(names[0]), Expected: expected(c)}
	if len(names) > 1 {
		at.Part, at.Scope = p.uuid(names[1]), c.Query("scope")
	}
	return at, p.err()
}

// mustName adds a violation unless a uuid in the body equals that of the path: clients may send
// back an entity as they read it.
func (p *patch[T]) mustName(at editing.Target) {
	raw, given := p.keys["uuid"]
	if !given {
		return
	}
	var text string
	_ = json.Unmarshal(raw, &text) // another type names nothing
	if id, valid := value.UUIDv7(text); !valid || id != cmp.Or(at.Part, at.Key) {
		p.wrong("uuid", reason.NotFromPath)
	}
}

// validator is an entity, or a part of one, that validates its fields.
type validator interface {
	Normalize()
	Validate() fault.Violations
}

// rulesOf adds violations of the entity's rules: by any field of a whole entity, or by the given
// fields of a change.
func rulesOf[B, T any](body patch[B], whole bool) func(*fault.Violations) {
	return func(violations *fault.Violations) {
		given := new(T)
		body.apply(given)
		resource, ok := any(given).(validator)
		if !ok {
			return
		}
		resource.Normalize()
		for _, violation := range resource.Validate() {
			field := violation.Field
			if part := strings.IndexAny(field, "[."); part >= 0 {
				field = field[:part]
			}
			_, named := body.keys[field]
			// What is new has no uuid yet, and a rule of dates may be stored.
			unborn := strings.HasSuffix(violation.Field, "].uuid") || whole && violation.Field == "uuid"
			ofRule := strings.HasSuffix(violation.Field, "].rule_uuid")
			ofImage := violation.Code == reason.NotImage.Code && !whole // the images are stored
			if (named || whole) && !unborn && !ofRule && !ofImage {
				*violations = append(*violations, violation)
			}
		}
	}
}

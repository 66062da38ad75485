package api

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/web"
	"litfass/services/admin/internal/strictjson"
)

// patch is the body of a PUT: it keeps what is absent and clears what is null.
type patch[T any] struct {
	given T
	keys  map[string]json.RawMessage
	bad   fault.Violations // what is wrong with its form
}

// readPatch decodes a JSON body of at most most bytes. The faults: TooLarge and UnsupportedType. What is wrong with its
// fields stays in the patch, so that an answer can name values that break a rule beside it.
func readPatch[T any](c *fiber.Ctx, most int, ignored ...string) (patch[T], error) {
	var p patch[T]
	body, err := rawBody(c, most)
	if err != nil {
		return p, err
	}
	p.bad = strictjson.Decode(body, &p.given, ignored...)
	if json.Unmarshal(body, &p.keys) != nil {
		p.keys = nil // then bad says why
	}
	return p, nil
}

// rawBody returns a JSON body of at most most bytes as it was sent.
func rawBody(c *fiber.Ctx, most int) ([]byte, error) {
	if err := web.RequireJSON(c); err != nil {
		return nil, err
	}
	body := c.Request().Body() // as it was sent: Fiber's Body would decompress it, to any size
	if len(body) > most {
		return nil, fault.New(fault.TooLarge, "", "the body is too large for this operation: at most %d KiB", most>>10)
	}
	return slices.Clone(body), nil
}

// apply writes the given fields, and nothing else, into to.
func (p patch[T]) apply(to *T) {
	from, into := reflect.ValueOf(&p.given).Elem(), reflect.ValueOf(to).Elem()
	for _, field := range reflect.VisibleFields(from.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if _, given := p.keys[name]; given && name != "-" {
			into.FieldByIndex(field.Index).Set(from.FieldByIndex(field.Index))
		}
	}
}

// err returns an Invalid fault with everything that is wrong with the form of the body, and with those of the given values
// that break a rule; nil when the form is right: then the rules are checked on the whole.
func (p patch[T]) err(rules func(T) fault.Violations) error {
	if len(p.bad) == 0 {
		return nil
	}
	bad := slices.Clone(p.bad)
	named := map[string]bool{}
	for _, violation := range bad {
		named[violation.Field] = true
	}
	for _, violation := range rules(p.given) {
		if _, given := p.keys[violation.Field]; given && !named[violation.Field] {
			bad = append(bad, violation)
		}
	}
	return bad.Err("invalid_body", "the body is not what this operation reads")
}

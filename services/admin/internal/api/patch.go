package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/spelling"
	"litfass/pkg/chassis/strictjson"
	"litfass/pkg/chassis/web"
)

// patch is the body of a PUT or PATCH: absent fields are left unchanged, null clears a field.
type patch[T any] struct {
	given T
	keys  map[string]json.RawMessage
	bad   fault.Violations // of its form
}

// readPatch decodes a JSON body. The faults: TooLarge and UnsupportedType. Violations stay in the
// patch, so that an answer can also name values that break a rule.
func readPatch[T any](c *fiber.Ctx, maxBytes int, ignored ...string) (patch[T], error) {
	body, err := rawBody(c, maxBytes)
	if err != nil {
		return patch[T]{}, err
	}
	return parsePatch[T](body, ignored...), nil
}

// parsePatch decodes an object. Violations stay in the patch.
func parsePatch[T any](object []byte, ignored ...string) (p patch[T]) {
	p.bad = strictjson.Decode(object, &p.given, ignored...)
	for i, violation := range p.bad {
		if violation.Code == reason.UnknownField.Code {
			p.bad[i] = misspelled(violation, reflect.TypeFor[T]())
		}
	}
	if json.Unmarshal(object, &p.keys) != nil {
		p.keys = nil // bad has the reason
	}
	return p
}

// misspelled names the key of a body that an unknown one is nearest to, if there is one.
func misspelled(unknown fault.Violation, body reflect.Type) fault.Violation {
	if strings.ContainsAny(unknown.Field, ".[") { // of a part of the body
		return unknown
	}
	known := slices.Collect(maps.Keys(fieldsByName(body)))
	if problem := spelling.Unknown(unknown.Field, known); problem != reason.Unknown {
		return fault.Violate(unknown.Field, problem)
	}
	return unknown
}

// rawBody returns the bytes of a JSON body.
func rawBody(c *fiber.Ctx, maxBytes int) ([]byte, error) {
	if err := web.RequireJSON(c); err != nil {
		return nil, err
	}
	return web.ReadBody(c, maxBytes)
}

// readOnly is a field that clients may send back; its value is ignored.
type readOnly struct{}

// UnmarshalJSON ignores the value.
func (*readOnly) UnmarshalJSON([]byte) error { return nil }

// apply writes only the given fields to the fields of the same names of the struct that to points
// to. Its type is T, or one that T fits; see mustFit.
func (p patch[T]) apply(to any) {
	from, into := reflect.ValueOf(&p.given).Elem(), reflect.ValueOf(to).Elem()
	target := fieldsByName(into.Type())
	for name, field := range writtenFields(from.Type()) {
		raw, given := p.keys[name]
		switch to := into.FieldByIndex(target[name].Index); {
		case given && to.Kind() == reflect.Map:
			to.Set(merged(to, from.FieldByIndex(field.Index), raw))
		case given:
			to.Set(from.FieldByIndex(field.Index))
		}
	}
}

// merged returns a map with the items that a valid object changes (RFC 7396): an absent one stays,
// and null removes one. given are the decoded items. Items are structs, which are changed alike.
func merged(stored, given reflect.Value, object json.RawMessage) reflect.Value {
	result := reflect.MakeMap(stored.Type())
	var items map[string]json.RawMessage
	if json.Unmarshal(object, &items) != nil || items == nil { // null clears
		return result
	}
	for _, key := range stored.MapKeys() {
		result.SetMapIndex(key, stored.MapIndex(key))
	}
	for _, key := range slices.Sorted(maps.Keys(items)) {
		raw, name := items[key], reflect.ValueOf(strings.ToLower(strings.TrimSpace(key))) // as it is stored
		item := reflect.New(stored.Type().Elem()).Elem()
		if decoded := given.MapIndex(reflect.ValueOf(key)); string(raw) != "null" && decoded.IsValid() {
			if was := result.MapIndex(name); was.IsValid() {
				item.Set(was)
			}
			mergeFields(item, decoded, raw)
			result.SetMapIndex(name, item)
			continue
		}
		result.SetMapIndex(name, reflect.Value{})
	}
	return result
}

// mergeFields changes the fields of a struct that a valid object names.
func mergeFields(stored, given reflect.Value, object json.RawMessage) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return // the body is refused
	}
	for name, field := range fieldsByName(stored.Type()) {
		raw, named := members[name]
		switch to := stored.FieldByIndex(field.Index); {
		case named && to.Kind() == reflect.Map:
			to.Set(merged(to, given.FieldByIndex(field.Index), raw))
		case named:
			to.Set(given.FieldByIndex(field.Index))
		}
	}
}

// pick returns the fields of a B, which fits T, from an entity.
func pick[B, T any](from *T) B {
	var picked B
	into, source := reflect.ValueOf(&picked).Elem(), reflect.ValueOf(from).Elem()
	fields := fieldsByName(source.Type())
	for name, field := range fieldsByName(into.Type()) {
		into.FieldByIndex(field.Index).Set(source.FieldByIndex(fields[name].Index))
	}
	return picked
}

// mustFit panics, when the service starts, unless each field of B that is not readOnly is one of T,
// with the same name and type.
func mustFit[B, T any]() {
	target := fieldsByName(reflect.TypeFor[T]())
	for name, field := range writtenFields(reflect.TypeFor[B]()) {
		if target[name].Type != field.Type {
			panic(fmt.Sprintf("%s of %s is no field of %s", name, reflect.TypeFor[B](), reflect.TypeFor[T]()))
		}
	}
}

// writtenFields are the fields of a body that are not readOnly, by their names in JSON.
func writtenFields(of reflect.Type) map[string]reflect.StructField {
	fields := maps.Clone(fieldsByName(of))
	maps.DeleteFunc(fields, func(_ string, field reflect.StructField) bool {
		return field.Type == reflect.TypeFor[readOnly]()
	})
	return fields
}

// structFields are the results of fieldsByName, by the struct's reflect.Type.
var structFields sync.Map

// fieldsByName returns the fields of a struct by their names in JSON. The map is shared.
func fieldsByName(of reflect.Type) map[string]reflect.StructField {
	if fields, known := structFields.Load(of); known {
		return fields.(map[string]reflect.StructField)
	}
	fields := map[string]reflect.StructField{}
	for _, field := range reflect.VisibleFields(of) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
			fields[name] = field
		}
	}
	structFields.Store(of, fields)
	return fields
}

// refuseAll is refuse for a body whose values were already checked: found also refuses one of valid
// form.
func (p patch[T]) refuseAll(found fault.Violations) error {
	if err := p.refuse(func(violations *fault.Violations) { *violations = found }); err != nil {
		return err
	}
	return found.Err("invalid_parameters", "some fields are not right")
}

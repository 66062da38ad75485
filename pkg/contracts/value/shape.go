package value

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Shape describes the JSON of a type that does not contain itself: the keys of its objects with the
// types of their values. It changes with each field that is added, removed, renamed or retyped. A
// type that encodes itself is described by its name and its exported fields.
func Shape(t reflect.Type) string {
	name := ""
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		name = t.String()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + Shape(t.Elem())
	case reflect.Slice:
		return name + "[]" + Shape(t.Elem())
	case reflect.Map:
		return name + "map[" + Shape(t.Key()) + "]" + Shape(t.Elem())
	case reflect.Struct:
		var fields []string
		for _, field := range reflect.VisibleFields(t) {
			if len(field.Index) == 1 && (field.Anonymous || field.IsExported()) {
				fields = append(fields, fmt.Sprintf("%s %s", field.Tag.Get("json"), Shape(field.Type)))
			}
		}
		return name + "{" + strings.Join(fields, "; ") + "}"
	default:
		return strings.TrimSpace(name + " " + t.Kind().String())
	}
}

package change

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// snapshotTypes are the types of the snapshots by kind.
var snapshotTypes = map[Kind]reflect.Type{
	KindLookup:       reflect.TypeFor[Lookup](),
	KindRegion:       reflect.TypeFor[Region](),
	KindOrganization: reflect.TypeFor[Organization](),
	KindVenue:        reflect.TypeFor[Venue](),
	KindEvent:        reflect.TypeFor[Event](),
}

// Shape describes the JSON of the snapshots of a kind: the keys of its objects with the types of
// their values. It changes with each field that is added, removed, renamed or retyped.
func Shape(kind Kind) string { return shape(snapshotTypes[kind]) }

// shape describes the JSON of a type, and names a type that encodes itself.
func shape(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return "*" + shape(t.Elem())
	case t.Implements(reflect.TypeFor[json.Marshaler]()), t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return t.String()
	case t.Kind() == reflect.Slice:
		return "[]" + shape(t.Elem())
	case t.Kind() == reflect.Map:
		return "map[" + shape(t.Key()) + "]" + shape(t.Elem())
	case t.Kind() != reflect.Struct:
		return t.Kind().String()
	}
	var fields []string
	for i := range t.NumField() {
		field := t.Field(i)
		fields = append(fields, fmt.Sprintf("%s %s", field.Tag.Get("json"), shape(field.Type)))
	}
	return "{" + strings.Join(fields, "; ") + "}"
}

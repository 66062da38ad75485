package webhook

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// object is a part of a JSON schema.
type object = map[string]any

// schemaOf returns the JSON schema of the body of a notification.
func schemaOf(name string, data any) (json.RawMessage, error) {
	schema, err := json.Marshal(object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type":    "object",
		"properties": object{
			"type":      object{"const": name},
			"timestamp": object{"type": "string", "format": "date-time"},
			"data":      schemaOfType(reflect.TypeOf(data)),
		},
		"required": []string{"type", "timestamp", "data"},
	})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	return schema, nil
}

// schemaOfType returns the schema of the JSON of a Go type. Properties may be added to objects
// later.
func schemaOfType(of reflect.Type) object {
	switch of {
	case reflect.TypeFor[value.Text](), reflect.TypeFor[value.Mask]():
		return object{"type": []string{"string", "null"}}
	case reflect.TypeFor[value.Count]():
		return object{"type": []string{"integer", "null"}}
	case reflect.TypeFor[hours.Hours]():
		return object{"anyOf": []any{schemaOfStruct(of), object{"type": "null"}}}
	}
	switch of.Kind() {
	case reflect.Pointer:
		return object{"anyOf": []any{schemaOfType(of.Elem()), object{"type": "null"}}}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOfType(of.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOfType(of.Elem())}
	case reflect.Struct:
		return schemaOfStruct(of)
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Int32:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	default:
		return object{}
	}
}

func schemaOfStruct(of reflect.Type) object {
	properties, required := object{}, []string{}
	for _, field := range reflect.VisibleFields(of) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		properties[name] = schemaOfType(field.Type)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

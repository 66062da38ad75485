package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// document is the description of the operations.
type document struct {
	Info       struct{ Version string }
	Paths      map[string]map[string]object
	Components map[string]map[string]object
}

// operation is an operation as its description has it, without references.
type operation struct {
	method, path string
	inPath       []string // the names of the parts of the path that are parameters
	input        object   // schema of the arguments
	output       object   // schema of the payload
}

// read decodes a description. It panics at one that cannot be read: it is part of the program.
func read(description []byte) (d document) {
	if err := json.Unmarshal(description, &d); err != nil {
		panic(fmt.Sprintf("the description of the operations: %v", err))
	}
	return d
}

// operation returns what a tool calls.
func (d document) operation(t tool) operation {
	method, path, called := d.find(t.operation)
	op := operation{method: method, path: path, output: d.payload(called)}
	described := called
	if t.described != "" {
		_, _, described = d.find(t.described)
	}
	op.input = object{"type": "object", "properties": object{}, "additionalProperties": false}
	var required []string
	for _, parameter := range d.parameters(described) {
		name := parameter["name"].(string)
		if parameter["in"] == "path" {
			op.inPath = append(op.inPath, name)
		}
		schema := maps.Clone(parameter["schema"].(object))
		if text, ok := parameter["description"].(string); ok {
			schema["description"] = strings.TrimSpace(text)
		}
		op.input["properties"].(object)[name] = schema
		if parameter["required"] == true {
			required = append(required, name)
		}
	}
	if method == http.MethodPost {
		op.asBody(d.resolve(at(called, "requestBody", "content", "application/json", "schema")).(object))
	}
	if len(required) > 0 {
		op.input["required"] = required
	}
	return op
}

// asBody takes the types of the arguments from the schema of a body. The words of the parameters
// remain.
func (op operation) asBody(body object) {
	properties := op.input["properties"].(object)
	for name, described := range body["properties"].(object) {
		schema := maps.Clone(described.(object))
		if words, ok := properties[name].(object); ok && words["description"] != nil {
			schema["description"] = words["description"]
		}
		properties[name] = schema
	}
}

// find returns an operation with its method and path. It panics when there is none: the tools are
// part of the program, too.
func (d document) find(id string) (method, path string, found object) {
	for path, methods := range d.Paths {
		for method, operation := range methods {
			if operation["operationId"] == id {
				return strings.ToUpper(method), path, operation
			}
		}
	}
	panic("no operation " + id + " is described")
}

// parameters returns the parameters of an operation other than headers.
func (d document) parameters(of object) (found []object) {
	listed, _ := of["parameters"].([]any)
	for _, one := range listed {
		if parameter := d.resolve(one).(object); parameter["in"] != "header" {
			found = append(found, parameter)
		}
	}
	return found
}

// payload returns the schema of what an operation's envelope surrounds.
func (d document) payload(of object) object {
	envelope := at(of, "responses", "200", "content", "application/json", "schema").(object)
	parts := envelope["allOf"].([]any)
	return d.resolve(at(parts[len(parts)-1], "properties", "data")).(object)
}

// at returns the value at a path of names.
func at(value any, names ...string) any {
	for _, name := range names {
		value = value.(object)[name]
	}
	return value
}

// resolve returns a value with components in place of references to them. What stands next to a
// reference takes precedence.
func (d document) resolve(value any) any {
	switch value := value.(type) {
	case object:
		resolved := object{}
		if ref, ok := value["$ref"].(string); ok {
			parts := strings.Split(ref, "/")
			kind, name := parts[len(parts)-2], parts[len(parts)-1]
			maps.Copy(resolved, d.resolve(d.Components[kind][name]).(object))
		}
		for name, part := range value {
			if name != "$ref" {
				resolved[name] = d.resolve(part)
			}
		}
		return resolved
	case []any:
		resolved := slices.Clone(value)
		for i, part := range value {
			resolved[i] = d.resolve(part)
		}
		return resolved
	default:
		return value
	}
}

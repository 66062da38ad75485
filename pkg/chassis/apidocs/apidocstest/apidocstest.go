// Package apidocstest compares the answers of a service with its OpenAPI description.
package apidocstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gofiber/fiber/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// CheckDocument checks that a description is valid OpenAPI 3.1 including its examples, and that no
// key occurs twice, as when a merge in its source overrides one.
func CheckDocument(t *testing.T, document []byte) {
	t.Helper()
	parsed, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	if err := parsed.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	if parsed.OpenAPI != "3.1.0" {
		t.Errorf("version %s", parsed.OpenAPI)
	}
	if err := uniqueKeys(json.NewDecoder(bytes.NewReader(document))); err != nil {
		t.Error(err)
	}
}

// CheckHeaders checks that every answer describes the headers that has names for its operation's
// method, in lower case, and its status.
func CheckHeaders(t *testing.T, document []byte, has func(method, status string) []string) {
	t.Helper()
	parsed, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range parsed.Paths.Map() {
		for method, operation := range item.Operations() {
			for status, response := range operation.Responses.Map() {
				for _, name := range has(strings.ToLower(method), status) {
					if response.Value.Headers[name] == nil {
						t.Errorf("%s %s: %s has no %s", method, path, status, name)
					}
				}
			}
		}
	}
}

// uniqueKeys reads one JSON value and returns an error that names the first duplicate key of an
// object.
func uniqueKeys(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for decoder.More() {
		if open == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			if seen[fmt.Sprint(key)] {
				return fmt.Errorf("duplicate key %v", key)
			}
			seen[fmt.Sprint(key)] = true
		}
		if err := uniqueKeys(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}

// Description is a strict description: an answer may contain only the keys that it names.
type Description struct {
	Paths    map[string]any
	Schemas  map[string]any
	compiler *jsonschema.Compiler
}

// Describe reads a description.
func Describe(t *testing.T, document []byte) Description {
	t.Helper()
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	whole := decoded.(map[string]any)
	schemas := whole["components"].(map[string]any)["schemas"].(map[string]any)
	parts := map[string]bool{} // names of schemas that stand for a part of others
	findParts(whole, parts)
	for name, schema := range schemas {
		closeSchema(schema, parts[name])
	}
	closeSchema(whole["paths"], false)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", whole); err != nil {
		t.Fatal(err)
	}
	return Description{Paths: whole["paths"].(map[string]any), Schemas: schemas, compiler: compiler}
}

func findParts(node any, parts map[string]bool) {
	switch node := node.(type) {
	case map[string]any:
		if all, ok := node["allOf"].([]any); ok {
			for _, part := range all {
				if ref, ok := part.(map[string]any)["$ref"].(string); ok {
					parts[strings.TrimPrefix(ref, "#/components/schemas/")] = true
				}
			}
		}
		for _, child := range node {
			findParts(child, parts)
		}
	case []any:
		for _, child := range node {
			findParts(child, parts)
		}
	}
}

// closeSchema forbids properties that the schema does not name. A part of another schema stays
// open: the whole is closed.
func closeSchema(node any, part bool) {
	switch node := node.(type) {
	case map[string]any:
		_, composed := node["allOf"]
		_, object := node["properties"]
		_, said := node["additionalProperties"]
		switch {
		case part || said:
		case composed:
			node["unevaluatedProperties"] = false
		case object:
			node["additionalProperties"] = false
		}
		for key, child := range node {
			closeSchema(child, key == "allOf")
		}
	case []any:
		for _, child := range node {
			closeSchema(child, part)
		}
	}
}

// Check compares an answer of an operation with the schema of its status and returns the
// differences. path is written as in the description. A body whose described type is not JSON is
// not read.
func (d Description) Check(method, path string, status int, body []byte) error {
	pointer := fmt.Sprintf("openapi.json#/paths/%s/%s/responses/%d", escape(path), strings.ToLower(method), status)
	response, ok := d.Responses(method, path)[fmt.Sprint(status)].(map[string]any)
	if !ok {
		return fmt.Errorf("the status is not described")
	}
	if ref, ok := response["$ref"].(string); ok {
		pointer = "openapi.json" + ref
	} else if content, ok := response["content"].(map[string]any); !ok {
		if len(body) > 0 {
			return fmt.Errorf("a body is not described")
		}
		return nil
	} else if _, ok := content["application/json"]; !ok {
		return nil
	}
	schema, err := d.compiler.Compile(pointer + "/content/application~1json/schema")
	if err != nil {
		return err
	}
	answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(answer)
}

// Operation returns the description of an operation, or nil.
func (d Description) Operation(method, path string) map[string]any {
	operations, _ := d.Paths[path].(map[string]any)
	operation, _ := operations[strings.ToLower(method)].(map[string]any)
	return operation
}

// Responses returns the described answers of an operation by status.
func (d Description) Responses(method, path string) map[string]any {
	responses, _ := d.Operation(method, path)["responses"].(map[string]any)
	return responses
}

// escape writes a path as a part of a JSON pointer in an address.
func escape(path string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path)
}

// Described lists the operations as "GET /api/venue/{uuid}", sorted.
func (d Description) Described() []string {
	var described []string
	for path, operations := range d.Paths {
		for method := range operations.(map[string]any) {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(described)
	return described
}

// Served lists the routes of an app below /api in the same form, except for the documentation's
// own.
func Served(app *fiber.App) []string {
	var served []string
	for _, route := range app.GetRoutes(true) {
		path := route.Path
		for _, name := range route.Params {
			path = strings.Replace(path, ":"+name, "{"+name+"}", 1)
		}
		about := strings.HasSuffix(path, "/openapi.json") || strings.HasSuffix(path, "/docs") || strings.Contains(path, "/docs/")
		if strings.HasPrefix(path, "/api/") && !about && route.Method != fiber.MethodHead {
			served = append(served, route.Method+" "+path)
		}
	}
	slices.Sort(served)
	return served
}

package apidocstest

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAKeyThatIsThereTwiceIsFound(t *testing.T) {
	for document, twice := range map[string]bool{
		`{"a":[{"b":1,"c":{},"b":2}]}`: true,
		`{"a":[{"b":1},{"b":2}]}`:      false,
	} {
		if err := uniqueKeys(json.NewDecoder(strings.NewReader(document))); (err != nil) != twice {
			t.Errorf("%s: %v", document, err)
		}
	}
}

func TestCheckIsStrict(t *testing.T) {
	d := Describe(t, []byte(`{"components": {"schemas": {"Named": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}},
		"paths": {"/api/thing/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {
			"allOf": [{"$ref": "#/components/schemas/Named"}, {"properties": {"size": {"type": "integer"}}}]}}}}, "304": {}}}}}}`))
	for _, test := range []struct {
		status int
		body   string
		right  bool
	}{
		{200, `{"name": "x", "size": 1}`, true},
		{200, `{"name": "x"}`, true},
		{200, `{"size": 1}`, false},
		{200, `{"name": "x", "more": 1}`, false},
		{200, `{"name": null}`, false},
		{304, ``, true},
		{304, `{}`, false},
		{404, `{}`, false},
	} {
		if err := d.Check("GET", "/api/thing/{id}", test.status, []byte(test.body)); (err == nil) != test.right {
			t.Errorf("%d %s: %v", test.status, test.body, err)
		}
	}
}

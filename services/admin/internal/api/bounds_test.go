package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/api/openapi"
)

// lengths are the maximum lengths of the texts of accounts and teams, by their names in bodies.
var lengths = map[string]int{
	"email": adminapi.MaxAddress, "password": adminapi.MaxPassword, "new_password": adminapi.MaxPassword,
	"token": adminapi.MaxToken, "refresh_token": adminapi.MaxToken,
	"display_name": adminapi.MaxName, "first_name": adminapi.MaxName, "last_name": adminapi.MaxName, "name": adminapi.MaxName,
	"subject": adminapi.MaxName, "title": adminapi.MaxName, "message": adminapi.MaxText, "url": 2_048, "description": adminapi.MaxText,
}

// TestBoundsOfAccountsAreDescribed: every text of their bodies has a length or a set of values, and
// every number a least value, as the service checks them.
func TestBoundsOfAccountsAreDescribed(t *testing.T) {
	t.Parallel()
	description, found := apidocstest.Describe(t, openapi.JSON()), 0
	for _, w := range writes {
		account := !strings.Contains(w.operation, "/admin/") || strings.Contains(w.operation, "/admin/user") || strings.Contains(w.operation, "/refresh")
		if w.body == unread || w.body == upload || !account && !strings.Contains(w.operation, "/team/") && !strings.Contains(w.operation, "/api-keys") {
			continue
		}
		h := hostile{examples: &examples{description: description}, write: w}
		h.method, h.path, _ = strings.Cut(w.operation, " ")
		for name, schema := range h.properties() {
			found++
			switch types := h.types(schema); {
			case schema["enum"] != nil, schema["format"] != nil, schema["pattern"] != nil, schema["const"] != nil, schema["oneOf"] != nil:
			case slices.Contains(types, "string") && fmt.Sprint(schema["maxLength"]) != fmt.Sprint(lengths[name]):
				t.Errorf("%s, %s: %v characters are described, %d read", w.operation, name, schema["maxLength"], lengths[name])
			case slices.Contains(types, "integer") && schema["minimum"] == nil:
				t.Errorf("%s, %s: no least value", w.operation, name)
			case name == "new_password" && fmt.Sprint(schema["minLength"]) != fmt.Sprint(adminapi.MinPassword):
				t.Errorf("%s, %s: at least %v characters are described", w.operation, name, schema["minLength"])
			}
		}
	}
	if found < 40 {
		t.Errorf("%d properties", found)
	}
}

// TestBodiesAreBounded: every text and list in a body, at any depth, has a bound or a set of
// values.
func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	description, found := apidocstest.Describe(t, openapi.JSON()), 0
	for _, w := range writes {
		if w.body == unread || w.body == upload {
			continue
		}
		h := hostile{examples: &examples{description: description}, write: w}
		h.method, h.path, _ = strings.Cut(w.operation, " ")
		var check func(name string, schema map[string]any)
		check = func(name string, schema map[string]any) {
			found++
			types := h.types(schema)
			bounded := slices.ContainsFunc([]string{"enum", "const", "format", "pattern", "oneOf", "$ref"}, func(key string) bool { return schema[key] != nil })
			if slices.Contains(types, "string") && !bounded && schema["maxLength"] == nil {
				t.Errorf("%s: %s has no longest text", w.operation, name)
			}
			if slices.Contains(types, "array") && schema["maxItems"] == nil {
				t.Errorf("%s: %s has no longest list", w.operation, name)
			}
			if items, lists := schema["items"].(map[string]any); lists {
				check(name+"[]", items)
			}
			properties, _ := schema["properties"].(map[string]any)
			for field, schema := range properties {
				check(name+"."+field, schema.(map[string]any))
			}
		}
		for name, schema := range h.properties() {
			check(name, schema)
		}
	}
	if found < 300 {
		t.Errorf("%d properties", found)
	}
}

// TestBoundsOfImportsAreDescribed: as the service checks them.
func TestBoundsOfImportsAreDescribed(t *testing.T) {
	t.Parallel()
	h := hostile{examples: &examples{description: apidocstest.Describe(t, openapi.JSON())}}
	h.method, h.path = "POST", "/api/admin/organization/{organizationId}/import"
	properties := h.properties()
	for _, name := range []string{"mapping", "venues", "kinds"} {
		if fmt.Sprint(properties[name]["maxItems"]) != fmt.Sprint(adminapi.MaxImportChoices) {
			t.Errorf("%s: %v are described", name, properties[name]["maxItems"])
		}
	}
	if fmt.Sprint(properties["content"]["maxLength"]) != fmt.Sprint(adminapi.MaxImportBytes) {
		t.Errorf("content: %v characters", properties["content"]["maxLength"])
	}
}

package check

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	litfass "litfass/deploy/clients/go"
)

// schema is a node of an OpenAPI document.
type schema = map[string]any

// openAPI is the whole OpenAPI document of query.
type openAPI struct{ top schema }

func queryDocument(t *testing.T) openAPI {
	t.Helper()
	content, err := os.ReadFile("../../services/query/internal/api/openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var d openAPI
	if err := yaml.Unmarshal(content, &d.top); err != nil {
		t.Fatal(err)
	}
	return d
}

// at returns the node at a path of keys.
func (d openAPI) at(keys ...string) schema {
	node := d.top
	for _, key := range keys {
		node, _ = node[key].(schema)
	}
	return node
}

// resolved follows a reference.
func (d openAPI) resolved(node any) schema {
	found, _ := node.(schema)
	if reference, is := found["$ref"].(string); is {
		return d.at(strings.Split(strings.TrimPrefix(reference, "#/"), "/")...)
	}
	return found
}

// properties returns those of an object, and of all that it is made of.
func (d openAPI) properties(node any) schema {
	all, found := schema{}, d.resolved(node)
	properties, _ := found["properties"].(schema)
	maps.Copy(all, properties)
	parts, _ := found["allOf"].([]any)
	either, _ := found["oneOf"].([]any) // the object, or null
	for _, part := range slices.Concat(parts, either) {
		maps.Copy(all, d.properties(part))
	}
	return all
}

// parameters returns those in the query of an operation, as properties.
func (d openAPI) parameters(path string) schema {
	all := schema{}
	list, _ := d.at("paths", path, "get")["parameters"].([]any)
	for _, one := range list {
		parameter := d.resolved(one)
		if parameter["in"] == "query" {
			all[fmt.Sprint(parameter["name"])] = parameter["schema"]
		}
	}
	return all
}

// TestGoClientIsAsDescribed: the types of the Go client have the properties and parameters of the
// OpenAPI document, with their types, and no others.
func TestGoClientIsAsDescribed(t *testing.T) {
	d := queryDocument(t)
	for name, value := range map[string]any{
		"EventsFound": litfass.EventsFound{}, "Facets": litfass.Facets{}, "Event": litfass.Event{}, "VenuesFound": litfass.VenuesFound{},
		"OrganizationsFound": litfass.OrganizationsFound{}, "ContributorsFound": litfass.ContributorsFound{}, "AllSeries": litfass.SeriesFound{}, "Suggestions": litfass.Suggestions{}, "Changes": litfass.ChangesPage{},
		"EventSearchQuery": litfass.Search{}, "FacetsQuery": litfass.FacetsQuery{}, "Violation": litfass.Detail{},
	} {
		d.compare(t, name, reflect.TypeOf(value), d.properties(d.at("components", "schemas", name)))
	}
	for path, value := range map[string]any{
		"/api/events": litfass.Search{}, "/api/events/facets": litfass.FacetsQuery{}, "/api/changes": litfass.ChangesQuery{},
		"/api/venues": litfass.VenueSearch{}, "/api/organizations": litfass.OrganizationSearch{},
		"/api/contributors": litfass.ContributorSearch{}, "/api/series": litfass.SeriesQuery{},
	} {
		want, got := slices.Sorted(maps.Keys(d.parameters(path))), slices.Sorted(maps.Keys(fieldsOf(reflect.TypeOf(value))))
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%T has the parameters %q, want those of %s: %q", value, got, path, want)
		}
	}
}

// fieldsOf returns the types of the fields of a struct, and of those embedded, by their names in
// JSON.
func fieldsOf(of reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			maps.Copy(all, fieldsOf(field.Type))
		case name != "-":
			all[name] = field.Type
		}
	}
	return all
}

// compare compares a struct with the properties of an object, and so on within it.
func (d openAPI) compare(t *testing.T, name string, of reflect.Type, properties schema) {
	t.Helper()
	fields := fieldsOf(of)
	want, got := slices.Sorted(maps.Keys(properties)), slices.Sorted(maps.Keys(fields))
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%s has the fields %q, want %q", name, got, want)
		return
	}
	for property, field := range fields {
		d.compareType(t, name+"."+property, field, d.resolved(properties[property]))
	}
}

func (d openAPI) compareType(t *testing.T, name string, of reflect.Type, node schema) {
	t.Helper()
	kind, nullable := typeOf(node)
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	} else if nullable && kind != "string" && kind != "object" {
		t.Errorf("%s may be null, and is a %s", name, of)
	}
	wants := map[string]reflect.Kind{
		"string": reflect.String, "integer": reflect.Int, "number": reflect.Float64, "boolean": reflect.Bool, "array": reflect.Slice,
	}
	switch want, simple := wants[kind]; {
	case kind == "object" && of.Kind() == reflect.Map:
		if element, is := node["additionalProperties"].(schema); is {
			d.compareType(t, name+"[]", of.Elem(), d.resolved(element))
		}
	case kind == "object" && of.Kind() == reflect.Struct:
		d.compare(t, name, of, d.properties(node))
	case kind == "object":
		if of.Name() != "RawMessage" {
			t.Errorf("%s is a %s, want an object", name, of)
		}
	case !simple || of.Kind() != want:
		t.Errorf("%s is a %s, want %s", name, of, kind)
	case kind == "array":
		d.compareType(t, name+"[]", of.Elem(), d.resolved(node["items"]))
	}
}

// typeOf returns the type of a schema, which may also be null.
func typeOf(node schema) (kind string, nullable bool) {
	switch of := node["type"].(type) {
	case string:
		return of, false
	case []any:
		return fmt.Sprint(of[0]), true
	}
	return "object", false // made of others
}

package check

import (
	"os"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"

	"litfass/pkg/contracts/language"
)

// description is the part of an OpenAPI document that the tests of this package read.
type description struct {
	Paths      map[string]any
	Components struct {
		Schemas struct {
			Locale          struct{ Enum []string } `yaml:"Locale"`
			TypeGenreLookup struct {
				PropertyNames struct{ Enum []string } `yaml:"propertyNames"`
			} `yaml:"TypeGenreLookup"`
		}
	}
}

// describe reads the OpenAPI document of a service.
func describe(t *testing.T, service string) description {
	t.Helper()
	content, err := os.ReadFile("../../services/" + service + "/internal/api/openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := yaml.Unmarshal(content, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Paths) == 0 {
		t.Fatalf("%s describes no paths", service)
	}
	return d
}

// TestDescriptionsNameEveryLanguage compares the enumerations of the OpenAPI documents with the
// list.
func TestDescriptionsNameEveryLanguage(t *testing.T) {
	want := slices.Sorted(slices.Values(language.Codes))
	for name, got := range map[string][]string{
		"Locale of admin":          describe(t, "admin").Components.Schemas.Locale.Enum,
		"TypeGenreLookup of query": describe(t, "query").Components.Schemas.TypeGenreLookup.PropertyNames.Enum,
	} {
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s allows the languages %q, want %q", name, got, want)
		}
	}
}

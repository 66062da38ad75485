package check

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"litfass/pkg/contracts/language"
)

// description is the part of an OpenAPI document that the tests of this package read.
type description struct {
	Paths      map[string]any
	Components struct {
		Schemas struct {
			Locale          struct{ Enum []string }      `yaml:"Locale"`
			Violation       struct{ Description string } `yaml:"Violation"`
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

// unfiltered are the parameters of the search that choose no dates, and not_over, without which the
// site shows past days.
var unfiltered = []string{
	"not_over", "sort", "group", "total", "limit", "offset", "last_event_start_at", "last_event_date_uuid", "lang", "Litfass-Position",
}

// TestEveryFilterHasAChip: the site names every filter of the search, with a link that removes it.
func TestEveryFilterHasAChip(t *testing.T) {
	description, err := os.ReadFile("../../services/query/internal/api/openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	chips, err := os.ReadFile("../../services/site/internal/filter/chips.go")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(description), "parameters: &eventParameters\n")
	block, _, _ = strings.Cut(block, "responses:")
	filters := regexp.MustCompile(`parameters/(\w+)"`).FindAllStringSubmatch(block, -1)
	if len(filters) < 30 {
		t.Fatalf("the search has %d parameters: is the pattern right?", len(filters))
	}
	for _, match := range filters {
		_, entry, _ := strings.Cut(string(description), "\n    "+match[1]+":\n")
		_, name, _ := strings.Cut(entry, "name: ")
		name, _, _ = strings.Cut(name, "\n")
		if !slices.Contains(unfiltered, name) && !strings.Contains(string(chips), `"`+name+`"`) {
			t.Errorf("the site shows no chip for %s", name)
		}
	}
}

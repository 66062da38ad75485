package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"litfass/services/admin/internal/api/openapi"
)

type describedParameter struct {
	Ref  string `json:"$ref"`
	Name string `json:"name"`
	In   string `json:"in"`
}

// TestParametersAreDescribed compares the parameters that operations take with the description.
func TestParametersAreDescribed(t *testing.T) {
	t.Parallel()
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []describedParameter `json:"parameters"`
		} `json:"paths"`
		Components struct {
			Parameters map[string]describedParameter `json:"parameters"`
		} `json:"components"`
	}
	if err := json.Unmarshal(openapi.JSON(), &document); err != nil {
		t.Fatal(err)
	}
	described := map[string][]string{}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			name := strings.ToUpper(method) + " " + strings.NewReplacer("{", ":", "}", "").Replace(path)
			for _, parameter := range operation.Parameters {
				if parameter.Ref != "" {
					parameter = document.Components.Parameters[strings.TrimPrefix(parameter.Ref, "#/components/parameters/")]
				}
				if parameter.In == "query" && parameter.Name != anyTakes {
					described[name] = append(described[name], parameter.Name)
				}
			}
		}
	}
	for operation, names := range described {
		if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(takes[operation]))) {
			t.Errorf("%s takes %q and is described with %q", operation, takes[operation], names)
		}
	}
	for _, operation := range slices.Sorted(maps.Keys(takes)) {
		if described[operation] == nil {
			t.Errorf("%s takes %q and is described without parameters", operation, takes[operation])
		}
	}
}

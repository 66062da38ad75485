package main

import (
	"reflect"
	"testing"

	"litfass/deploy/local/engine"
)

// TestRequirements: tests get the engines of the helpers in use, and no others.
func TestRequirements(t *testing.T) {
	for _, test := range []struct {
		path string
		want requirement
	}{
		{"./pkg/chassis/fault", requirement{}},
		{"./services/query/internal/filter", requirement{}},
		{"./services/query/internal/suggest", requirement{engines: engine.Need{Meili: true}}},
		{"./services/admin/internal/publish/outbox", requirement{engines: engine.Need{Postgres: true, NATS: true}}},
		{"./services/projector/internal/node", requirement{engines: engine.Need{NATS: true, Meili: true}}},
		{"./services/console/internal/page", requirement{bundles: []string{"console"}}},
	} {
		dependencies, err := listDependencies(t.Context(), "../..", []string{test.path})
		if err != nil {
			t.Fatal(err)
		}
		if got := requirements(dependencies); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s needs %+v, want %+v", test.path, got, test.want)
		}
	}
}

// TestHelpersExist: a moved helper would leave its tests without an engine.
func TestHelpersExist(t *testing.T) {
	for path := range helpers {
		if _, err := listDependencies(t.Context(), "../..", []string{path}); err != nil {
			t.Error(err)
		}
	}
}

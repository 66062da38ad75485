package main

import (
	"slices"
	"testing"
)

func TestBreaches(t *testing.T) {
	r := rule{from: []string{"a/pure", "a/gone"}, never: []string{"x/engine"}, why: "because"}
	reach := map[string][]string{
		"a/pure":       {"fmt", "x/engines"},
		"a/pure/below": {"fmt", "x/engine/client"},
		"a/purely":     {"x/engine"},
	}
	want := []string{"a/pure/below reaches x/engine: because", "no package a/gone: the fence's rules need it"}
	if got := r.breaches(reach); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWingRules(t *testing.T) {
	reach := map[string][]string{
		"a/api/pages": {"a/people/user", "a/platform"},
		"a/people":    {"a/api/pages", "a/platform"},
		"a/platform":  {"a/people/user", "a/apis"},
	}
	want := []string{
		"a/people reaches a/api: imports run api → people → platform",
		"a/platform reaches a/people: imports run api → people → platform",
	}
	var got []string
	for _, r := range wingRules("a", "api", "people", "platform") {
		got = append(got, r.breaches(reach)...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnitPackages(t *testing.T) {
	got, err := UnitPackages(t.Context(), "../../local", []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(got, "litfass/deploy/local/gateway") || slices.Contains(got, "litfass/deploy/local/stack") {
		t.Errorf("got %q", got)
	}
}

package search

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

// comparedDetails is how many events are compared.
var comparedDetails = harness.Scale(120, 400)

// testDetails compares whole events with the reference, the last ones of the catalogue first, which
// are new after edits.
func testDetails(s *harness.System, t *testing.T, c *reference.Catalogue) {
	details, left, failures := s.Reference(c).Details(), comparedDetails, 0
	for _, event := range slices.Backward(c.Events) {
		want, public := details[event.UUID]
		if !public {
			continue
		}
		if left--; left < 0 || failures > 10 {
			return
		}
		answer, err := s.Client.Get(t.Context(), "/api/event/"+event.UUID)
		if err != nil {
			t.Fatal(err)
		}
		got, err := client.Data[any](answer, "get-event")
		if err != nil {
			t.Fatal(err)
		}
		if err := shows(got, plain(t, want)); err != nil {
			t.Errorf("event %s: %v", event.UUID, err)
			failures++
		}
	}
}

// plain returns a value as it is decoded from its JSON.
func plain(t *testing.T, value any) (decoded any) {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

// shows compares a value of JSON with the one that it must be. An object may have further keys,
// except where its keys are languages.
func shows(got, want any) error {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("is %v, want %v", got, want)
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if err := shows(object[key], want[key]); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			if key == "texts" && len(object[key].(map[string]any)) != len(want[key].(map[string]any)) {
				return fmt.Errorf("texts are %v, want %v", object[key], want[key])
			}
		}
		return nil
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return fmt.Errorf("is %v, want %v", got, want)
		}
		for i := range want {
			if err := shows(list[i], want[i]); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	default:
		if !reference.SameValue(got, want) {
			return fmt.Errorf("is %v, want %v", got, want)
		}
		return nil
	}
}

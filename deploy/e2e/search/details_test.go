package search

import (
	"slices"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/chassis/lane"
)

// comparedDetails is how many events are compared.
var comparedDetails = lane.Scale(120, 400)

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
		if err := reference.Shows(got, reference.Fields(want)); err != nil {
			t.Errorf("event %s: %v", event.UUID, err)
			failures++
		}
	}
}

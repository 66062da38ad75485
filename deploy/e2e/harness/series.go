package harness

import (
	"net/http"
	"reflect"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
)

// CheckSeries checks that the public reads exactly the public series of a catalogue, each with its
// image. It returns how many have one.
func (s *System) CheckSeries(t *testing.T, c *reference.Catalogue) (pictured int) {
	t.Helper()
	ref := s.Reference(c)
	for _, one := range c.Series {
		want := ref.Series(one)
		answer, err := s.Client.Get(t.Context(), "/api/series/"+one.UUID)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			if answer.Status != http.StatusNotFound {
				t.Errorf("series %s, which is not public, answers %d", one.UUID, answer.Status)
			}
			continue
		}
		got, err := client.Data[reference.ShownSeries](answer, "get-series")
		if err != nil {
			t.Fatalf("series %s: %v", one.UUID, err)
		}
		if !reflect.DeepEqual(&got, want) {
			t.Errorf("series %s is %+v with %+v, want %+v with %+v", one.UUID, got, got.Image, *want, want.Image)
		}
		if want.Image != nil {
			pictured++
		}
	}
	return pictured
}

package search

import (
	"encoding/json"
	"fmt"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

// TestFewContributorsAreShown: those with the most dates; of other dimensions all values.
func TestFewContributorsAreShown(t *testing.T) {
	t.Parallel()
	counts, labels := map[string]int{}, map[string]string{}
	for i := range 2 * mostContributors {
		value := fmt.Sprintf("c%03d", i)
		counts[value], labels[value] = i/2, "Trio "+value
	}
	tally := &cache.Tally{}
	for _, name := range []string{"contributor", "venue_uuids"} {
		tally.Facets = append(tally.Facets, cache.Facet{Name: name, Counts: []map[string]int{counts}, Labels: labels})
	}
	data, err := encodeFacets(tally, params.Days{}, nil)
	var shown publicapi.Facets
	if err == nil {
		err = json.Unmarshal(data, &shown)
	}
	if err != nil {
		t.Fatal(err)
	}
	contributors := shown.Facets["contributor"]
	if len(contributors) != mostContributors || len(shown.Facets["venue_uuids"]) != len(counts) {
		t.Fatalf("%d contributors, %d venues", len(contributors), len(shown.Facets["venue_uuids"]))
	}
	if first, last := contributors[0], contributors[mostContributors-1]; first.Value != "c198" || last.Value != "c101" {
		t.Errorf("from %v to %v", first, last)
	}
}

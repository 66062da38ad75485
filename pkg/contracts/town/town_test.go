package town_test

import (
	"slices"
	"testing"

	"litfass/pkg/contracts/town"
)

// TestAll: the embedded file has the towns, the largest first, at their positions.
func TestAll(t *testing.T) {
	towns := town.All()
	if len(towns) < 50_000 || !slices.IsSortedFunc(towns, func(a, b town.Town) int { return b.Population - a.Population }) {
		t.Fatalf("%d towns, or not by their population", len(towns))
	}
	for _, want := range []town.Town{
		{"Kiel", "DEU", 54.3213, 10.1349, 232758}, {"Sønderborg", "DNK", 54.909, 9.7892, 27033}, {"Köln", "DEU", 50.9333, 6.95, 963395},
	} {
		if !slices.Contains(towns, want) {
			t.Errorf("no %+v", want)
		}
	}
	for _, found := range towns {
		if found.Name == "" || len(found.Country) != 3 || found.Lat < -90 || found.Lat > 90 || found.Lon < -180 || found.Lon > 180 {
			t.Fatalf("the row of %+v", found)
		}
	}
}

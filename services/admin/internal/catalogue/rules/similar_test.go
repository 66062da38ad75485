package rules_test

import (
	"math"
	"testing"

	"litfass/services/admin/internal/catalogue/rules"
)

func TestSimilarNames(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"Alte Post", "alte  post", true},
		{"Alte Post", "Altes Post", true},
		{"Theater", "Teater", true},
		{"Kühlhaus", "Kuehlhaus", true},
		{"Kühlhaus", "Kuhlhaus e. V.", true},
		{"Kulturhaus", "Kulturhaus Nord", true},
		{"Nord Kulturhaus", "Kulturhaus Nord", true},
		{"!!!", "!!!", true},
		{"Bar", "Bar Central", false},
		{"Alte Post", "Neue Mitte", false},
		{"Theater", "Museum", false},
		{"!!!", "Museum", false},
		{"", "Museum", false},
	} {
		if got := rules.SimilarNames(test.a, test.b); got != test.want {
			t.Errorf("%q and %q: %v", test.a, test.b, got)
		}
		if got := rules.SimilarNames(test.b, test.a); got != test.want {
			t.Errorf("%q and %q: %v", test.b, test.a, got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct{ lat1, lon1, lat2, lon2, want float64 }{
		{54.79, 9.43, 54.79, 9.43, 0},
		{54.7937, 9.4469, 54.7937, 9.4484543, 100}, // along a parallel
		{0, 179.9995, 0, -179.9996, 100},           // across the antimeridian
		{90, 0, 90, 180, 0},
		{0, 0, 0, 180, math.Pi * 6_371_008.8},
	} {
		got := rules.Distance(test.lat1, test.lon1, test.lat2, test.lon2)
		if math.Abs(got-test.want) > 0.5 {
			t.Errorf("%v: %v m", test, got)
		}
	}
}

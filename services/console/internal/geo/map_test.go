package geo

import "testing"

// TestSplitPair: two coordinates in the first field fill both, as maps and people write them; all
// else stays as it was typed.
func TestSplitPair(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lat, lon, wantLat, wantLon string }{
		{"54.79, 9.43", "", "54.79", "9.43"},
		{" 54.79 9.43 ", " ", "54.79", "9.43"},
		{"-33.45;-70.66", "", "-33.45", "-70.66"},
		{"54,79; 9,43", "", "54,79", "9,43"},
		{"54,79 9,43", "", "54,79", "9,43"},
		{"54.79, 9.43", "10.1", "54.79, 9.43", "10.1"},
		{"54,79", "", "54,79", ""},
		{"54, 9", "", "54, 9", ""},
		{"Kiel", "", "Kiel", ""},
		{"", "", "", ""},
	} {
		if lat, lon := SplitPair(c.lat, c.lon); lat != c.wantLat || lon != c.wantLon {
			t.Errorf("%q and %q become %q and %q", c.lat, c.lon, lat, lon)
		}
	}
}

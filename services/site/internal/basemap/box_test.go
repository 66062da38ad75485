package basemap

import (
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

func parsed(t *testing.T, text string) Box {
	t.Helper()
	b, err := ParseBox(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b
}

func TestBoxesAreWrittenAsTheyAreRead(t *testing.T) {
	for in, want := range map[string]string{
		"9.3,54.7,9.6,54.9":   "9.3,54.7,9.6,54.9",
		"170,-20,-170,-10":    "170,-20,-170,-10", // across the antimeridian
		"170,-20,190,-10":     "170,-20,-170,-10",
		"-190,-20,-170,-10":   "170,-20,-170,-10",
		"370,10,380,20":       "10,10,20,20",
		"160,0,180,10":        "160,0,180,10",
		"-180,0,-170,10":      "-180,0,-170,10",
		"-180,-90,180,90":     "-180,-85.0511,180,85.0511",
		"-400,-10,400,10":     "-180,-10,180,10",
		"9.123456,54,10,55.5": "9.1235,54,10,55.5",
		"9,54,9,54":           "9,54,9,54",
	} {
		if got := parsed(t, in).String(); got != want {
			t.Errorf("%s is written %s, want %s", in, got, want)
		}
	}
}

func TestWhatIsNoBox(t *testing.T) {
	for _, text := range []string{
		"", "9", "9,54,10", "9,54,10,55,1", "a,54,10,55", "NaN,54,10,55", "9,NaN,10,55", "9,55,10,54", "9,-91,10,0", "9,0,10,91", "Inf,0,1,1",
		"541,0,545,1", "9 ,54,10,55", "540,0,-540,1",
	} {
		if b, err := ParseBox(text); err == nil {
			t.Errorf("%q is read as %s", text, b)
		}
	}
}

func TestAMapHasItsForm(t *testing.T) {
	for _, text := range []string{
		"9.3,54.7,9.6,54.9", "9,54,9,54", "-180,-90,180,90", "170,-20,-170,-10", "0,80,10,90", "0,-90,1,-89", "5,45,6,60", "-10,50,30,51",
	} {
		whole := parsed(t, text)
		shaped := whole.Shaped(0.05)
		if math.Abs(shaped.h/shaped.w-Ratio) > 1e-9 || shaped.w > 1 || shaped.w < smallest || shaped.y < 0 || shaped.y+shaped.h > 1 {
			t.Errorf("%s becomes %+v", text, shaped)
		}
		if whole.w < 0.7 && !(shaped.w >= whole.w && shaped.h >= whole.h) {
			t.Errorf("%s becomes the smaller %s", text, shaped)
		}
		again := parsed(t, shaped.String()).Shaped(0)
		if math.Abs(again.w-shaped.w) > shaped.w/100 {
			t.Errorf("%s grows from %s to %s", text, shaped, again)
		}
	}
}

func TestAroundPoints(t *testing.T) {
	for _, c := range []struct {
		points []orb.Point
		want   string
	}{
		{nil, "-180,-85.0511,180,85.0511"},
		{[]orb.Point{{9.43, 54.78}}, "9.43,54.78,9.43,54.78"},
		{[]orb.Point{{9.43, 54.78}, {10.1, 54.3}}, "9.43,54.3,10.1,54.78"},
		{[]orb.Point{{178, -18}, {-172, -13}, {175, -37}}, "175,-37,-172,-13"}, // Fiji, Samoa, New Zealand
		{[]orb.Point{{-180, 0}, {180, 1}}, "180,0,180,1"},                      // the same meridian
	} {
		if got := Around(c.points).String(); got != c.want {
			t.Errorf("around %v: %s, want %s", c.points, got, c.want)
		}
	}
}

func TestWherePointsAre(t *testing.T) {
	pacific := parsed(t, "170,-20,-170,-10")
	for _, c := range []struct {
		point  orb.Point
		x      float64
		inside bool
	}{
		{orb.Point{175, -15}, 0.25, true}, {orb.Point{-175, -15}, 0.75, true}, {orb.Point{180, -15}, 0.5, true},
		{orb.Point{-180, -15}, 0.5, true}, {orb.Point{0, -15}, 0, false}, {orb.Point{175, 15}, 0, false},
	} {
		x, _, inside := pacific.At(c.point)
		if inside != c.inside || (inside && math.Abs(x-c.x) > 1e-9) {
			t.Errorf("%v is at %v (%v)", c.point, x, inside)
		}
	}
	if _, y, inside := parsed(t, "0,0,10,10").At(orb.Point{5, 5}); !inside || y < 0.49 || y > 0.51 {
		t.Errorf("the middle is at %v", y)
	}
}

func TestMovingAndZooming(t *testing.T) {
	b := parsed(t, "160,0,176,1").Shaped(0)
	if got := b.Moved(0.5, 0).String(); !strings.HasPrefix(got, "168,") || !strings.Contains(got, ",-176,") {
		t.Errorf("moved east across the antimeridian: %s", got)
	}
	if got := b.Moved(0, -1e6); got.y != 0 {
		t.Errorf("moved beyond the pole: %+v", got)
	}
	if got := b.Zoomed(0.5); !got.Finer(b) || math.Abs(got.w-b.w/2) > 1e-12 {
		t.Errorf("zoomed in: %+v", got)
	}
	if got := b.Zoomed(1e9); got.w != 1 || got.h != Ratio {
		t.Errorf("zoomed out: %+v", got)
	}
	if got := b.Zoomed(1e-9); got.w != smallest || got.Zoomed(0.5).Finer(got) {
		t.Errorf("zoomed in without end: %+v", got)
	}
}

// TestTheCircleHoldsTheBox at every latitude and across the antimeridian.
func TestTheCircleHoldsTheBox(t *testing.T) {
	for _, text := range []string{"9,54,10,55", "179,-10,-179,-9", "0,-2,4,3", "20,83,25,84", "-8,-60,1,-55"} {
		b := parsed(t, text)
		centre, radius, ok := b.Circle()
		if !ok || centre.Lon() < -180 || centre.Lon() > 180 {
			t.Errorf("%s: %v %v", text, centre, ok)
		}
		west, south, east, north := b.degrees()
		for i := 0.0; i <= 1; i += 0.1 {
			for j := 0.0; j <= 1; j += 0.1 {
				p := orb.Point{west + i*(east-west), south + j*(north-south)}
				if distance := metres(centre, p); distance > radius {
					t.Errorf("%s: %v is %v m away, beyond %v", text, p, distance, radius)
				}
			}
		}
	}
	if _, _, ok := parsed(t, "0,40,20,60").Circle(); ok {
		t.Error("a continent has a circle")
	}
}

// metres is the distance of two points on a sphere by the law of cosines.
func metres(a, b orb.Point) float64 {
	radians := math.Pi / 180
	cosine := math.Sin(a.Lat()*radians)*math.Sin(b.Lat()*radians) +
		math.Cos(a.Lat()*radians)*math.Cos(b.Lat()*radians)*math.Cos((a.Lon()-b.Lon())*radians)
	return math.Acos(max(-1, min(1, cosine))) * 6_378_137
}

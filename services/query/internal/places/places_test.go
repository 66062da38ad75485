package places

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"litfass/services/query/internal/params"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct{ lat1, lon1, lat2, lon2, want float64 }{
		{0, 0, 0, 0, 0},
		{0, 0, 0, 180, math.Pi * earthRadius},
		{90, 0, -90, 77, math.Pi * earthRadius},
		{0, 0, 0, 1, degree * earthRadius},
		{10, 179.5, 10, -179.5, 2 * earthRadius * math.Asin(math.Cos(10*degree)*math.Sin(0.5*degree))}, // over the antimeridian
		{90, 0, 90, 120, 0}, // the pole has every longitude
		{52.520008, 13.404954, 48.856613, 2.352222, byVectors(52.520008, 13.404954, 48.856613, 2.352222)}, // Berlin and Paris
		{52.5, 13.4, 52.500001, 13.4, 0.1112}, // points close together keep their digits
	} {
		got := Distance(test.lat1, test.lon1, test.lat2, test.lon2)
		if math.Abs(got-test.want) > 1e-4*max(1, test.want/1e5) {
			t.Errorf("%v: %v metres, want %v", test, got, test.want)
		}
		if back := Distance(test.lat2, test.lon2, test.lat1, test.lon1); back != got {
			t.Errorf("%v: %v metres there, %v back", test, got, back)
		}
	}
}

// byVectors computes the distance in another way: by the angle between the vectors to the points.
func byVectors(lat1, lon1, lat2, lon2 float64) float64 {
	vector := func(lat, lon float64) [3]float64 {
		return [3]float64{math.Cos(lat*degree) * math.Cos(lon*degree), math.Cos(lat*degree) * math.Sin(lon*degree), math.Sin(lat * degree)}
	}
	a, b := vector(lat1, lon1), vector(lat2, lon2)
	cross := math.Hypot(math.Hypot(a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2]), a[0]*b[1]-a[1]*b[0])
	return earthRadius * math.Atan2(cross, a[0]*b[0]+a[1]*b[1]+a[2]*b[2])
}

// TestCircleSkipsNoVenue compares the search with the plain distance.
func TestCircleSkipsNoVenue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	venues := make([]Venue, 2000)
	for i := range venues {
		venues[i] = Venue{UUID: fmt.Sprintf("%04d", i), Lat: 180*random.Float64() - 90, Lon: 360*random.Float64() - 180}
	}
	m := newMap(venues, nil)
	for range 200 {
		at := venues[random.IntN(len(venues))]
		c := params.Circle{Lat: at.Lat, Lon: at.Lon, Radius: math.Pow(10, 7.4*random.Float64())}
		var want []string
		for _, v := range venues {
			if Distance(c.Lat, c.Lon, v.Lat, v.Lon) <= c.Radius {
				want = append(want, v.UUID)
			}
		}
		if got := m.Allowed(&c, nil); !got.Limited || !slices.Equal(got.Venues, want) {
			t.Fatalf("%+v: %d venues, want %d", c, len(got.Venues), len(want))
		}
	}
}

// square has a square hole; the notch of arrow points to the north; islands are two.
const (
	square  = `{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[6,4],[6,6],[4,6],[4,4]]]}`
	arrow   = `{"type":"Polygon","coordinates":[[[0,0],[5,3],[10,0],[5,10]]]}`
	islands = `{"type":"MultiPolygon","coordinates":[[[[170,-20],[180,-20],[180,-10],[170,-10],[170,-20]]],[[[-180,-20],[-170,-20],[-170,-10],[-180,-10],[-180,-20,99]]]]}`
)

func TestAreaContains(t *testing.T) {
	for _, test := range []struct {
		name, geometry string
		lon, lat       float64
		want           bool
	}{
		{"inside", square, 2, 2, true}, {"outside", square, 11, 5, false}, {"beside a corner's height", square, -1, 10, false},
		{"corner", square, 10, 10, true}, {"edge", square, 0, 5, true}, {"upper edge", square, 5, 10, true},
		{"hole", square, 5, 5, false}, {"edge of the hole", square, 4, 5, false}, {"beside the hole", square, 3.999, 5, true},
		{"at the height of the hole's corners", square, 2, 4, true},
		{"arrow", arrow, 5, 5, true}, {"notch", arrow, 5, 2, false}, {"tip of the notch", arrow, 5, 3, true},
		{"closing edge", arrow, 2.5, 5, true}, {"left of the closing edge", arrow, 2.4, 5, false},
		{"west of the antimeridian", islands, 175, -15, true}, {"east of it", islands, -175, -15, true},
		{"on it", islands, 180, -15, true}, {"on it by its other name", islands, -180, -15, true}, {"far away", islands, 0, -15, false},
	} {
		a, err := parseArea([]byte(test.geometry))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.contains(test.lon, test.lat); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestUnreadableGeometriesAreReported(t *testing.T) {
	geometries := map[params.Region][]byte{{Region: "good"}: []byte(square)}
	for name, geometry := range map[string]string{
		"point": `{"type":"Point","coordinates":[1,2]}`, "broken": `{`, "text": `{"type":"Polygon","coordinates":"x"}`, "null": `null`,
	} {
		geometries[params.Region{Region: name}] = []byte(geometry)
	}
	areas, unreadable := parseRegions(geometries)
	if len(areas) != 1 || len(unreadable) != 4 {
		t.Errorf("%d areas, %d unreadable", len(areas), len(unreadable))
	}
	empty, err := parseArea([]byte(`{"type":"Polygon","coordinates":[]}`))
	if err != nil || empty.contains(0, 0) {
		t.Errorf("an empty polygon: %v", err)
	}
}

func TestAllowedJoinsCircleAndRegion(t *testing.T) {
	shape, err := parseArea([]byte(square))
	if err != nil {
		t.Fatal(err)
	}
	name := params.Region{Country: "a", State: "b", Region: "c"}
	areas := map[params.Region]area{name: shape}
	m := newMap([]Venue{{"d", 1, 1}, {"c", 9, 9}, {"b", 5, 5}, {"a", 11, 11}}, areas)
	circle := params.Circle{Lat: 10, Lon: 10, Radius: 400_000}
	for _, test := range []struct {
		circle *params.Circle
		region *params.Region
		want   string
	}{
		{nil, &name, "c d"}, {&circle, nil, "a c"}, {&circle, &name, "c"}, {nil, &params.Region{Country: "a.b", Region: "c"}, ""},
		{&circle, &params.Region{}, ""},
	} {
		got := m.Allowed(test.circle, test.region)
		if !got.Limited || strings.Join(got.Venues, " ") != test.want {
			t.Errorf("%v %v: %+v, want %s", test.circle, test.region, got, test.want)
		}
	}
	if m.Allowed(nil, nil).Limited {
		t.Error("without circle and region, places are limited")
	}
}

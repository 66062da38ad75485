package land

import (
	"encoding/json"
	"strings"
	"testing"
)

// islands is a drawing of three squares: one of ten degrees on the equator with a lake, and one on
// each side of the antimeridian.
const islands = `{"type":"MultiPolygon","coordinates":[
	[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[4,6],[6,6],[6,4],[4,4]]],
	[[[170,0],[180,0],[180,10],[170,10],[170,0]]],
	[[[-180,0],[-175,0],[-175,10],[-180,10],[-180,0]]]]}`

func drawn(t *testing.T) *Drawing {
	t.Helper()
	d, err := Read(islands, islands)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheLandInABox(t *testing.T) {
	d := drawn(t)
	for _, c := range []struct {
		box   string
		rings int
	}{
		{"-20,-10,30,20", 2}, // the island and its lake
		{"1,1,2,2", 1},       // nothing but land
		{"20,0,30,7.5", 0},   // nothing but sea
		{"4.4,4.4,5.5,5.4", 2},
		{"165,-5,-165,15", 2},
		{"165,-5,195,15", 2},
		{"-200,-5,-165,15", 2},
		{"-180,-90,180,90", 6}, // with the copies beyond both edges
	} {
		box := parsed(t, c.box).Shaped(0)
		path := d.Path(box)
		if rings := strings.Count(path, "M"); rings != c.rings || strings.Count(path, "z") != rings {
			t.Errorf("%s (%s): %d rings, want %d: %s", c.box, box, rings, c.rings, path)
		}
	}
}

// TestADrawingFillsItsBox: within land everything is covered, beyond the edges as well.
func TestADrawingFillsItsBox(t *testing.T) {
	path := drawn(t).Path(parsed(t, "1,1,3,2.5").Shaped(0))
	for _, edge := range []string{"-24", "1224", "-18", "918"} {
		if strings.Contains(path, edge) {
			return
		}
	}
	t.Errorf("the land ends within the map: %s", path)
}

func TestTheLandAsGeoJSONGoesOnBeyondTheAntimeridian(t *testing.T) {
	content, err := drawn(t).GeoJSON(parsed(t, "165,-5,195,15"))
	if err != nil {
		t.Fatal(err)
	}
	var land struct {
		Type        string
		Coordinates [][][][2]float64
	}
	if err := json.Unmarshal(content, &land); err != nil || land.Type != "MultiPolygon" || len(land.Coordinates) != 2 {
		t.Fatalf("%s: %v", content, err)
	}
	west, east := 1000.0, -1000.0
	for _, rings := range land.Coordinates {
		for _, p := range rings[0] {
			west, east = min(west, p[0]), max(east, p[0])
		}
	}
	if west != 170 || east != 185 {
		t.Errorf("the land is from %v to %v", west, east)
	}
}

func TestTheOpenSeaAsGeoJSON(t *testing.T) {
	content, err := drawn(t).GeoJSON(parsed(t, "20,0,30,7.5"))
	if want := `{"type":"MultiPolygon","coordinates":[]}`; err != nil || string(content) != want {
		t.Errorf("%s (%v), want %s", content, err, want)
	}
}

// TestDrawingLeavesTheLandAsItIs: it is drawn again and again.
func TestDrawingLeavesTheLandAsItIs(t *testing.T) {
	d, box := drawn(t), parsed(t, "3,3,180,10").Shaped(0)
	first := d.Path(box)
	if _, err := d.GeoJSON(box); err != nil {
		t.Fatal(err)
	}
	if again := d.Path(box); again != first {
		t.Errorf("first %s, then %s", first, again)
	}
}

func TestLandThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"{", `{"type":"Point","coordinates":[1,2]}`} {
		if _, err := Read(text, ""); err == nil {
			t.Errorf("%s is read", text)
		}
		if _, err := Read("", text); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	if d, err := Read("", ""); err != nil || d.Path(World.Shaped(0)) != "" {
		t.Error("a program without a bundle shows land")
	}
}

// TestTheBundleHoldsTheLand that maps draw, if the test was built with a bundle.
func TestTheBundleHoldsTheLand(t *testing.T) {
	d := Built()
	if len(d.fine) == 0 {
		t.Log("built without a bundle")
		return
	}
	for _, box := range []string{"-180,-90,180,90", "-30,30,45,72", "5,47,16,56", "8,53.5,12,56", "9.3,54.7,9.6,54.9"} {
		path := d.Path(parsed(t, box).Shaped(0))
		if path == "" || len(path) > 40_000 {
			t.Errorf("%s: a drawing of %d bytes", box, len(path))
		}
		t.Logf("%s: %d bytes", box, len(path))
	}
}

package main

import (
	"math"
	"testing"
)

// square is an island of two lines, one of which is used backwards.
const square = `{
	"objects": {"land": {"geometries": [{"type": "MultiPolygon", "arcs": [[[0, -2]]]}]}},
	"arcs": [[[10, 10], [10, 0], [0, 10]], [[10, 10], [0, 10], [10, 0]]],
	"transform": {"scale": [1, 1], "translate": [0, 40]}
}`

func TestLinesAreJoinedToRings(t *testing.T) {
	polygons, err := decodeLand([]byte(square))
	if err != nil {
		t.Fatal(err)
	}
	geo, err := geoJSON(polygons, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"coordinates":[[[[10,50],[20,50],[20,60],[10,60],[10,50]]]],"type":"MultiPolygon"}`
	if string(geo) != want {
		t.Errorf("got %s, want %s", geo, want)
	}
}

func TestWhatIsTooSmallIsLeftOut(t *testing.T) {
	tiny := []polygon{{{{10, 50}, {10.01, 50}, {10, 50.01}, {10, 50}}}}
	geo, err := geoJSON(tiny, 0.1)
	if err != nil || string(geo) != `{"coordinates":null,"type":"MultiPolygon"}` {
		t.Errorf("got %s, %v", geo, err)
	}
}

func TestTheDrawingIsWebMercator(t *testing.T) {
	for _, c := range []struct{ at, want point }{
		{point{-180, 85.0511287798066}, point{0, 0}},
		{point{0, 0}, point{1800, 1800}},
		{point{180, -90}, point{3600, 3600}},
		{point{9.43, 54.79}, point{1894.3, 1142.3}}, // Flensburg, by ln(tan(45° + φ/2))
	} {
		got := mercator(c.at)
		if math.Abs(got[0]-c.want[0]) > 0.1 || math.Abs(got[1]-c.want[1]) > 0.1 {
			t.Errorf("%v is at %v, want %v", c.at, got, c.want)
		}
	}
	equator := []polygon{{{{0, 0}, {10, 0}, {10, -10}, {0, 0}}}}
	want := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3600 3600"><path id="land" d="M1800 1800l100 0 0 101z"/></svg>`
	if got := string(svg(equator, 0.1)); got != want {
		t.Errorf("drawn as %s, want %s", got, want)
	}
}

func TestADamagedAtlasIsRefused(t *testing.T) {
	for _, damaged := range []string{
		`{`,
		`{"objects": {"land": {"geometries": [{"type": "Point"}]}}}`,
		`{"objects": {"land": {"geometries": [{"type": "MultiPolygon", "arcs": [[[3]]]}]}}}`,
	} {
		if polygons, err := decodeLand([]byte(damaged)); err == nil {
			t.Errorf("%s is read as %v", damaged, polygons)
		}
	}
}

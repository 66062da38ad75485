package main

import (
	"bytes"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/planar"

	"litfass/pkg/contracts/town"
	"litfass/pkg/media/pmtiles"
)

// square returns a square of degrees.
func square(west, south, side float64) orb.Polygon {
	return orb.Polygon{{{west, south}, {west + side, south}, {west + side, south + side}, {west, south + side}, {west, south}}}
}

// TestTheDrawing has each layer at the zooms that show it, and is the same each time.
func TestTheDrawing(t *testing.T) {
	s := sphere{
		land: shapesOf(orb.MultiPolygon{square(9, 53, 3), square(9, 57, 0.001)}), water: joined(orb.MultiPolygon{square(10, 54, 0.5)}),
		farLand: shapesOf(orb.MultiPolygon{square(100, 0, 10)}), border: orb.MultiLineString{{{9, 54}, {12, 54.5}}},
	}
	towns := []town.Town{{Name: "Copenhagen", Lat: 55.6, Lon: 12.5, Population: 1_000_000}, {Name: "Laboe", Lat: 54.4, Lon: 10.2, Population: 5_000},
		{Name: "Lagos", Lat: 6.5, Lon: 3.4, Population: 15_000_000}, {Name: "Hof", Lat: 54.4, Lon: 10.3, Population: 1_000}}
	archive, err := draw(s, towns)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := draw(s, towns); err != nil || !bytes.Equal(archive, again) {
		t.Errorf("drawn again it differs: %v", err)
	}
	a, err := pmtiles.Open(t.Context(), pmtiles.FromReader(bytes.NewReader(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		z    uint8
		x, y uint32
		want map[string]int
	}{
		{0, 0, 0, map[string]int{"earth": 1, "boundaries": 1, "world_earth": 1}},
		{1, 1, 0, map[string]int{"earth": 1, "boundaries": 1, "world_earth": 1, "world_places": 1}},
		{8, 135, 81, map[string]int{"earth": 1, "water": 1, "boundaries": 1, "places": 1}}, // around Kiel
		{4, 12, 7, map[string]int{"world_earth": 1}},
	} {
		stored, err := a.Tile(t.Context(), c.z, c.x, c.y)
		if err != nil {
			t.Fatal(err)
		}
		content, err := pmtiles.Unpack(stored, a.Compression())
		if err != nil {
			t.Fatal(err)
		}
		layers, err := mvt.Unmarshal(content)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, l := range layers {
			got[l.Name] = len(l.Features)
		}
		for name := range c.want {
			if got[name] != c.want[name] || len(got) != len(c.want) {
				t.Errorf("%d/%d/%d has %v, want %v", c.z, c.x, c.y, got, c.want)
				break
			}
		}
	}
}

// TestPiecesOfALakeStayTogether: where they touch no point is left out, and a small piece of a
// large lake stays.
func TestPiecesOfALakeStayTogether(t *testing.T) {
	large, small := square(10, 54, 1), square(11, 54, 0.01)
	small[0][3], small[0][0] = orb.Point{11, 55}, orb.Point{11, 54} // it shares the side of the large one
	small[0][4] = small[0][0]
	shapes := joined(orb.MultiPolygon{large, small, square(20, 60, 0.01)})
	if shapes[0].area != shapes[1].area || shapes[1].area <= shapes[2].area {
		t.Errorf("the areas are %g, %g and %g", shapes[0].area, shapes[1].area, shapes[2].area)
	}
	if got := polygons(shapes, 5, 1e9, shapes[2].area*float64(uint64(extent)<<5)*float64(uint64(extent)<<5)*8); len(got) != 0 {
		t.Errorf("%d shapes of which nothing is left", len(got))
	}
	ring := simplified(large[0], map[orb.Point]bool{{11, 54}: true, {11, 55}: true, {10, 54}: true}, 0, 1e9)
	if len(ring) != 4 {
		t.Errorf("joints are left out: %v", ring)
	}
}

// TestRingsAreUnrolled: land across the antimeridian is on both sides, and Antarctica is closed.
func TestRingsAreUnrolled(t *testing.T) {
	fiji := orb.Polygon{{{179, -17}, {-179, -17}, {-179, -16}, {179, -16}, {179, -17}}}
	antarctica := orb.Polygon{{{-180, -70}, {-90, -75}, {0, -70}, {90, -75}, {180, -70}, {-180, -70}}}
	parts := unrolled(orb.MultiPolygon{fiji, antarctica})
	area := 0.0
	for _, p := range parts {
		area += math.Abs(planar.Area(p))
	}
	if want := 2 + 360*17.5; math.Abs(area-want) > 1 {
		t.Errorf("%d parts of %g square degrees, want %g", len(parts), area, want)
	}
	for _, at := range []orb.Point{{179.5, -16.5}, {-179.5, -16.5}, {45, -85}} {
		if !planar.MultiPolygonContains(parts, at) {
			t.Errorf("no land at %v", at)
		}
	}
	if planar.MultiPolygonContains(parts, orb.Point{0, -16.5}) {
		t.Error("Fiji goes around the earth")
	}
}

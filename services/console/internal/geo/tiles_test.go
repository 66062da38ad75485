package geo

import (
	"regexp"
	"strconv"
	"testing"

	"litfass/pkg/ui"
)

func TestTilesCoverTheMap(t *testing.T) {
	name := regexp.MustCompile(`^https://[abc]\.tiles\.example/(\d+)/(\d+)/(\d+)\.png$`)
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for what, points := range map[string][]Mark{
		"a town":               {{Point: Point{54.3141, 10.1382}}},
		"a country":            {{Point: Point{47.5, 6}}, {Point: Point{54.9, 14}}},
		"both sides of a line": {{Point: Point{-18, 179.999}}},
		"the other side":       {{Point: Point{-18, -179.999}}},
		"the north":            {{Point: Point{89, 0}}},
		"the whole earth":      {{Point: Point{-80, -179}}, {Point: Point{80, 179}}},
	} {
		c := NewMap(points, nil, ui.Tiles{URL: "https://{s}.tiles.example/{z}/{x}/{y}.png"})
		west, east, south := 1.0, 0.0, 0.0
		all := c.tiles()
		for _, at := range all {
			parts := name.FindStringSubmatch(at.Address)
			if parts == nil {
				t.Fatalf("%s: %s", what, at.Address)
			}
			count, x, y, size := 1<<int(number(parts[1])), number(parts[2]), number(parts[3]), number(at.Size)
			if x >= float64(count) || y >= float64(count) || size > tilePixels {
				t.Errorf("%s: %+v", what, at)
			}
			west, east = min(west, number(at.X)), max(east, number(at.X)+size)
			south = max(south, number(at.Y)+size)
		}
		if west > 0 || east < chartWidth-0.1 || (south < chartHeight-0.1 && what != "the whole earth") || len(all) > 24 {
			t.Errorf("%s: %d tiles from %g to %g, down to %g", what, len(all), west, east, south)
		}
	}
	if c := NewMap(nil, &Point{54, 10}, ui.Tiles{}); len(c.tiles()) > 0 {
		t.Error("tiles without an address of tiles")
	}
}

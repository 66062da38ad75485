package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"litfass/pkg/ui/bundle"
)

// lands are the drawings of the land, of Natural Earth and in the public domain, by their names:
// coarse for the world, finer for a region.
var lands = []struct {
	name, source string
	step         float64 // degrees to which coordinates are rounded
}{
	{"land", "land-110m.json", 0.1},
	{"land-fine", "land-50m.json", 0.01},
}

// drawLand makes of each drawing a .json, GeoJSON for the map of the browser, and a .svg, whose
// path "land" pages show where scripts are blocked.
func drawLand(modules string) ([]bundle.File, error) {
	atlas := filepath.Join(modules, "world-atlas")
	var files []bundle.File
	for _, land := range lands {
		content, err := os.ReadFile(filepath.Join(atlas, land.source))
		if err != nil {
			return nil, err
		}
		polygons, err := decodeLand(content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", land.source, err)
		}
		geo, err := geoJSON(polygons, land.step)
		if err != nil {
			return nil, err
		}
		files = append(files, bundle.Named(land.name+".json", geo), bundle.Named(land.name+".svg", svg(polygons, land.step)))
	}
	return files, nil
}

type (
	point   [2]float64 // longitude and latitude in degrees
	ring    []point
	polygon []ring
)

// topology is the part of TopoJSON that the land has: lines in whole numbers, each point by its
// distance from the one before, and polygons of such lines.
type topology struct {
	Objects struct {
		Land struct {
			Geometries []struct {
				Type string
				Arcs [][][]int
			}
		}
	}
	Arcs      [][]point
	Transform struct{ Scale, Translate point }
}

// decodeLand returns the polygons of a TopoJSON of the world-atlas.
func decodeLand(content []byte) ([]polygon, error) {
	var t topology
	if err := json.Unmarshal(content, &t); err != nil {
		return nil, err
	}
	var polygons []polygon
	for _, geometry := range t.Objects.Land.Geometries {
		if geometry.Type != "MultiPolygon" {
			return nil, fmt.Errorf("the land is a %s", geometry.Type)
		}
		for _, arcs := range geometry.Arcs {
			var p polygon
			for _, indexes := range arcs {
				joined, err := t.join(indexes)
				if err != nil {
					return nil, err
				}
				p = append(p, joined)
			}
			polygons = append(polygons, p)
		}
	}
	return polygons, nil
}

// join returns the ring of the lines of these indexes. ^i is line i backwards; a line begins where
// the one before has ended.
func (t topology) join(indexes []int) (ring, error) {
	var joined ring
	for _, index := range indexes {
		backwards := index < 0
		if backwards {
			index = ^index
		}
		if index >= len(t.Arcs) {
			return nil, fmt.Errorf("there is no line %d", index)
		}
		line := t.line(index)
		if backwards {
			slices.Reverse(line)
		}
		if len(joined) > 0 {
			line = line[1:]
		}
		joined = append(joined, line...)
	}
	return joined, nil
}

// line returns a line in degrees.
func (t topology) line(index int) ring {
	var line ring
	var x, y float64
	for _, step := range t.Arcs[index] {
		x, y = x+step[0], y+step[1]
		line = append(line, point{
			x*t.Transform.Scale[0] + t.Transform.Translate[0],
			y*t.Transform.Scale[1] + t.Transform.Translate[1],
		})
	}
	return line
}

// rounded returns a ring in so many steps, without points that fall together; nil if less than a
// triangle is left.
func (r ring) rounded(step float64) ring {
	var left ring
	for _, p := range r {
		p = point{math.Round(p[0] / step), math.Round(p[1] / step)}
		if len(left) == 0 || left[len(left)-1] != p {
			left = append(left, p)
		}
	}
	if len(left) < 4 { // the first point is repeated at the end
		return nil
	}
	return left
}

// geoJSON returns the polygons as a GeoJSON geometry.
func geoJSON(polygons []polygon, step float64) ([]byte, error) {
	var coordinates [][][]json.RawMessage
	for _, p := range polygons {
		var rings [][]json.RawMessage
		for _, r := range p {
			var points []json.RawMessage
			for _, q := range r.rounded(step) {
				points = append(points, slices.Concat([]byte("["), decimal(q[0]*step), []byte(","), decimal(q[1]*step), []byte("]")))
			}
			if points != nil {
				rings = append(rings, points)
			}
		}
		if rings != nil {
			coordinates = append(coordinates, rings)
		}
	}
	return json.Marshal(map[string]any{"type": "MultiPolygon", "coordinates": coordinates})
}

// World is the width and height of the drawing: Web Mercator, from 180° west and 85.05° north.
const world = 3600

// svg returns the polygons as a drawing of the world, whose path has the id land. A page shows a
// region by the view box of the element that uses it.
func svg(polygons []polygon, step float64) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><path id="land" d="`, world, world)
	for _, p := range polygons {
		for _, r := range p {
			projected := make(ring, len(r))
			for i, q := range r {
				projected[i] = mercator(q)
			}
			appendPath(&b, projected.rounded(step*world/360), step*world/360)
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes()
}

// mercator returns where a point of the globe is in the drawing.
func mercator(p point) point {
	const north = 85.0511287798066 // where the drawing is as high as it is wide
	latitude := max(-north, min(north, p[1])) * math.Pi / 180
	return point{
		(p[0] + 180) / 360 * world,
		(1 - math.Asinh(math.Tan(latitude))/math.Pi) / 2 * world,
	}
}

// appendPath appends a ring in steps: its first point, then the distance of each from the one
// before.
func appendPath(b *bytes.Buffer, r ring, step float64) {
	if r == nil {
		return
	}
	at := point{}
	for i, p := range r[:len(r)-1] {
		switch i {
		case 0:
			b.WriteByte('M')
		case 1:
			b.WriteByte('l')
		default:
			b.WriteByte(' ')
		}
		b.Write(decimal((p[0] - at[0]) * step))
		b.WriteByte(' ')
		b.Write(decimal((p[1] - at[1]) * step))
		at = p
	}
	b.WriteByte('z')
}

// decimal returns a number with as many of two decimal places as it needs.
func decimal(x float64) []byte {
	return strconv.AppendFloat(nil, math.Round(x*100)/100, 'f', -1, 64)
}

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/planar"
)

// sphere is what a map is drawn from, in degrees.
type sphere struct {
	land, water       []shape // of the detailed part; water is lakes and wide rivers
	farLand           []shape // around that part, coarser
	border, farBorder orb.MultiLineString
}

// shape is a polygon in degrees.
type shape struct {
	rings  orb.Polygon
	area   float64            // of it and of those that it touches, as a share of a map of the world
	joints map[orb.Point]bool // where it touches others; nil for nowhere
}

// shapesOf returns polygons that do not touch each other.
func shapesOf(polygons orb.MultiPolygon) []shape {
	shapes := make([]shape, len(polygons))
	for i, p := range polygons {
		shapes[i] = shape{rings: p, area: areaOf(p[0])}
	}
	return shapes
}

// areaOf returns the area of a ring as a share of a map of the world.
func areaOf(ring orb.Ring) float64 {
	projected := make(orb.Ring, len(ring))
	for i, p := range ring {
		projected[i] = project(p, 0)
	}
	return math.Abs(planar.Area(projected)) / extent / extent
}

// joined returns the shapes of polygons that may be pieces of one: large lakes are cut along a
// grid. Pieces have the joints with each other and the area of the whole.
func joined(polygons orb.MultiPolygon) []shape {
	owner := map[orb.Point]int{} // of a point, the first piece
	whole := make([]int, len(polygons))
	var find func(int) int
	find = func(i int) int {
		if whole[i] != i {
			whole[i] = find(whole[i])
		}
		return whole[i]
	}
	joints := map[orb.Point]bool{}
	for i, p := range polygons {
		whole[i] = i
		for _, at := range p[0] {
			first, known := owner[at]
			if !known {
				owner[at] = i
			} else if first != i {
				joints[at] = true
				whole[find(i)] = find(first)
			}
		}
	}
	shapes := shapesOf(polygons)
	areas := make([]float64, len(shapes))
	for i, s := range shapes {
		areas[find(i)] += s.area
	}
	for i := range shapes {
		shapes[i].area, shapes[i].joints = areas[find(i)], joints
	}
	return shapes
}

// readGeoMap returns the polygons of a GeoJSON file of geo-maps within a bound.
func readGeoMap(path string, within orb.Bound) (orb.MultiPolygon, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var collection struct {
		Geometries []struct {
			Type        string
			Coordinates orb.MultiPolygon
		}
	}
	if err := json.Unmarshal(content, &collection); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var polygons orb.MultiPolygon
	for _, geometry := range collection.Geometries {
		if geometry.Type != "MultiPolygon" {
			return nil, fmt.Errorf("%s has a %s", path, geometry.Type)
		}
		polygons = append(polygons, geometry.Coordinates...)
	}
	return clipped(polygons, within), nil
}

// clipped returns the parts of polygons in a bound. It modifies its argument.
func clipped(polygons orb.MultiPolygon, within orb.Bound) (parts orb.MultiPolygon) {
	for _, p := range polygons {
		bound := p.Bound()
		if !bound.Intersects(within) {
			continue
		}
		if !within.Contains(bound.Min) || !within.Contains(bound.Max) {
			p = clip.Polygon(within, p)
		}
		if len(p) > 0 && len(p[0]) >= 4 {
			parts = append(parts, p)
		}
	}
	return parts
}

// unrolled returns polygons that may cross the antimeridian, or go around a pole, as parts of a
// flat map of the world.
func unrolled(polygons orb.MultiPolygon) (parts orb.MultiPolygon) {
	world := orb.Bound{Min: orb.Point{-180, -90}, Max: orb.Point{180, 90}}
	for _, p := range polygons {
		for i, ring := range p {
			p[i] = unrolledRing(ring)
		}
		for _, turn := range []float64{-360, 0, 360} {
			moved := p.Clone()
			for _, ring := range moved {
				for i := range ring {
					ring[i][0] += turn
				}
			}
			parts = append(parts, clipped(orb.MultiPolygon{moved}, world)...)
		}
	}
	return parts
}

// unrolledRing returns a ring without jumps from one side of the map to the other. One that goes
// around the south pole is closed along it.
func unrolledRing(ring orb.Ring) orb.Ring {
	turn := 0.0
	for i := 1; i < len(ring); i++ {
		ring[i][0] += turn
		switch step := ring[i][0] - ring[i-1][0]; {
		case step > 180:
			turn -= 360
			ring[i][0] -= 360
		case step < -180:
			turn += 360
			ring[i][0] += 360
		}
	}
	if first, last := ring[0], ring[len(ring)-1]; first[0] != last[0] {
		ring = append(ring, orb.Point{last[0], -90}, orb.Point{first[0], -90}, first)
	}
	return ring
}

// around returns the rectangles that a bound leaves of the world.
func around(bound orb.Bound) []orb.Bound {
	west, south, east, north := bound.Left(), bound.Bottom(), bound.Right(), bound.Top()
	return []orb.Bound{
		{Min: orb.Point{-180, -85.06}, Max: orb.Point{west, 85.06}}, {Min: orb.Point{east, -85.06}, Max: orb.Point{180, 85.06}},
		{Min: orb.Point{west, -85.06}, Max: orb.Point{east, south}}, {Min: orb.Point{west, north}, Max: orb.Point{east, 85.06}},
	}
}

// topology is the part of TopoJSON that is read: lines in whole numbers, each point by its distance
// from the one before, and geometries of such lines. ^i is line i backwards.
type topology struct {
	Objects map[string]struct {
		Geometries []struct {
			Type string
			Arcs json.RawMessage
		}
	}
	Arcs      [][]orb.Point
	Transform struct{ Scale, Translate orb.Point }
}

func readTopology(path string) (t topology, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(content, &t); err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// line returns a line in degrees.
func (t topology) line(index int) orb.LineString {
	line := make(orb.LineString, len(t.Arcs[index]))
	var x, y float64
	for i, step := range t.Arcs[index] {
		x, y = x+step[0], y+step[1]
		line[i] = orb.Point{x*t.Transform.Scale[0] + t.Transform.Translate[0], y*t.Transform.Scale[1] + t.Transform.Translate[1]}
	}
	return line
}

// ring returns the ring of lines, each of which begins where the one before ends.
func (t topology) ring(indexes []int) (orb.Ring, error) {
	var joined orb.Ring
	for _, index := range indexes {
		forwards := max(index, ^index)
		if forwards >= len(t.Arcs) {
			return nil, fmt.Errorf("there is no line %d", forwards)
		}
		line := t.line(forwards)
		if index < 0 {
			slices.Reverse(line)
		}
		if len(joined) > 0 {
			line = line[1:]
		}
		joined = append(joined, line...)
	}
	return joined, nil
}

// polygons returns the polygons of an object.
func (t topology) polygons(object string) (polygons orb.MultiPolygon, err error) {
	for _, geometry := range t.Objects[object].Geometries {
		shapes, err := linesOf(geometry.Type, geometry.Arcs)
		if err != nil {
			return nil, err
		}
		for _, shape := range shapes {
			var p orb.Polygon
			for _, indexes := range shape {
				ring, err := t.ring(indexes)
				if err != nil {
					return nil, err
				}
				p = append(p, ring)
			}
			polygons = append(polygons, p)
		}
	}
	return polygons, nil
}

// borders returns the lines that two geometries of an object share.
func (t topology) borders(object string) (orb.MultiLineString, error) {
	uses := make([]int, len(t.Arcs))
	for _, geometry := range t.Objects[object].Geometries {
		shapes, err := linesOf(geometry.Type, geometry.Arcs)
		if err != nil {
			return nil, err
		}
		for _, indexes := range slices.Concat(shapes...) {
			for _, index := range indexes {
				if forwards := max(index, ^index); forwards < len(uses) {
					uses[forwards]++
				}
			}
		}
	}
	var lines orb.MultiLineString
	for index, n := range uses {
		if n > 1 {
			lines = append(lines, t.line(index))
		}
	}
	return lines, nil
}

// linesOf reads the lines of a geometry as those of several polygons.
func linesOf(kind string, arcs json.RawMessage) (shapes [][][]int, err error) {
	switch kind {
	case "MultiPolygon":
		err = json.Unmarshal(arcs, &shapes)
	case "Polygon":
		shapes = make([][][]int, 1)
		err = json.Unmarshal(arcs, &shapes[0])
	default:
		err = fmt.Errorf("a geometry is a %q", kind)
	}
	return shapes, err
}

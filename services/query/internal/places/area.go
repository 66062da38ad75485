package places

import (
	"encoding/json"
	"fmt"
	"math"
)

// A position is longitude and latitude in degrees, as GeoJSON writes it; what follows them (the height) is ignored.
type position [2]float64

type (
	ring    []position
	polygon []ring // the outer ring, then the holes
)

// area is what a region covers: one or more polygons, with the box around them.
type area struct {
	polygons    []polygon
	west, south float64
	east, north float64
}

// parseArea reads a GeoJSON Polygon or MultiPolygon.
func parseArea(geometry []byte) (area, error) {
	var shape struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(geometry, &shape); err != nil {
		return area{}, fmt.Errorf("read geometry: %w", err)
	}
	var polygons []polygon
	var err error
	switch shape.Type {
	case "Polygon":
		polygons = make([]polygon, 1)
		err = json.Unmarshal(shape.Coordinates, &polygons[0])
	case "MultiPolygon":
		err = json.Unmarshal(shape.Coordinates, &polygons)
	default:
		return area{}, fmt.Errorf("geometry of type %q is neither a Polygon nor a MultiPolygon", shape.Type)
	}
	if err != nil {
		return area{}, fmt.Errorf("read coordinates: %w", err)
	}
	return newArea(polygons), nil
}

func newArea(polygons []polygon) area {
	a := area{
		polygons: polygons,
		west:     math.Inf(1), south: math.Inf(1), east: math.Inf(-1), north: math.Inf(-1),
	}
	for _, p := range polygons {
		for _, r := range p {
			for _, at := range r {
				a.west, a.east = min(a.west, at[0]), max(a.east, at[0])
				a.south, a.north = min(a.south, at[1]), max(a.north, at[1])
			}
		}
	}
	return a
}

// contains reports whether a point lies in the area. A point on an outer border belongs to the area, a point on the border
// of a hole to the hole. Polygons are cut at the 180th meridian, as GeoJSON asks (RFC 7946, 3.1.9).
func (a area) contains(lon, lat float64) bool {
	if lat < a.south || lat > a.north || lon < a.west || lon > a.east {
		return false
	}
	for _, p := range a.polygons {
		if p.contains(position{lon, lat}) {
			return true
		}
	}
	return false
}

func (p polygon) contains(at position) bool {
	if len(p) == 0 || !p[0].contains(at) {
		return false
	}
	for _, hole := range p[1:] {
		if hole.contains(at) {
			return false
		}
	}
	return true
}

// contains counts the edges that a ray from the point to the east crosses: of an odd number, the point is inside. A point
// on an edge is inside. A ring that is not closed is read as if it were.
func (r ring) contains(at position) bool {
	inside := false
	for i, from := range r {
		to := r[(i+1)%len(r)]
		// Twice the area of the triangle from, to, at: 0 when at lies on their line, positive to the left of it.
		turn := (to[0]-from[0])*(at[1]-from[1]) - (at[0]-from[0])*(to[1]-from[1])
		if turn == 0 && within(at[0], from[0], to[0]) && within(at[1], from[1], to[1]) {
			return true
		}
		if upward := to[1] > from[1]; (from[1] > at[1]) != (to[1] > at[1]) && (turn > 0) == upward {
			inside = !inside
		}
	}
	return inside
}

func within(x, a, b float64) bool { return min(a, b) <= x && x <= max(a, b) }

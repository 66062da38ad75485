package places

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// area is the surface of a region, with its bounding box.
type area struct {
	polygons orb.MultiPolygon
	bound    orb.Bound
}

// parseArea reads a GeoJSON Polygon or MultiPolygon. A position's height is ignored, and so is a
// polygon without rings.
func parseArea(geometry []byte) (area, error) {
	var shape struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(geometry, &shape); err != nil {
		return area{}, fmt.Errorf("read geometry: %w", err)
	}
	var polygons orb.MultiPolygon
	var err error
	switch shape.Type {
	case "Polygon":
		polygons = make(orb.MultiPolygon, 1)
		err = json.Unmarshal(shape.Coordinates, &polygons[0])
	case "MultiPolygon":
		err = json.Unmarshal(shape.Coordinates, &polygons)
	default:
		return area{}, fmt.Errorf("geometry of type %q is neither a Polygon nor a MultiPolygon", shape.Type)
	}
	if err != nil {
		return area{}, fmt.Errorf("read coordinates: %w", err)
	}
	polygons = slices.DeleteFunc(polygons, func(p orb.Polygon) bool { return len(p) == 0 })
	return area{polygons: polygons, bound: polygons.Bound()}, nil
}

// contains reports whether a point is in the area. A point on an outer border belongs to the area,
// a point on the border of a hole to the hole. Polygons are cut at the 180th meridian, as GeoJSON
// requires (RFC 7946, 3.1.9).
func (a area) contains(lon, lat float64) bool {
	at := orb.Point{lon, lat}
	return a.bound.Contains(at) && planar.MultiPolygonContains(a.polygons, at)
}

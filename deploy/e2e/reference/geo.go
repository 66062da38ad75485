package reference

import "math"

// earthRadius is the mean radius in metres (RULES.md, Search).
const earthRadius = 6_371_008.8

// Geometry is a GeoJSON Polygon (Polygons has one element) or MultiPolygon.
type Geometry struct {
	Polygons []Polygon
}

// Polygon is an outer ring followed by the rings of its holes.
type Polygon []Ring

// Ring is a closed line of points; the last equals the first.
type Ring []Point

// Point is longitude and latitude, in this order as in GeoJSON.
type Point [2]float64

// MarshalJSON writes a Polygon when there is one, else a MultiPolygon.
func (g Geometry) MarshalJSON() ([]byte, error) {
	if len(g.Polygons) == 1 {
		return marshalGeometry("Polygon", g.Polygons[0])
	}
	return marshalGeometry("MultiPolygon", g.Polygons)
}

// Distance returns the great-circle distance in metres by the haversine formula.
func Distance(lat1, lon1, lat2, lon2 float64) float64 {
	sinLat := math.Sin(radians(lat2-lat1) / 2)
	sinLon := math.Sin(radians(lon2-lon1) / 2)
	h := sinLat*sinLat + math.Cos(radians(lat1))*math.Cos(radians(lat2))*sinLon*sinLon
	return 2 * earthRadius * math.Asin(math.Min(1, math.Sqrt(h)))
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

// Contains reports whether the point lies in the geometry. A point on an outer border belongs to
// it, a point on the border of a hole belongs to the hole.
func (g Geometry) Contains(p Point) bool {
	for _, polygon := range g.Polygons {
		if polygon.contains(p) {
			return true
		}
	}
	return false
}

func (polygon Polygon) contains(p Point) bool {
	if !polygon[0].contains(p) {
		return false
	}
	for _, hole := range polygon[1:] {
		if hole.contains(p) {
			return false
		}
	}
	return true
}

// contains counts how often a line from the point to the east crosses the ring: odd means inside.
func (ring Ring) contains(p Point) bool {
	inside := false
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		if onSegment(a, b, p) {
			return true
		}
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
			inside = !inside
		}
	}
	return inside
}

func onSegment(a, b, p Point) bool {
	cross := (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0])
	return cross == 0 &&
		math.Min(a[0], b[0]) <= p[0] && p[0] <= math.Max(a[0], b[0]) &&
		math.Min(a[1], b[1]) <= p[1] && p[1] <= math.Max(a[1], b[1])
}

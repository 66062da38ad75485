package places

import (
	"math"

	"litfass/services/query/internal/params"
)

// earthRadius is the mean radius in metres (RULES.md, Search).
const earthRadius = 6_371_008.8

const degree = math.Pi / 180

// Distance returns the great-circle distance of two points in metres, by the haversine formula,
// which is exact for points near and far alike.
func Distance(lat1, lon1, lat2, lon2 float64) float64 {
	sinLat := math.Sin((lat2 - lat1) * degree / 2)
	sinLon := math.Sin((lon2 - lon1) * degree / 2)
	h := sinLat*sinLat + math.Cos(lat1*degree)*math.Cos(lat2*degree)*sinLon*sinLon
	return 2 * earthRadius * math.Asin(math.Sqrt(min(1, h)))
}

// inCircle reports whether a point is within the radius of the centre.
func inCircle(c params.Circle, lat, lon float64) bool {
	// Most points are so far to the north or south that the rest need not be computed; the metre
	// covers rounding.
	if math.Abs(lat-c.Lat)*degree*earthRadius > c.Radius+1 {
		return false
	}
	return Distance(c.Lat, c.Lon, lat, lon) <= c.Radius
}

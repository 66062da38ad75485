package mappage

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"litfass/services/site/internal/basemap"
)

const (
	// apart is how far points of a map are from each other, as a share of its width: on the
	// smallest screens fingers can hit each of them.
	apart = 0.13
	// room is the margin around the points that a map was made for.
	room = 0.08
	// maxListed is the number of venues in the list below the map.
	maxListed = 40
)

// around returns the box that shows all places.
func around(places []place) basemap.Box {
	points := make([]orb.Point, len(places))
	for i, p := range places {
		points[i] = p.Point
	}
	return basemap.Around(points).Shaped(room)
}

// busiest returns the places with the most events, the most first.
func busiest(places []place) []place {
	sorted := slices.Clone(places)
	slices.SortStableFunc(sorted, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return sorted[:min(len(sorted), maxListed)]
}

// clustered returns the points of a map: where places are near each other, one stands at that with
// the most events for all of them.
func clustered(places []place, box basemap.Box) (points []point) {
	sorted := slices.Clone(places)
	slices.SortStableFunc(sorted, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.UUID, b.UUID))
	})
	for _, place := range sorted {
		x, y, inside := box.At(place.Point)
		if !inside {
			continue
		}
		i := nearest(points, x, y)
		if i < 0 {
			i, points = len(points), append(points, point{X: x, Y: y, At: place.Point})
		}
		points[i].Places = append(points[i].Places, place)
		points[i].Count += place.Count
	}
	for i := range points {
		points[i].Box = around(points[i].Places)
	}
	return points
}

// nearest returns the index of the point that is nearest to a place of the map, -1 when none is
// near it.
func nearest(points []point, x, y float64) int {
	found, least := -1, apart
	for i, p := range points {
		if distance := math.Hypot(p.X-x, (p.Y-y)*basemap.Ratio); distance < least {
			found, least = i, distance
		}
	}
	return found
}

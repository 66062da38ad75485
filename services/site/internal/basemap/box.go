// Package basemap is the map below the venues: boxes of the earth, an archive of tiles, and a
// drawing of it for pages without scripts.
package basemap

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"
)

// Box is a part of the earth as a map shows it: a rectangle in Web Mercator. It may cross the
// antimeridian. Lengths are shares of the circumference of the earth; x grows eastwards from 180°
// west, y southwards from where the map of the world ends.
type Box struct{ x, y, w, h float64 }

const (
	// mostNorth is where the map of the world is as high as it is wide.
	mostNorth = 85.0511287798066
	// smallest is the width of the smallest box, about 800 metres at the equator.
	smallest = 2e-5
	// Ratio is the height of a map for its width.
	Ratio = 0.75
)

// IsLocal reports whether the box may be a part of one town: it is less than 40 km wide.
func (b Box) IsLocal() bool { return b.w < 1e-3 }

// World is the whole earth but for the poles.
var World = Box{w: 1, h: 1}

// ParseBox reads west, south, east and north in degrees, parted by commas. West above east crosses
// the antimeridian, as do longitudes beyond 180°, which maps without end name.
func ParseBox(text string) (Box, error) {
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		return Box{}, errBox
	}
	var degrees [4]float64
	for i, part := range parts {
		most := 540.0
		if i%2 == 1 {
			most = 90
		}
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || !(math.Abs(n) <= most) { // not for NaN either
			return Box{}, errBox
		}
		degrees[i] = n
	}
	west, south, east, north := degrees[0], degrees[1], degrees[2], degrees[3]
	if south > north {
		return Box{}, errBox
	}
	if east < west {
		east += 360
	}
	if east < west {
		return Box{}, errBox
	}
	return between(west, south, east, north), nil
}

var errBox = errors.New("must be west,south,east,north in degrees, south not above north")

// between returns the box between two meridians and two parallels, west <= east.
func between(west, south, east, north float64) Box {
	b := Box{x: meridian(west), y: parallel(north), w: min(1, (east-west)/360)}
	b.h = parallel(south) - b.y
	return b
}

// Around returns the smallest box that holds all of the points, the world for none.
func Around(points []orb.Point) Box {
	if len(points) == 0 {
		return World
	}
	south, north := points[0].Lat(), points[0].Lat()
	longitudes := make([]float64, len(points))
	for i, p := range points {
		south, north = min(south, p.Lat()), max(north, p.Lat())
		longitudes[i] = p.Lon()
	}
	west, east := span(longitudes)
	return between(west, south, east, north)
}

// The widths of the box that shows where a place is, on a map with streets and on one whose tiles
// end with coasts and towns: some 1,500 metres, and 26 kilometres, in the north of Germany.
const streetWidth, townWidth = 6.5e-5, 1.1e-3

// streetZoom is the zoom from which tiles have streets one by one.
const streetZoom = 13

// Place returns the box that shows where a place is, as finely as the map has something to show.
func (m *Map) Place(at orb.Point) Box {
	w, bounds := townWidth, m.archive.Bounds()
	inside := orb.Bound{Min: orb.Point{bounds[0], bounds[1]}, Max: orb.Point{bounds[2], bounds[3]}}.Contains(at)
	if m.MaxZoom() >= streetZoom && inside {
		w = streetWidth
	}
	return Around([]orb.Point{at}).resized(w)
}

// Shaped returns the box as a map shows it: with a margin of that share of its size on each side,
// of the form of the map, not smaller than the smallest and within the world.
func (b Box) Shaped(margin float64) Box {
	w := max(b.w, b.h/Ratio) * (1 + 2*margin)
	w = min(1, max(w, smallest))
	return b.resized(w)
}

// resized returns a box of a width around the same middle, moved into the world.
func (b Box) resized(w float64) Box {
	h := w * Ratio
	return Box{x: b.x + b.w/2 - w/2, y: max(0, min(1-h, b.y+b.h/2-h/2)), w: w, h: h}
}

// Zoomed returns a box whose width is that many times as large.
func (b Box) Zoomed(times float64) Box { return b.resized(min(1, max(smallest, b.w*times))) }

// Moved returns a box that is so many of its widths further east, and of its heights further south.
func (b Box) Moved(east, south float64) Box {
	return Box{x: b.x + east*b.w, y: max(0, min(1-b.h, b.y+south*b.h)), w: b.w, h: b.h}
}

// Finer reports whether the box shows clearly more than another one does.
func (b Box) Finer(than Box) bool { return b.w < 0.7*than.w }

// At returns where a point is in the box: as shares of its width from the west, and of its height
// from the north. Outside of the box it reports false.
func (b Box) At(p orb.Point) (x, y float64, inside bool) {
	x = meridian(p.Lon()) - b.x
	x = (x - math.Floor(x)) / b.w
	y = (parallel(p.Lat()) - b.y) / b.h
	return x, y, x <= 1 && y >= 0 && y <= 1
}

// Circle returns a circle that holds the box, by its centre and its radius in metres. For a box of
// more than a region it reports false.
func (b Box) Circle() (centre orb.Point, radius float64, ok bool) {
	if b.w > 1.0/36 {
		return centre, 0, false
	}
	west, south, east, north := b.degrees()
	centre = orb.Point{(west + east) / 2, (south + north) / 2}
	for _, corner := range []orb.Point{{west, south}, {west, north}, {east, south}, {east, north}} {
		radius = max(radius, geo.DistanceHaversine(centre, corner))
	}
	centre[0] = normal(centre.Lon())
	return centre, math.Ceil(radius * 1.02), true // the earth is no sphere
}

// String returns the box as ParseBox and the API read it.
func (b Box) String() string {
	west, south, east, north := b.degrees()
	if b.w >= 1 {
		west, east = -180, 180
	}
	west, east = normal(west), normal(east)
	if east == -180 {
		east = 180
	}
	var parts []string
	for _, degrees := range []float64{west, south, east, north} {
		parts = append(parts, strconv.FormatFloat(math.Round(degrees*1e4)/1e4, 'f', -1, 64))
	}
	return strings.Join(parts, ",")
}

// degrees returns the sides of the box. The meridians may be beyond 180°.
func (b Box) degrees() (west, south, east, north float64) {
	return longitude(b.x), latitude(b.y + b.h), longitude(b.x + b.w), latitude(b.y)
}

// normal returns a longitude from -180 to 180.
func normal(degrees float64) float64 {
	if degrees >= -180 && degrees <= 180 {
		return degrees
	}
	turned := math.Mod(degrees+180, 360)
	if turned < 0 {
		turned += 360
	}
	return turned - 180
}

func meridian(lon float64) float64 { return (lon + 180) / 360 }

func longitude(x float64) float64 { return x*360 - 180 }

func parallel(lat float64) float64 {
	lat = max(-mostNorth, min(mostNorth, lat)) * math.Pi / 180
	return max(0, min(1, (1-math.Asinh(math.Tan(lat))/math.Pi)/2))
}

func latitude(y float64) float64 { return math.Atan(math.Sinh(math.Pi*(1-2*y))) * 180 / math.Pi }

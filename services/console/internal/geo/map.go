package geo

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"litfass/pkg/ui"
)

// Point is a place on the earth in degrees.
type Point struct{ Lat, Lon float64 }

// ParsePoint reads a point as people and forms write it; nil for an invalid one.
func ParsePoint(lat, lon string) *Point {
	north, err := strconv.ParseFloat(Decimal(lat), 64)
	if err != nil || !(math.Abs(north) <= 90) {
		return nil
	}
	east, err := strconv.ParseFloat(Decimal(lon), 64)
	if err != nil || !(math.Abs(east) <= 180) {
		return nil
	}
	return &Point{north, east}
}

// pairs are two coordinates in one text, as maps copy them: with decimal points, or with decimal
// commas and another separator.
var pairs = []*regexp.Regexp{
	regexp.MustCompile(`^\s*(-?\d{1,2}\.\d+)\s*[,;\s]\s*(-?\d{1,3}\.\d+)\s*$`),
	regexp.MustCompile(`^\s*(-?\d{1,2},\d+)\s*[;\s]\s*(-?\d{1,3},\d+)\s*$`),
}

// SplitPair returns the two coordinates that were pasted into the field of the latitude, or else
// the values of the fields.
func SplitPair(lat, lon string) (string, string) {
	for _, pair := range pairs {
		if found := pair.FindStringSubmatch(lat); found != nil && strings.TrimSpace(lon) == "" {
			return found[1], found[2]
		}
	}
	return lat, lon
}

// Decimal writes a number with a decimal comma in the form that programs read.
func Decimal(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
}

// FormatDegrees writes an angle to about a metre.
func FormatDegrees(angle float64) string {
	return strconv.FormatFloat(math.Round(angle*1e5)/1e5, 'f', -1, 64)
}

// Mark is a point on a map with a name and where it leads; "" for nowhere.
type Mark struct {
	Point
	Name, Link string
}

// Map is a part of the earth in Web Mercator with marks. Lengths are shares of the
// circumference of the earth; x grows eastwards from 180° west, y southwards.
type Map struct {
	x, y, w float64
	Marks   []Mark
	Here    *Point // the centre of the search, or the chosen point; nil for none
	Tiles   ui.Tiles
}

const (
	// chartWidth and chartHeight are the units of a drawing.
	chartWidth, chartHeight = 400, 300
	// minWidth is the width of the smallest part that is shown, about 14 km in Germany.
	minWidth = 6e-4
	// maxNorth is where Web Mercator ends.
	maxNorth = 85.0511
)

// NewMap returns a map on tiles that shows all marks and the centre of the search; nil for
// neither.
func NewMap(marks []Mark, here *Point, tiles ui.Tiles) *Map {
	points := make([]Point, 0, len(marks)+1)
	for _, m := range marks {
		points = append(points, m.Point)
	}
	if here != nil {
		points = append(points, *here)
	}
	if len(points) == 0 {
		return nil
	}
	west, east, north, south := 1.0, 0.0, 1.0, 0.0
	for _, p := range points {
		x, y := project(p)
		west, east, north, south = min(west, x), max(east, x), min(north, y), max(south, y)
	}
	ratio := float64(chartHeight) / chartWidth
	w := min(1, max(east-west, (south-north)/ratio, minWidth)*1.25)
	return &Map{x: (west+east)/2 - w/2, y: (north+south)/2 - w*ratio/2, w: w, Marks: marks, Here: here, Tiles: tiles}
}

func project(p Point) (x, y float64) {
	lat := max(-maxNorth, min(maxNorth, p.Lat)) * math.Pi / 180
	return (p.Lon + 180) / 360, (1 - math.Asinh(math.Tan(lat))/math.Pi) / 2
}

// unproject inverts project; x wraps around the earth, and y is limited to the map.
func unproject(x, y float64) Point {
	x -= math.Floor(x)
	y = max(0, min(1, y))
	return Point{math.Atan(math.Sinh(math.Pi*(1-2*y))) * 180 / math.Pi, x*360 - 180}
}

// At returns where a point is drawn.
func (c Map) At(p Point) (x, y string) {
	east, south := project(p)
	unit := func(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) }
	return unit((east - c.x) / c.w * chartWidth), unit((south - c.y) / c.w * chartWidth)
}

// Frame is the part of the earth for the script that draws the land and reads where people point.
func (c Map) Frame() string {
	number := func(n float64) string { return strconv.FormatFloat(n, 'g', 12, 64) }
	return number(c.x) + " " + number(c.y) + " " + number(c.w)
}

// moved returns the centre moved by multiples of the map's width and height.
func (c Map) moved(east, south float64) *Point {
	h := c.w * chartHeight / chartWidth
	middle := unproject(c.x+c.w*(0.5+east), c.y+h*(0.5+south))
	return &middle
}

// Way is a direction in which a map goes on.
type Way struct {
	Name string
	To   *Point
}

// Ways are the directions from a map, by the names of their messages.
func (c Map) Ways() []Way {
	return []Way{
		{"north", c.moved(0, -0.75)}, {"south", c.moved(0, 0.75)}, {"west", c.moved(-0.75, 0)}, {"east", c.moved(0.75, 0)},
	}
}

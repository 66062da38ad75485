package place

import (
	"math"
	"strconv"
	"strings"

	"litfass/pkg/ui"
)

// point is a place on the earth in degrees.
type point struct{ Lat, Lon float64 }

// pointOf reads a point as people and forms write it; nil for what is none.
func pointOf(lat, lon string) *point {
	north, err := strconv.ParseFloat(decimal(lat), 64)
	if err != nil || !(math.Abs(north) <= 90) {
		return nil
	}
	east, err := strconv.ParseFloat(decimal(lon), 64)
	if err != nil || !(math.Abs(east) <= 180) {
		return nil
	}
	return &point{north, east}
}

// decimal writes a number with a decimal comma in the form that programs read.
func decimal(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
}

// degrees writes an angle to about a metre.
func degrees(angle float64) string {
	return strconv.FormatFloat(math.Round(angle*1e5)/1e5, 'f', -1, 64)
}

// mark is a point on a map with a name and where it leads; "" for nowhere.
type mark struct {
	point
	Name, Link string
}

// chart is a map: a part of the earth in Web Mercator with marks. Lengths are shares of the
// circumference of the earth; x grows eastwards from 180° west, y southwards.
type chart struct {
	x, y, w float64
	Marks   []mark
	Here    *point // what is searched around, or chosen; nil for nothing
	Tiles   ui.Tiles
}

const (
	// chartWidth and chartHeight are the units of a drawing.
	chartWidth, chartHeight = 400, 300
	// smallestChart is the width of the smallest part that is shown, about 14 km in Germany.
	smallestChart = 6e-4
	// mostNorth is where Web Mercator ends.
	mostNorth = 85.0511
)

// chartOf returns a map on tiles of all marks and of what is searched around; nil for neither.
func chartOf(marks []mark, here *point, tiles ui.Tiles) *chart {
	points := make([]point, 0, len(marks)+1)
	for _, m := range marks {
		points = append(points, m.point)
	}
	if here != nil {
		points = append(points, *here)
	}
	if len(points) == 0 {
		return nil
	}
	west, east, north, south := 1.0, 0.0, 1.0, 0.0
	for _, p := range points {
		x, y := mercator(p)
		west, east, north, south = min(west, x), max(east, x), min(north, y), max(south, y)
	}
	ratio := float64(chartHeight) / chartWidth
	w := min(1, max(east-west, (south-north)/ratio, smallestChart)*1.25)
	return &chart{x: (west+east)/2 - w/2, y: (north+south)/2 - w*ratio/2, w: w, Marks: marks, Here: here, Tiles: tiles}
}

func mercator(p point) (x, y float64) {
	lat := max(-mostNorth, min(mostNorth, p.Lat)) * math.Pi / 180
	return (p.Lon + 180) / 360, (1 - math.Asinh(math.Tan(lat))/math.Pi) / 2
}

// place inverts mercator; x wraps around the earth, and y is limited to the map.
func place(x, y float64) point {
	x -= math.Floor(x)
	y = max(0, min(1, y))
	return point{math.Atan(math.Sinh(math.Pi*(1-2*y))) * 180 / math.Pi, x*360 - 180}
}

// at returns where a point is drawn.
func (c chart) at(p point) (x, y string) {
	east, south := mercator(p)
	unit := func(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) }
	return unit((east - c.x) / c.w * chartWidth), unit((south - c.y) / c.w * chartWidth)
}

// frame is the part of the earth for the script that draws the land and reads where people point.
func (c chart) frame() string {
	number := func(n float64) string { return strconv.FormatFloat(n, 'g', 12, 64) }
	return number(c.x) + " " + number(c.y) + " " + number(c.w)
}

// moved returns the centre moved by multiples of the map's width and height.
func (c chart) moved(east, south float64) *point {
	h := c.w * chartHeight / chartWidth
	middle := place(c.x+c.w*(0.5+east), c.y+h*(0.5+south))
	return &middle
}

// way is a direction in which a map goes on.
type way struct {
	name string
	to   *point
}

// ways are the directions from a map, by the names of their messages.
func (c chart) ways() []way {
	return []way{
		{"north", c.moved(0, -0.75)}, {"south", c.moved(0, 0.75)}, {"west", c.moved(-0.75, 0)}, {"east", c.moved(0.75, 0)},
	}
}

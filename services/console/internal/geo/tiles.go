package geo

import (
	"math"
	"strconv"
	"strings"
)

const (
	tilePixels = 256 // width of a tile
	maxZoom    = 19  // that servers of tiles have
)

// tile is a part of a map's ground, in the units of the drawing.
type tile struct{ Address, X, Y, Size string }

// tiles returns the tiles that cover the map, none if no tile server is configured. They are drawn
// at their own width or smaller.
func (c Map) tiles() (all []tile) {
	if c.Tiles.URL == "" {
		return nil
	}
	zoom := min(maxZoom, max(0, int(math.Ceil(math.Log2(chartWidth/c.w/tilePixels)))))
	count := 1 << zoom // of tiles around the earth
	size := chartWidth / c.w / float64(count)
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', 2, 64) }
	first := func(begin float64) int { return int(math.Floor(begin * float64(count))) }
	last := func(end float64) int { return int(math.Ceil(end*float64(count))) - 1 }
	for y := max(0, first(c.y)); y <= min(count-1, last(c.y+c.w*chartHeight/chartWidth)); y++ {
		for x := first(c.x); x <= last(c.x+c.w); x++ {
			all = append(all, tile{
				Address: c.tileAddress(zoom, (x+count)%count, y),
				X:       number(float64(x)*size - c.x/c.w*chartWidth),
				Y:       number(float64(y)*size - c.y/c.w*chartWidth),
				Size:    number(size),
			})
		}
	}
	return all
}

// tileAddress names a tile: {s} is one of three hosts, so that browsers ask several at once.
func (c Map) tileAddress(zoom, x, y int) string {
	return strings.NewReplacer(
		"{z}", strconv.Itoa(zoom), "{x}", strconv.Itoa(x), "{y}", strconv.Itoa(y), "{s}", string("abc"[(x+y)%3]),
	).Replace(c.Tiles.URL)
}

package basemap

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/simplify"
)

const (
	// Width of a drawing in its own units.
	Width = 1200
	// Height of a drawing in its own units.
	Height = 900
	// margin is how far a drawing goes on beyond its box, so that cut edges are not seen.
	margin = 0.02
	// tolerance is how far lines may be from those of the tiles, in units of the drawing.
	tolerance = 0.8
	// tilesAcross is the greatest number of tiles along the width of a drawing.
	tilesAcross = 2.5
	// maxPath is the size from which a path takes no further shapes, in bytes: a town in an archive
	// with streets has too many of them for a page.
	maxPath = 150_000
	// wide is about the width of the drawing of a page of its own on a screen, in pixels.
	wide = 640
	// small is about the width of the drawing of one place.
	small = 400
)

// Drawing is a box of a map as parts of SVG.
type Drawing struct {
	Shapes []Shape // the lowest first
	Towns  []Town  // the largest first
}

// Shape is a path in a view box of Width by Height.
type Shape struct {
	Class string // of the element: map-earth, map-water, map-road or map-border
	Path  string
}

// Town is a name on a drawing.
type Town struct {
	Name  string
	X, Y  float64 // shares of the width from the west, and of the height from the north
	Minor bool    // there is no room for it on small screens
	Edge  bool    // the box is a part of it, which it stands beyond
	// Anchor is the part of the name that stands at X, as SVG has it: "start", "middle" or "end".
	Anchor string
}

// Draw draws a box, with the names of towns in a language. taken are the places of the box that
// names leave free. With an error the drawing is that of what could be read.
func (m *Map) Draw(ctx context.Context, b Box, language string, taken [][2]float64) (Drawing, error) {
	return m.draw(ctx, sketch{box: b, language: language, pixels: wide}, taken)
}

// DrawPlace draws a box around the place in its middle, for less room on a page. Names leave free
// the pin that stands on the place.
func (m *Map) DrawPlace(ctx context.Context, b Box, language string) (Drawing, error) {
	return m.draw(ctx, sketch{box: b, language: language, pixels: small}, [][2]float64{{0.5, 0.43}})
}

func (m *Map) draw(ctx context.Context, s sketch, taken [][2]float64) (d Drawing, err error) {
	below := s
	s.paths, below.paths = map[string]*bytes.Buffer{}, map[string]*bytes.Buffer{}
	whole, err := s.addAll(ctx, m)
	if !whole && m.under != nil {
		_, failed := below.addAll(ctx, m.under)
		err = errors.Join(err, failed)
		d.Shapes, s.towns, s.around = below.shapes(), append(s.towns, below.towns...), append(s.around, below.around...)
	}
	d.Shapes = append(d.Shapes, s.shapes()...)
	d.Towns = s.named(taken)
	return d, err
}

// GeoJSON returns the land in a box as polygons. The longitudes go on beyond 180° where the box
// does.
func (m *Map) GeoJSON(ctx context.Context, b Box) ([]byte, error) {
	land, whole, err := m.land(ctx, b)
	if err == nil && !whole && m.under != nil {
		var below orb.MultiPolygon
		below, _, err = m.under.land(ctx, b)
		land = append(below, land...)
	}
	if err != nil {
		return nil, err
	}
	for _, rings := range land {
		for _, ring := range rings {
			for i, p := range ring {
				ring[i] = orb.Point{longitude(p[0]), latitude(p[1])}
			}
		}
	}
	return geojson.NewGeometry(orb.Round(land, 1e4)).MarshalJSON()
}

// land returns the land in a box in the coordinates of Box, and whether all tiles of it are there.
func (m *Map) land(ctx context.Context, b Box) (land orb.MultiPolygon, whole bool, err error) {
	land, whole = orb.MultiPolygon{}, true
	for _, part := range m.parts(b) {
		layers, err := m.layers(ctx, part.z, part.x, part.y)
		if err != nil {
			return nil, false, err
		}
		whole = whole && layers != nil
		for _, l := range layers {
			if layerClasses[l.Name] != earth || part.far != isFar(l.Name) {
				continue
			}
			for _, f := range l.Features {
				land = append(land, polygonsOf(part.cut(f.Geometry, l.Extent, b))...)
			}
		}
	}
	return land, whole, nil
}

// The classes of shapes.
const (
	earth  = "map-earth"
	water  = "map-water"
	road   = "map-road"
	border = "map-border"
)

// layerClasses are the classes of layers.
var layerClasses = map[string]string{
	"earth": earth, "water": water, "roads": road, "boundaries": border, "world_earth": earth, "world_boundaries": border,
}

// isFar reports whether a layer is around what a map shows in detail.
func isFar(layer string) bool { return len(layer) > 6 && layer[:6] == "world_" }

// part is a tile as a box shows it: so many times around the earth, and of the layers around the
// detail or of the detail.
type part struct {
	z    uint8
	x, y uint32
	turn float64
	far  bool
}

// parts returns the tiles of a box, those around the detail first.
func (m *Map) parts(b Box) (parts []part) {
	fine := uint8(max(0, min(float64(m.MaxZoom()), math.Floor(math.Log2(tilesAcross/b.w)))))
	if m.far {
		parts = tilesOf(b, min(fine, farZoom), true)
	}
	return append(parts, tilesOf(b, fine, false)...)
}

func tilesOf(b Box, z uint8, far bool) (parts []part) {
	n := float64(uint32(1) << z)
	for x := math.Floor(b.x * n); x < (b.x+b.w)*n; x++ {
		turn := math.Floor(x / n)
		for y := max(0, math.Floor(b.y*n)); y < min(n, (b.y+b.h)*n); y++ {
			parts = append(parts, part{z, uint32(x - turn*n), uint32(y), turn, far})
		}
	}
	return parts
}

// cut returns what a box shows of a geometry of a tile, in the coordinates of Box; nil for nothing.
func (p part) cut(g orb.Geometry, extent uint32, b Box) orb.Geometry {
	side := 1 / float64(uint64(1)<<p.z)
	west, north := p.turn+float64(p.x)*side, float64(p.y)*side
	place := func(q orb.Point) orb.Point {
		return orb.Point{west + q[0]/float64(extent)*side, north + q[1]/float64(extent)*side}
	}
	window := orb.Bound{
		Min: orb.Point{b.x - margin*b.w, b.y - margin*b.h},
		Max: orb.Point{b.x + (1+margin)*b.w, b.y + (1+margin)*b.h},
	}
	g = moved(g, place)
	if g == nil || !g.Bound().Intersects(window) {
		return nil
	}
	return simplify.DouglasPeucker(tolerance / Width * b.w).Simplify(clip.Geometry(window, g))
}

// moved applies a function to all points of a geometry. It modifies its argument.
func moved(g orb.Geometry, to func(orb.Point) orb.Point) orb.Geometry {
	each := func(points []orb.Point) {
		for i := range points {
			points[i] = to(points[i])
		}
	}
	switch g := g.(type) {
	case orb.Point:
		return to(g)
	case orb.LineString:
		each(g)
	case orb.MultiLineString:
		for _, line := range g {
			each(line)
		}
	case orb.Polygon:
		for _, ring := range g {
			each(ring)
		}
	case orb.MultiPolygon:
		for _, p := range g {
			moved(p, to)
		}
	default:
		return nil
	}
	return g
}

// polygonsOf returns the polygons of a geometry that has some, without rings that have no area.
func polygonsOf(g orb.Geometry) (polygons orb.MultiPolygon) {
	switch g := g.(type) {
	case orb.Polygon:
		polygons = orb.MultiPolygon{g}
	case orb.MultiPolygon:
		polygons = g
	}
	var left orb.MultiPolygon
	for _, p := range polygons {
		var rings orb.Polygon
		for _, ring := range p {
			if len(ring) >= 4 {
				rings = append(rings, ring)
			}
		}
		if rings != nil {
			left = append(left, rings)
		}
	}
	return left
}

// appendLine appends a line in whole units: its first point, then the distance of each from the one
// before. A closed line ends with z.
func appendLine(path *bytes.Buffer, line []orb.Point, b Box, closed bool) {
	var at [2]int
	if closed {
		line = line[:len(line)-1]
	}
	for i, p := range line {
		to := [2]int{int(math.Round((p[0] - b.x) / b.w * Width)), int(math.Round((p[1] - b.y) / b.h * Height))}
		switch {
		case i == 0:
			path.WriteByte('M')
		case to == at:
			continue
		default:
			path.WriteByte('l')
		}
		path.WriteString(strconv.Itoa(to[0] - at[0]))
		path.WriteByte(' ')
		path.WriteString(strconv.Itoa(to[1] - at[1]))
		at = to
	}
	if closed {
		path.WriteByte('z')
	}
}

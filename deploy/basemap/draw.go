package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"

	"litfass/pkg/contracts/town"
	"litfass/pkg/media/pmtiles"
)

const (
	// extent is the number of units along a side of a tile.
	extent = 4096
	// buffer is how far, in units, a tile goes on beyond its sides.
	buffer = 64
	// coarseZoom is the greatest zoom of the land around the detailed part.
	coarseZoom = 4
	// finest is the greatest zoom; maps enlarge its tiles.
	finest = 8
)

// detail is what a zoom leaves out: how far lines may be from the true ones, in units of a tile,
// and the least area of land and water in their square. They apply to the latitude of Kiel and
// grow further north as the scale does.
type detail struct{ away, land, water float64 }

func detailOf(z uint8) detail {
	switch z {
	case finest:
		return detail{away: 6.5, land: 500, water: 5000}
	case finest - 1:
		return detail{away: 11, land: 1200, water: 8000}
	}
	return detail{away: 10, land: 600, water: 5000}
}

// scale returns how many times as large as at Kiel the map is at a latitude.
func scale(lat float64) float64 {
	return max(1, math.Cos(54.3*math.Pi/180)/math.Cos(lat*math.Pi/180))
}

// layer is a part of a map at one zoom: its features in units of that zoom, from the north-west.
type layer struct {
	name     string
	features []*geojson.Feature
}

// tilesOf returns the tiles of a zoom.
func tilesOf(z uint8, s sphere, towns []town.Town) ([]pmtiles.Tile, error) {
	d := detailOf(z)
	near, far := split(towns)
	layers := []layer{
		{"earth", polygons(s.land, z, d.away, d.land)},
		{"water", polygons(s.water, z, d.away, d.water)},
		{"boundaries", lines(s.border, z, d.away)},
		{"places", names(near, z, z == finest)},
	}
	if z <= coarseZoom {
		layers = append(layers, layer{"world_earth", polygons(s.farLand, z, d.away, d.land)},
			layer{"world_boundaries", lines(s.farBorder, z, d.away)}, layer{"world_places", names(far, z, false)})
	}
	return cut(z, layers)
}

// project returns where a point is, in units of a zoom.
func project(p orb.Point, z uint8) orb.Point {
	side := float64(uint64(extent) << z)
	lat := max(-85.0511287798, min(85.0511287798, p.Lat())) * math.Pi / 180
	return orb.Point{(p.Lon() + 180) / 360 * side, (1 - math.Asinh(math.Tan(lat))/math.Pi) / 2 * side}
}

// polygons returns shapes without those that are smaller than an area, in lines that are up to away
// from the true ones.
func polygons(shapes []shape, z uint8, away, area float64) (features []*geojson.Feature) {
	side := float64(uint64(extent) << z)
	for _, s := range shapes {
		times := scale(s.rings.Bound().Center().Lat())
		least := area * times * times
		if s.area*side*side < least {
			continue
		}
		var left orb.Polygon
		for i, ring := range s.rings {
			if i > 0 && areaOf(ring)*side*side < least {
				continue
			}
			if ring = simplified(ring, s.joints, z, away*times); len(ring) >= 4 {
				left = append(left, ring)
			} else if i == 0 {
				break // without its outer ring there is no polygon
			}
		}
		if left != nil {
			features = append(features, feature(left, nil))
		}
	}
	return features
}

// simplified returns a ring in units of a zoom with fewer points, but with all joints.
func simplified(ring orb.Ring, joints map[orb.Point]bool, z uint8, away float64) orb.Ring {
	if first := slices.IndexFunc(ring, func(p orb.Point) bool { return joints[p] }); first > 0 {
		ring = slices.Concat(ring[first:], ring[1:first+1]) // the first point is repeated at the end
	}
	var left, part orb.LineString
	for i, p := range ring {
		part = append(part, project(p, z))
		if i == len(ring)-1 || i > 0 && joints[p] {
			kept := simplify.DouglasPeucker(away).LineString(part)
			left = append(left, kept[min(1, len(left)):]...)
			part = orb.LineString{project(p, z)}
		}
	}
	return orb.Ring(left)
}

func lines(shapes orb.MultiLineString, z uint8, away float64) (features []*geojson.Feature) {
	for _, line := range shapes {
		projected := make(orb.LineString, len(line))
		for i, p := range line {
			projected[i] = project(p, z)
		}
		features = append(features, feature(simplify.DouglasPeucker(away).LineString(projected), geojson.Properties{"kind": "country"}))
	}
	return features
}

// split parts the towns of the detailed part from the large ones around it.
func split(towns []town.Town) (near, far []town.Town) {
	for _, t := range towns {
		switch {
		case detailed.Contains(orb.Point{t.Lon, t.Lat}):
			near = append(near, t)
		case leastZoom(t.Population) <= coarseZoom:
			far = append(far, t)
		}
	}
	return near, far
}

// names returns the towns that a zoom shows, or with all those that greater zooms show as well.
func names(towns []town.Town, z uint8, all bool) (features []*geojson.Feature) {
	for _, t := range towns {
		least := leastZoom(t.Population)
		if least > z+1 && !all || t.Population < smallestTown {
			continue
		}
		name := cmp.Or(ownNames[t.Name], t.Name)
		properties := geojson.Properties{"kind": "locality", "name": name, "min_zoom": least}
		features = append(features, feature(project(orb.Point{t.Lon, t.Lat}, z), properties))
	}
	return features
}

// ownNames are the names of towns that have changed since the gazetteer was made.
var ownNames = map[string]string{"Århus": "Aarhus"}

// smallestTown is the population of the smallest town with a name.
const smallestTown = 3000

// leastZoom returns the zoom from which maps show the name of a town.
func leastZoom(population int) uint8 {
	z := uint8(2)
	for _, size := range []int{3_000_000, 1_000_000, 400_000, 150_000, 60_000, 20_000, 8_000, 3_000} {
		if population >= size {
			return z
		}
		z++
	}
	return z
}

func feature(g orb.Geometry, properties geojson.Properties) *geojson.Feature {
	f := geojson.NewFeature(g)
	if properties != nil {
		f.Properties = properties
	}
	return f
}

type place struct{ x, y uint32 }

// cut returns the tiles of layers, in no order.
func cut(z uint8, layers []layer) ([]pmtiles.Tile, error) {
	drawn := map[place]mvt.Layers{}
	for _, l := range layers {
		parts := map[place][]*geojson.Feature{}
		for _, f := range l.features {
			spread(f, z, func(at place, part *geojson.Feature) { parts[at] = append(parts[at], part) })
		}
		for at, features := range parts {
			drawn[at] = append(drawn[at], &mvt.Layer{Name: l.name, Version: 2, Extent: extent, Features: features})
		}
	}
	var tiles []pmtiles.Tile
	for at, content := range drawn {
		encoded, err := mvt.Marshal(content)
		if err != nil {
			return nil, err
		}
		tiles = append(tiles, pmtiles.Tile{Z: z, X: at.x, Y: at.y, Content: encoded})
	}
	return tiles, nil
}

// spread calls use with the part of a feature in each tile, in the units of the tile.
func spread(f *geojson.Feature, z uint8, use func(place, *geojson.Feature)) {
	bound := f.Geometry.Bound().Pad(buffer)
	last := float64(uint32(1)<<z - 1)
	index := func(n float64) uint32 { return uint32(max(0, min(last, math.Floor(n/extent)))) }
	for x := index(bound.Left()); x <= index(bound.Right()); x++ {
		for y := index(bound.Bottom()); y <= index(bound.Top()); y++ {
			west, north := float64(x)*extent, float64(y)*extent
			window := orb.Bound{Min: orb.Point{west, north}, Max: orb.Point{west + extent, north + extent}}.Pad(buffer)
			part := clip.Geometry(window, orb.Clone(f.Geometry))
			if part = rounded(part, west, north); part != nil {
				use(place{x, y}, feature(part, f.Properties))
			}
		}
	}
}

// rounded moves a geometry into the units of a tile. It returns nil when nothing is left of it.
func rounded(g orb.Geometry, west, north float64) orb.Geometry {
	whole := func(points []orb.Point) (left []orb.Point) {
		for _, p := range points {
			p = orb.Point{math.Round(p[0] - west), math.Round(p[1] - north)}
			if len(left) == 0 || left[len(left)-1] != p {
				left = append(left, p)
			}
		}
		return left
	}
	switch g := g.(type) {
	case orb.Point:
		return orb.Point{math.Round(g[0] - west), math.Round(g[1] - north)}
	case orb.LineString:
		if line := whole(g); len(line) > 1 {
			return orb.LineString(line)
		}
	case orb.MultiLineString:
		var lines orb.MultiLineString
		for _, line := range g {
			if line := whole(line); len(line) > 1 {
				lines = append(lines, line)
			}
		}
		if lines != nil {
			return lines
		}
	case orb.Polygon:
		var polygon orb.Polygon
		for i, ring := range g {
			if ring := orb.Ring(whole(ring)); len(ring) > 3 && planar.Area(ring) != 0 {
				// Outer rings run clockwise on a map whose y grows southwards, inner ones against it.
				if outer := ring.Orientation() == orb.CCW; outer != (i == 0) {
					ring.Reverse()
				}
				polygon = append(polygon, ring)
			} else if i == 0 {
				return nil
			}
		}
		if polygon != nil {
			return polygon
		}
	}
	return nil
}

package land

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/simplify"

	"litfass/services/site/internal/asset"
)

// Drawing is the land of the earth: coarse for continents, finer for regions. It is not altered.
type Drawing struct{ coarse, fine []polygon }

// polygon is a part of the land in Web Mercator, in the coordinates of Box, with its bounds.
type polygon struct {
	rings orb.Polygon
	bound orb.Bound
}

// Built returns the land of the program's bundle; without a bundle there is none.
var Built = sync.OnceValue(func() *Drawing {
	d, err := Read(asset.Text("land.json"), asset.Text("land-fine.json"))
	if err != nil {
		panic("the land in the bundle: " + err.Error()) // a test reads it
	}
	return d
})

// Read reads the land from a coarse and a fine GeoJSON of polygons; "" is one without any.
func Read(coarse, fine string) (d *Drawing, err error) {
	d = &Drawing{}
	if d.coarse, err = polygons(coarse); err != nil {
		return nil, err
	}
	d.fine, err = polygons(fine)
	return d, err
}

func polygons(text string) ([]polygon, error) {
	if text == "" {
		return nil, nil
	}
	geometry, err := geojson.UnmarshalGeometry([]byte(text))
	if err != nil {
		return nil, err
	}
	land, ok := geometry.Geometry().(orb.MultiPolygon)
	if !ok {
		return nil, fmt.Errorf("the land is a %s", geometry.Type)
	}
	list := make([]polygon, len(land))
	for i, rings := range land {
		for _, ring := range rings {
			for j, p := range ring {
				ring[j] = orb.Point{meridian(p.Lon()), parallel(p.Lat())}
			}
		}
		list[i] = polygon{rings: rings, bound: rings.Bound()}
	}
	return list, nil
}

const (
	// coarseFrom is how wide a box is that the coarse drawing is good enough for: a continent.
	coarseFrom = 0.12
	// Width of a drawing in its own units.
	Width = 1200
	// Height of a drawing in its own units.
	Height = 900
	// margin is how far a drawing goes on beyond its box, so that cut edges are not seen.
	margin = 0.02
	// tolerance is how far lines may be from the coast, in units of the drawing.
	tolerance = 0.6
)

// Path returns the land in a box of the form of a map, as the attribute d of a path in a view box
// of Width by Height; "" for open sea.
func (d *Drawing) Path(b Box) string {
	var path bytes.Buffer
	for _, rings := range d.cut(b, tolerance/Width) {
		for _, ring := range rings {
			appendRing(&path, ring, b)
		}
	}
	return path.String()
}

// GeoJSON returns the land in a box. The longitudes go on beyond 180° where the box does.
func (d *Drawing) GeoJSON(b Box) ([]byte, error) {
	land := d.cut(b, tolerance/Width/2)
	for _, rings := range land {
		for _, ring := range rings {
			for i, p := range ring {
				ring[i] = orb.Point{longitude(p[0]), latitude(p[1])}
			}
		}
	}
	return geojson.NewGeometry(orb.Round(land, 1e4)).MarshalJSON()
}

// cut returns the land in a box with its margin, in lines that are up to a share of the box's width
// away from the coast.
func (d *Drawing) cut(b Box, away float64) orb.MultiPolygon {
	from := d.fine
	if b.w > coarseFrom || len(from) == 0 {
		from = d.coarse
	}
	land := orb.MultiPolygon{}
	for turn := math.Floor(b.x - margin*b.w); turn <= b.x+(1+margin)*b.w; turn++ {
		window := orb.Bound{
			Min: orb.Point{b.x - turn - margin*b.w, b.y - margin*b.h},
			Max: orb.Point{b.x - turn + (1+margin)*b.w, b.y + (1+margin)*b.h},
		}
		for _, p := range from {
			if !p.bound.Intersects(window) {
				continue
			}
			rings := clip.Polygon(window, p.rings.Clone()) // which modifies its argument
			rings = simplify.DouglasPeucker(away * b.w).Polygon(rings)
			if rings = turned(rings, turn); len(rings) > 0 {
				land = append(land, rings)
			}
		}
	}
	return land
}

// turned moves polygons that many times around the earth, and leaves out rings without an area.
func turned(rings orb.Polygon, turn float64) (left orb.Polygon) {
	for _, ring := range rings {
		if len(ring) < 4 {
			continue
		}
		for i := range ring {
			ring[i][0] += turn
		}
		left = append(left, ring)
	}
	return left
}

// appendRing appends a ring in whole units: its first point, then the distance of each from the one
// before.
func appendRing(path *bytes.Buffer, ring orb.Ring, b Box) {
	var at [2]int
	for i, p := range ring[:len(ring)-1] {
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
	path.WriteByte('z')
}

package basemap

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
)

// sketch is a drawing that is being made.
type sketch struct {
	box      Box
	language string
	pixels   float64                  // its width on a screen
	paths    map[string]*bytes.Buffer // by their classes
	towns    []candidate
	around   []candidate // towns beyond the box, where it may be a part of one
}

// candidate is a town that may be named.
type candidate struct {
	Town
	from       float64 // the zoom from which maps name it
	population float64
}

// zoom is that of the box on a screen.
func (s *sketch) zoom() float64 { return math.Log2(s.pixels / 512 / s.box.w) }

// addAll adds what a map shows in the box, and reports whether all of its tiles are there.
func (s *sketch) addAll(ctx context.Context, m *Map) (whole bool, err error) {
	whole = true
	for _, p := range m.parts(s.box) {
		layers, err := m.layers(ctx, p.z, p.x, p.y)
		if err != nil {
			return false, err
		}
		whole = whole && layers != nil
		s.add(p, layers)
	}
	return whole, nil
}

// shapes returns the shapes, the lowest first.
func (s *sketch) shapes() (shapes []Shape) {
	for _, class := range []string{earth, water, road, border} {
		if path := s.paths[class]; path != nil {
			shapes = append(shapes, Shape{class, path.String()})
		}
	}
	return shapes
}

// add adds what a tile shows in the box.
func (s *sketch) add(p part, layers mvt.Layers) {
	for _, l := range layers {
		if p.far != isFar(l.Name) {
			continue
		}
		if l.Name == "places" || l.Name == "world_places" {
			s.addTowns(p, l)
			continue
		}
		if class := layerClasses[l.Name]; class != "" {
			s.addShapes(p, l, class)
		}
	}
}

func (s *sketch) addShapes(p part, l *mvt.Layer, class string) {
	path := s.paths[class]
	if path == nil {
		path = &bytes.Buffer{}
		s.paths[class] = path
	}
	for _, f := range l.Features {
		if path.Len() > maxPath {
			return
		}
		if !s.shows(class, f) {
			continue
		}
		switch g := p.cut(f.Geometry, l.Extent, s.box).(type) {
		case orb.Polygon, orb.MultiPolygon:
			for _, rings := range polygonsOf(g) {
				for _, ring := range rings {
					appendLine(path, ring, s.box, true)
				}
			}
		case orb.LineString:
			s.addLine(path, class, g)
		case orb.MultiLineString:
			for _, line := range g {
				s.addLine(path, class, line)
			}
		}
	}
}

// addLine adds a road or a border; rivers that are lines are too fine for a drawing.
func (s *sketch) addLine(path *bytes.Buffer, class string, line orb.LineString) {
	if len(line) > 1 && (class == road || class == border) {
		appendLine(path, line, s.box, false)
	}
}

// shows reports whether a drawing of this size has a feature: of roads the large ones, of borders
// those of countries.
func (s *sketch) shows(class string, f *geojson.Feature) bool {
	kind := text(f.Properties["kind"])
	switch class {
	case road:
		return kind == "highway" || kind == "major_road" && s.zoom() > 9 || kind == "minor_road" && s.zoom() > 13
	case border:
		return kind == "country"
	}
	return true
}

// addTowns adds the names of a tile that are in the box.
func (s *sketch) addTowns(p part, l *mvt.Layer) {
	side := 1 / float64(uint64(1)<<p.z)
	for _, f := range l.Features {
		at, isPoint := f.Geometry.(orb.Point)
		name := cmp.Or(text(f.Properties["name:"+s.language]), text(f.Properties["name"]))
		if !isPoint || name == "" || text(f.Properties["kind"]) != "locality" {
			continue
		}
		x := (p.turn + (float64(p.x)+at[0]/float64(l.Extent))*side - s.box.x) / s.box.w
		y := ((float64(p.y)+at[1]/float64(l.Extent))*side - s.box.y) / s.box.h
		if inTile := at[0] >= 0 && at[1] >= 0 && at[0] < float64(l.Extent) && at[1] < float64(l.Extent); !inTile {
			continue
		}
		from := number(f.Properties["min_zoom"])
		if from > max(2, s.zoom()+1) { // the largest have names on every map
			continue
		}
		town := candidate{
			Town: Town{Name: name, X: x, Y: y, Minor: from > s.zoom()-1, Anchor: "middle"}, from: from, population: number(f.Properties["population"]),
		}
		if x >= 0 && y >= 0 && x <= 1 && y <= 1 {
			s.towns = append(s.towns, town)
		} else if s.away(town.Town) < nearby {
			s.around = append(s.around, town)
		}
	}
}

// number returns a property that may be stored as any sort of number; 0 for none.
func number(property any) float64 {
	switch n := property.(type) {
	case float64:
		return n
	case float32:
		return float64(n)
	case int64:
		return float64(n)
	case uint64:
		return float64(n)
	}
	return 0
}

// text returns a property that is text; "" for none.
func text(property any) string {
	s, _ := property.(string)
	return s
}

// maxTowns is the number of names on a drawing.
const maxTowns = 40

// named returns the towns whose names do not touch each other or a taken place, the largest first.
func (s *sketch) named(taken [][2]float64) (towns []Town) {
	slices.SortStableFunc(s.towns, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.population, a.population))
	})
	var used []orb.Bound
	for _, at := range taken {
		used = append(used, orb.Point{at[0], at[1] * Ratio}.Bound().Pad(20/s.pixels))
	}
	for _, c := range s.towns {
		if len(towns) == maxTowns {
			break
		}
		bound := s.nameBound(c.Town)
		if bound.Left() < 0 || bound.Right() > 1 || slices.ContainsFunc(used, bound.Intersects) {
			continue
		}
		used = append(used, bound)
		towns = append(towns, c.Town)
	}
	if len(towns) == 0 {
		return s.atEdge(used)
	}
	return towns
}

// nearby is how far a town may be of which a box is a part, in the lengths of Box: about 15 km in
// Central Europe.
const nearby = 0.0006

// away returns how far a town is from the middle of the box, in the lengths of Box.
func (s *sketch) away(t Town) float64 { return math.Hypot((t.X-0.5)*s.box.w, (t.Y-0.5)*s.box.h) }

// atEdge names the town that the box is a part of, at the edge in its direction: of those around a
// near one, or a large one, which reaches farther. It returns none where there is no room.
func (s *sketch) atEdge(used []orb.Bound) []Town {
	reach := func(c candidate) float64 { return s.away(c.Town) * math.Exp2(c.from/3) }
	slices.SortStableFunc(s.around, func(a, b candidate) int { return cmp.Compare(reach(a), reach(b)) })
	for _, c := range append(s.towns, s.around...) {
		name := s.nameBound(Town{Name: c.Name})
		half, line := name.Right()+8/s.pixels, (name.Top()+16/s.pixels)/Ratio
		x, y := min(max(c.X, half), 1-half), min(max(c.Y, line), 1-line)
		for _, place := range [][2]float64{{x, y}, {half, y}, {1 - half, y}, {x, line}, {x, 1 - line}} {
			town := Town{Name: c.Name, X: place[0], Y: place[1], Edge: true, Anchor: "middle"}
			switch town.X { // on a smaller screen the name is a larger share
			case half:
				town.X, town.Anchor = 8/s.pixels, "start"
			case 1 - half:
				town.X, town.Anchor = 1-8/s.pixels, "end"
			}
			if half < 0.5 && !slices.ContainsFunc(used, s.nameBound(town).Intersects) {
				return []Town{town}
			}
		}
	}
	return nil
}

// nameBound returns about where a name stands, in shares of the width of the drawing.
func (s *sketch) nameBound(t Town) orb.Bound {
	letter, line := 7.2/s.pixels, 16/s.pixels
	half := float64(utf8.RuneCountInString(t.Name)) * letter / 2
	switch t.Anchor {
	case "start":
		t.X += half
	case "end":
		t.X -= half
	}
	return orb.Bound{Min: orb.Point{t.X - half, t.Y*Ratio - line/2}, Max: orb.Point{t.X + half, t.Y*Ratio + line/2}}
}

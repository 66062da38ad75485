package mappage

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"litfass/services/site/internal/basemap"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/view"
)

// drawing is the data of a map.
type drawing struct {
	Filter url.Values // as in the address, without the box
	Query  url.Values // of the dates
	Box    basemap.Box
	HasBox bool // whether the address names the box
	Points []point
	Places []place // those with the most events
	Venues int     // in the box

	Image     string // path of the image for share cards; "" for none
	Total     int    // events of the filter, in the box or not
	Uncounted bool   // the index cannot count them now
	Bar       filter.Bar
	Moments   []filter.Choice // shortcuts to days
	Base      *basemap.Map
	Ground    basemap.Drawing
}

// point stands for the venues that are near each other on a map.
type point struct {
	X, Y   float64 // shares of the width from the west, and of the height from the north
	At     orb.Point
	Places []place     // the one with the most events first
	Count  int         // of their events
	Box    basemap.Box // that shows the places one by one
}

// place is a venue with events.
type place struct {
	UUID, Name, City string
	Point            orb.Point
	Count            int // of events
}

// maxInLink is the number of venues that one address can name.
const maxInLink = 100

// list returns the address of the list of the events at places.
func (m drawing) list(s view.Scope, places ...place) string {
	return s.Link("/", view.WithParameter(m.Filter, "venue_uuids", uuids(places)))
}

// uuids returns the uuids of places, as far as an address can name them.
func uuids(places []place) string {
	named := make([]string, min(len(places), maxInLink))
	for i := range named {
		named[i] = places[i].UUID
	}
	return strings.Join(named, ",")
}

// on returns the address of the same map with another box.
func (m drawing) on(s view.Scope, box basemap.Box) string {
	return s.Link("/map", view.WithParameter(m.Filter, "bbox", box.String()))
}

// opens reports whether a point leads to a map that shows its places apart.
func (m drawing) opens(p point) bool { return len(p.Places) > 1 && p.Box.Finer(m.Box) }

// leads returns the target of a point.
func (m drawing) leads(s view.Scope, p point) string {
	if m.opens(p) {
		return m.on(s, p.Box)
	}
	return m.list(s, p.Places...)
}

// label names a point with its events.
func (m drawing) label(s view.Scope, p point) string {
	name := p.Places[0].Name
	if len(p.Places) > 1 {
		name = s.Text.Count("map.and_venues", len(p.Places)-1, "Venue", name)
	}
	return name + ": " + s.Text.Count("list.found", p.Count)
}

// maxLetters is the length of names that fit between the points of a map.
const maxLetters = 18

// short is the label of a point: its venue, or the town of several.
func (p point) short() string {
	name := p.Places[0].Name
	if len(p.Places) > 1 && p.Places[0].City != "" {
		name = p.Places[0].City
	}
	if letters := []rune(name); len(letters) > maxLetters {
		return strings.TrimSpace(string(letters[:maxLetters-1])) + "…"
	}
	return name
}

// part returns the address of the part that a script reads for other boxes.
func (m drawing) part(s view.Scope) string { return s.Link("/map/part", m.Filter) }

// taken returns the places of the points, which names of towns leave free.
func (m drawing) taken() [][2]float64 {
	places := make([][2]float64, len(m.Points))
	for i, p := range m.Points {
		places[i] = [2]float64{p.X, p.Y}
	}
	return places
}

// viewBox is that of drawings.
var viewBox = fmt.Sprintf("0 0 %d %d", basemap.Width, basemap.Height)

// percent writes a share as a length of SVG.
func percent(share float64) string { return strconv.FormatFloat(share*100, 'f', 2, 64) + "%" }

// degrees writes a coordinate.
func degrees(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// radius returns that of a point, by the digits of its number.
func radius(count int) string { return strconv.Itoa(12 + 2*len(strconv.Itoa(count))) }

// move is a link to an adjacent map.
type move struct {
	message, icon, turn string
	box                 basemap.Box
}

// moves lead where dragging and zooming does with a script.
func (m drawing) moves() []move {
	return []move{
		{"map.in", "plus", "", m.Box.Zoomed(0.5)}, {"map.out", "minus", "", m.Box.Zoomed(2)},
		{"map.west", "back", "", m.Box.Moved(-0.5, 0)}, {"map.north", "back", "-up", m.Box.Moved(0, -0.5)},
		{"map.south", "arrow", "-down", m.Box.Moved(0, 0.5)}, {"map.east", "arrow", "", m.Box.Moved(0.5, 0)},
	}
}

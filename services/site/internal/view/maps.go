package view

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/paulmach/orb"

	"litfass/pkg/ui"
	"litfass/services/site/internal/asset"
	"litfass/services/site/internal/basemap"
)

// Maps is the ground of the site's maps, and where they send visitors for directions.
type Maps struct {
	Tiles ui.Tiles
	Base  *basemap.Map
	Route string // address with {lat} and {lon}; "" for none
}

// Maps returns the maps of the site.
func (b Brand) Maps() Maps { return Maps{b.Tiles, b.Map(), b.Route} }

// Attributes are those by which the script of maps finds the ground.
func (m Maps) Attributes() templ.Attributes {
	attributes := m.Base.Attributes()
	attributes["data-style"], attributes["data-worker"] = asset.URL("map.css"), asset.URL("map-worker.js")
	attributes["data-images"] = m.Tiles.URL
	return attributes
}

// HaveStreets reports whether the maps show where in a town a place is.
func (m Maps) HaveStreets() bool { return m.Tiles.URL != "" || m.Base.HasStreets() }

// Credits names whom the ground is from.
func (m Maps) Credits() string {
	if m.Tiles.URL != "" {
		return m.Tiles.Credit
	}
	return m.Base.Credit()
}

// Directions returns the address of directions to a position; "" for none.
func (m Maps) Directions(at orb.Point) templ.SafeURL {
	return SafeLink(strings.NewReplacer("{lat}", degrees(at.Lat()), "{lon}", degrees(at.Lon())).Replace(m.Route))
}

// DrawingPath is the path of drawings, which are images.
const DrawingPath = "/map/drawing.svg"

// Drawing returns the address of a drawing of a box, with names in a language.
func Drawing(box basemap.Box, lang string) string {
	return DrawingPath + "?" + url.Values{"bbox": {box.String()}, "lang": {lang}}.Encode()
}

// Position returns a position that is known and on the earth.
func Position(lat, lon *float64) (at orb.Point, known bool) {
	if lat == nil || lon == nil || !(math.Abs(*lat) <= 90) || !(math.Abs(*lon) <= 180) {
		return at, false
	}
	return orb.Point{*lon, *lat}, true
}

func degrees(n float64) string { return strconv.FormatFloat(n, 'f', 6, 64) }

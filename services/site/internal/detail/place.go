package detail

import (
	"net/url"

	"github.com/paulmach/orb"

	"litfass/services/site/internal/view"
)

// largeMap returns the filter of the map that shows a venue among its surroundings.
func largeMap(s view.Scope, venue string, at orb.Point) url.Values {
	return url.Values{"venue_uuids": {venue}, "bbox": {s.Maps.Base.Place(at).String()}}
}

// MapScripts are the scripts of a page with PlaceMap; none for a position that is not known.
func MapScripts(lat, lon *float64) []string {
	if _, known := view.Position(lat, lon); !known {
		return nil
	}
	return []string{"map.js"}
}

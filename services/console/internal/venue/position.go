package venue

import (
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/ui"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// position is where a venue lies, with the venues around that help to find it.
type position struct {
	Lat, Lon   string // as they were typed
	Neighbours []adminapi.FoundVenue
	Locked     bool
	Tiles      ui.Tiles
}

// maxNeighbours is how many venues around are shown.
const maxNeighbours = 6

// positionOf returns the position in a form with the venues of the same street, else of the same
// postal code, else of the same city, else any.
func positionOf(r *page.Request, values url.Values) position {
	w := position{Lat: values.Get("lat"), Lon: values.Get("lon"), Tiles: r.Tiles()}
	code, city := values.Get("postal_code"), values.Get("city")
	searches := []Query{}
	for _, words := range []string{values.Get("street") + " " + code + " " + city, code, city} {
		if words = strings.TrimSpace(words); words != "" {
			searches = append(searches, Query{Words: words, Limit: maxNeighbours})
		}
	}
	if at := geo.ParsePoint(w.Lat, w.Lon); at != nil {
		searches = []Query{{Near: at, Limit: maxNeighbours}}
	}
	for _, q := range append(searches, Query{Limit: maxNeighbours}) {
		if found, err := Search(r, q); err == nil {
			w.Neighbours = withPoint(found.Venues)
		}
		if len(w.Neighbours) > 0 {
			break
		}
	}
	return w
}

// positionOfVenue returns the position of a venue with the other venues around.
func positionOfVenue(e entity.Entity, stored version.Values) position {
	values := url.Values{}
	for _, key := range []string{"lat", "lon", "street", "postal_code", "city"} {
		if text := stored.Text(key); text != "" {
			values.Set(key, text)
		}
	}
	w := positionOf(e.Request, values)
	w.Locked = e.Locked
	w.Neighbours = slices.DeleteFunc(w.Neighbours, func(v adminapi.FoundVenue) bool { return v.UUID == stored.Text("uuid") })
	return w
}

func withPoint(venues []adminapi.FoundVenue) (kept []adminapi.FoundVenue) {
	for _, v := range venues {
		if v.Lat != nil && v.Lon != nil {
			kept = append(kept, v)
		}
	}
	return kept
}

// chart returns the map around the position; without any point the middle of Europe.
func (w position) chart() *geo.Map {
	var marks []geo.Mark
	for _, v := range w.Neighbours {
		marks = append(marks, geo.Mark{Point: geo.Point{Lat: *v.Lat, Lon: *v.Lon}, Name: v.Name})
	}
	if c := geo.NewMap(marks, geo.ParsePoint(w.Lat, w.Lon), w.Tiles); c != nil {
		return c
	}
	return geo.NewMap([]geo.Mark{}, &geo.Point{Lat: 54, Lon: 10}, w.Tiles)
}

// position shows the map around an address that is being typed.
func showPosition(r *page.Request) error {
	return r.ShowPart(positionAround(r.Text, positionOf(r, r.Query)))
}

// like is the position of a venue nearby as a value of the form.
func like(v adminapi.FoundVenue) string {
	return geo.FormatDegrees(*v.Lat) + " " + geo.FormatDegrees(*v.Lon)
}

// likes are the venues around whose position may be taken.
func likes(t *text.Texts, venues []adminapi.FoundVenue) []view.Option {
	options := []view.Option{{Label: t.T("position.like_none"), Chosen: true}}
	for _, v := range venues {
		options = append(options, view.Option{Value: like(v), Label: v.Name, Hint: Address(v)})
	}
	return options
}

package place

import (
	"net/url"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/ui"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// position is where a venue lies, with the venues around that help to find it.
type position struct {
	Lat, Lon   string // as they were typed
	Neighbours []adminapi.FoundVenue
	Locked     bool
	Tiles      ui.Tiles
}

// mostNeighbours is how many venues around are shown.
const mostNeighbours = 6

// positionOf returns the position in a form with the venues of the same street, else of the same
// postal code, else of the same city, else any.
func positionOf(r *page.Request, values url.Values) position {
	w := position{Lat: values.Get("lat"), Lon: values.Get("lon"), Tiles: r.Tiles()}
	code, city := values.Get("postal_code"), values.Get("city")
	searches := []question{}
	for _, words := range []string{values.Get("street") + " " + code + " " + city, code, city} {
		if words = strings.TrimSpace(words); words != "" {
			searches = append(searches, question{Words: words, limit: mostNeighbours})
		}
	}
	if at := pointOf(w.Lat, w.Lon); at != nil {
		searches = []question{{Near: at, limit: mostNeighbours}}
	}
	for _, q := range append(searches, question{limit: mostNeighbours}) {
		if found, err := search(r, q); err == nil {
			w.Neighbours = withPoint(found.Venues)
		}
		if len(w.Neighbours) > 0 {
			break
		}
	}
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
func (w position) chart() *chart {
	var marks []mark
	for _, v := range w.Neighbours {
		marks = append(marks, mark{point: point{*v.Lat, *v.Lon}, Name: v.Name})
	}
	if c := chartOf(marks, pointOf(w.Lat, w.Lon), w.Tiles); c != nil {
		return c
	}
	return chartOf([]mark{}, &point{54, 10}, w.Tiles)
}

// position shows the map around an address that is being typed.
func (p pages) position(r *page.Request) error {
	return r.ShowPart(positionAround(r.Text, positionOf(r, r.Query)))
}

// wrongPosition returns what is wrong with a position; nil for one that is right or missing.
func wrongPosition(t *text.Texts, lat, lon string) view.Errors {
	if lat == "" && lon == "" {
		return nil
	}
	errors := view.Errors{}
	if pointOf(lat, "0") == nil {
		errors["lat"] = t.T("position.lat_wrong")
	}
	if pointOf("0", lon) == nil {
		errors["lon"] = t.T("position.lon_wrong")
	}
	if len(errors) == 0 {
		return nil
	}
	return errors
}

// like is the position of a venue nearby as a value of the form.
func like(v adminapi.FoundVenue) string { return degrees(*v.Lat) + " " + degrees(*v.Lon) }

// likes are the venues around whose position may be taken.
func likes(t *text.Texts, venues []adminapi.FoundVenue) []view.Option {
	options := []view.Option{{Label: t.T("position.like_none"), Chosen: true}}
	for _, v := range venues {
		options = append(options, view.Option{Value: like(v), Label: v.Name, Hint: addressOf(v)})
	}
	return options
}

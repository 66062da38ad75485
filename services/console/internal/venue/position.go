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

// position is where a venue lies, with the positions that its address may have and the venues
// around, which help to find it.
type position struct {
	Lat, Lon   string  // as they were typed
	Like       *string // that was chosen in a form that is shown again; nil for another form
	Proposed   []adminapi.Position
	Credits    []string // the sources of the proposals
	Neighbours []adminapi.FoundVenue
	Locked     bool
	Tiles      ui.Tiles
}

// maxNeighbours is how many venues around are shown.
const maxNeighbours = 6

// positionOf returns the position in a form with the venues of the same street, else of the same
// postal code, else of the same city; any for an address that is not known.
func positionOf(r *page.Request, values url.Values) position {
	w := position{Lat: values.Get("lat"), Lon: values.Get("lon"), Tiles: r.Tiles()}
	w.propose(r, values)
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
	if len(w.Proposed) == 0 { // else the address is known, and others elsewhere do not help
		searches = append(searches, Query{Limit: maxNeighbours})
	}
	for _, q := range searches {
		if found, err := Search(r, q); err == nil {
			w.Neighbours = withPoint(found.Venues)
		}
		if len(w.Neighbours) > 0 {
			break
		}
	}
	return w
}

// propose reads the positions of the address in a form; a failed read proposes none.
func (w *position) propose(r *page.Request, values url.Values) {
	query := url.Values{}
	for _, key := range []string{"street", "house_number", "postal_code", "city", "country"} {
		if text := strings.TrimSpace(values.Get(key)); text != "" {
			query.Set(key, text)
		}
	}
	if query.Get("street") == "" && query.Get("city") == "" {
		return
	}
	if found, err := r.Admin().Positions(query); err == nil {
		w.Proposed, w.Credits = found.Positions, found.Credits
	}
}

// positionOfVenue returns the position of a venue with the other venues around.
func positionOfVenue(e entity.Entity, stored version.Values) position {
	values := url.Values{}
	for _, key := range []string{"lat", "lon", "street", "house_number", "postal_code", "city", "country"} {
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
	here := geo.ParsePoint(w.Lat, w.Lon)
	if here == nil && len(w.Proposed) > 0 {
		here, marks = &geo.Point{Lat: w.Proposed[0].Lat, Lon: w.Proposed[0].Lon}, nil
	}
	if c := geo.NewMap(marks, here, w.Tiles); c != nil {
		return c
	}
	return geo.NewMap([]geo.Mark{}, &geo.Point{Lat: 54, Lon: 10}, w.Tiles)
}

// position shows the map around an address that is being typed.
func showPosition(r *page.Request) error {
	return r.ShowPart(positionAround(r.Text, positionOf(r, r.Query)))
}

// showTowns completes the name of a town that is being typed.
func showTowns(r *page.Request) error {
	query := url.Values{}
	for key, name := range map[string]string{"city": "search", "country": "country"} {
		if text := strings.TrimSpace(r.Query.Get(key)); text != "" {
			query.Set(name, text)
		}
	}
	var found adminapi.Positions
	if query.Get("search") != "" {
		found, _ = r.Admin().Towns(query) // without an answer nothing is completed
	}
	return r.ShowPart(townList(found.Positions))
}

// likes are the positions that may be taken: those of the address, then those of venues around.
// The position of a house is chosen while there is no other one.
func likes(t *text.Texts, w position) []view.Option {
	like := func(lat, lon float64) string { return geo.FormatDegrees(lat) + " " + geo.FormatDegrees(lon) }
	none := view.Option{Label: t.T("position.like_none"), Chosen: true}
	asked := w.Lat == "" && w.Lon == "" && w.Like == nil
	var options []view.Option
	for i, p := range w.Proposed {
		at := like(p.Lat, p.Lon)
		chosen := i == 0 && p.Precision == adminapi.PreciseAddress && asked || w.Like != nil && *w.Like == at
		none.Chosen = none.Chosen && !chosen
		line := geo.AddressLine(p.Street, p.HouseNumber, p.PostalCode, p.City)
		options = append(options, view.Option{
			Value: at, Label: line, Hint: t.T("position.of_" + p.Precision), Chosen: chosen,
		})
	}
	for _, v := range w.Neighbours {
		hint := strings.TrimPrefix(Address(v)+" – "+t.T("position.of_venue"), " – ")
		options = append(options, view.Option{Value: like(*v.Lat, *v.Lon), Label: v.Name, Hint: hint})
	}
	return append(options, none)
}

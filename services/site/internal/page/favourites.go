package page

import (
	"context"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// mostFavourites is how many favourites are shown: a page of the search.
const mostFavourites = 200

// favourites is the page of the events that a visitor has marked. The browser keeps which ones, and
// names them in the address.
func (d Deps) favourites(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	events := r.items("event_uuids")
	if err := checkFavourites(r, events); err != nil {
		return view.Page{}, err
	}
	shown := view.Favourites{}
	if len(events) > 0 {
		var found publicapi.Events
		parameters := fromToday(r)
		parameters.Set("event_uuids", strings.Join(events, ","))
		parameters.Set("group", "event")
		parameters.Set("limit", "200")
		if err := api.Data(ctx, "/api/events", parameters, &found); err != nil {
			return view.Page{}, err
		}
		shown = view.Favourites{
			Asked: len(events), Found: len(found.Events), Days: daysOf(r, found.Events), Outputs: d.outputs(r),
		}
	}
	return view.FavouritesPage(d.shown(r), shown), nil
}

// checkFavourites returns an Invalid fault for an address that this page does not take.
func checkFavourites(r *Request, events []string) error {
	var violations fault.Violations
	for name := range r.Filter("event_uuids") {
		violations.Add(name, "is not a parameter of this page")
	}
	if len(events) > mostFavourites {
		violations.Add("event_uuids", "names more than %d events", mostFavourites)
	}
	return violations.Err("invalid_parameters", "this page takes up to 200 event_uuids and nothing else")
}

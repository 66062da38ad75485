package list

import (
	"context"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// maxFavourites is the number of favourites that are shown: one answer of the search.
const maxFavourites = 200

// showFavourites answers the page of the events that a visitor has marked. The browser keeps which
// ones, and names them in the address.
func showFavourites(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	events := r.Items("event_uuids")
	if err := checkFavourites(r, events); err != nil {
		return view.Page{}, err
	}
	data := Favourites{}
	if len(events) > 0 {
		var answer publicapi.Events
		parameters := page.FromToday(r)
		parameters.Set("event_uuids", strings.Join(events, ","))
		parameters.Set("group", "event")
		parameters.Set("limit", strconv.Itoa(maxFavourites))
		if err := api.Data(ctx, "/api/events", parameters, &answer); err != nil {
			return view.Page{}, err
		}
		data = Favourites{
			Total: len(events), Upcoming: len(answer.Events), Outputs: outputs(r),
		}
		begin, runs := apart(r, answer.Events)
		data.program = program{Events: publicapi.Events{Events: begin}, Runs: runs}
		data.arrange(r, parameters)
	}
	s, err := detail.Scope(ctx, api, r, data.Events.Events)
	return favouritesPage(s, data), err
}

// checkFavourites returns an Invalid fault for an address that this page does not take.
func checkFavourites(r *page.Request, events []string) error {
	var violations fault.Violations
	for name := range r.Filter("event_uuids") {
		violations.Add(name, reason.Unknown)
	}
	if len(events) > maxFavourites {
		violations.Add("event_uuids", reason.TooMany(maxFavourites))
	}
	return violations.Err("invalid_parameters", "this page takes up to 200 event_uuids and nothing else")
}

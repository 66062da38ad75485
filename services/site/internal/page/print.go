package page

import (
	"context"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// printSize is how many dates a print sheet shows.
const printSize = "200"

// print is the sheet of the dates of a filter for paper: each date, in the order of its start.
func (d Deps) print(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	var found publicapi.Events
	var named names
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error {
		parameters := fromToday(r)
		parameters.Set("limit", printSize)
		parameters.Set("sort", "start")
		return api.Data(reading, "/api/events", parameters, &found)
	})
	reads.Go(func() (err error) {
		named, err = readNames(reading, api, r)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	filter, outputs := r.Filter(cursor...), d.outputs(r)
	sheet := view.Printed{
		Title: titleOf(chipsOf(r, named)), Days: daysInOrder(r, found.Events), Count: len(found.Events),
		List: r.Link("/", filter), From: outputs.Address, Query: outputs.Query,
	}
	if len(found.Events) == entriesOf(printSize) {
		filter.Set("last_event_start_at", string(found.LastEventStartAt))
		filter.Set("last_event_date_uuid", string(found.LastEventDateUUID))
		sheet.Next = r.Link(r.Path, filter)
	}
	return view.Print(d.shown(r), sheet), nil
}

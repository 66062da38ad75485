package list

import (
	"context"
	"strconv"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// sheetSize is the number of dates on a sheet.
const sheetSize = 200

// showSheet answers the sheet of the dates of a filter for paper: each date, in the order of its
// start.
func showSheet(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var events publicapi.Events
	var names filter.Names
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error {
		parameters := page.FromToday(r)
		parameters.Set("limit", strconv.Itoa(sheetSize))
		parameters.Set("sort", "start")
		return api.Data(reading, "/api/events", parameters, &events)
	})
	reads.Go(func() (err error) {
		names, err = filter.ReadNames(reading, api, r)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	chosen, outputs := r.Filter(page.Cursor...), outputs(r)
	sheet := Sheet{
		Title: filter.Title(filter.Chips(r, names)), Days: daysInOrder(r, events.Events), Count: len(events.Events),
		List: r.Link("/", chosen), From: outputs.Address, Query: outputs.Query,
	}
	if len(events.Events) == sheetSize {
		chosen.Set("last_event_start_at", string(events.LastEventStartAt))
		chosen.Set("last_event_date_uuid", string(events.LastEventDateUUID))
		sheet.Next = r.Link(r.Path, chosen)
	}
	return printPage(r.Scope(), sheet), nil
}

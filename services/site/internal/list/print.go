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
	var found publicapi.Events
	var named filter.Names
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error {
		parameters := page.FromToday(r)
		parameters.Set("limit", strconv.Itoa(sheetSize))
		parameters.Set("sort", "start")
		return api.Data(reading, "/api/events", parameters, &found)
	})
	reads.Go(func() (err error) {
		named, err = filter.ReadNames(reading, api, r)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	chosen, outputs := r.Filter(page.Cursor...), outputs(r)
	sheet := Sheet{
		Title: filter.Title(filter.Chips(r, named)), Days: daysInOrder(r, found.Events), Count: len(found.Events),
		List: r.Link("/", chosen), From: outputs.Address, Query: outputs.Query,
	}
	if len(found.Events) == sheetSize {
		chosen.Set("last_event_start_at", string(found.LastEventStartAt))
		chosen.Set("last_event_date_uuid", string(found.LastEventDateUUID))
		sheet.Next = r.Link(r.Path, chosen)
	}
	return printPage(r.Shown(), sheet), nil
}

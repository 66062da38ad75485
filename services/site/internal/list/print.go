package list

import (
	"context"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"litfass/services/site/internal/client"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/runs"
	"litfass/services/site/internal/view"
)

// sheetSize is the number of dates on a sheet.
const sheetSize = 200

// showSheet answers the sheet of the dates of a filter for paper: each date, in the order of its
// start.
func showSheet(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var p program
	var names filter.Names
	query := page.FromToday(r)
	query.Set("limit", strconv.Itoa(sheetSize))
	query.Set("sort", "start")
	begin, before, split := r.Split(query)
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error { return api.Data(reading, "/api/events", begin, &p.Events) })
	if split && r.IsFirstPage() {
		reads.Go(func() (err error) {
			p.Runs, err = runs.Read(reading, api, r, before, sheetSize)
			return err
		})
	}
	reads.Go(func() (err error) {
		names, err = filter.ReadNames(reading, api, r)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	p.arrange(r, begin)
	chosen, outputs := r.Filter(page.Cursor...), outputs(r)
	sheet := Sheet{
		program: p, Title: filter.Title(filter.Chips(r, names)), Count: p.count(),
		List: r.Link("/", chosen), From: outputs.Address, Query: outputs.Query,
	}
	if entries := p.Events; len(entries.Events) == sheetSize {
		chosen.Set("last_event_start_at", string(entries.LastEventStartAt))
		chosen.Set("last_event_date_uuid", string(entries.LastEventDateUUID))
		sheet.Next = r.Link(r.Path, chosen)
	}
	return printPage(r.Scope(), sheet), nil
}

// count returns the number of events whose dates are shown.
func (p program) count() int {
	events := map[string]bool{}
	for _, entry := range slices.Concat(p.Events.Events, p.Runs.Entries) {
		events[entry.UUID] = true
	}
	return len(events)
}

package curated

import (
	"context"
	"net/url"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

const (
	allPath = "/lists"
	// maxLists is the number of lists on the page of all, and maxReads of reads at the same time.
	maxLists, maxReads = 100, 8
)

// row is a list on the page of all.
type row struct {
	data
	Dates int // that are not over
}

// showAll answers the page of all lists of which something is coming up.
func showAll(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var lists []publicapi.List
	if err := api.Data(ctx, "/api/lists", nil, &lists); err != nil {
		return view.Page{}, err
	}
	rows := make([]row, min(len(lists), maxLists))
	reads, reading := errgroup.WithContext(ctx)
	reads.SetLimit(maxReads)
	for i := range rows {
		rows[i].data = dataOf(r.Text.Code, publicapi.ListedEntries{List: lists[i]}, nil)
		reads.Go(func() (err error) {
			rows[i].Dates, err = countDates(reading, api, lists[i].Slug)
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	shown := rows[:0]
	for _, one := range rows {
		if one.Dates > 0 {
			shown = append(shown, one)
		}
	}
	s := r.Scope()
	return view.Page{
		Title: s.Text.T("lists"), Description: s.Text.T("lists.describe"), Canonical: allPath, NoIndex: len(shown) == 0,
		Content: all(s, shown),
	}, nil
}

// countDates counts the dates of a list that are not over. A list that was just deleted has none.
func countDates(ctx context.Context, api *client.Reads, slug string) (int, error) {
	var found publicapi.Events
	err := api.Data(ctx, "/api/events", url.Values{"list": {slug}, page.NotOver: {"true"}, "total": {"true"}, "limit": {"1"}}, &found)
	if fault.Is(err, fault.Invalid) {
		return 0, nil
	}
	if err != nil || found.Total == nil {
		return 0, err
	}
	return *found.Total, nil
}

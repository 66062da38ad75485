package curated

import (
	"context"
	"net/url"
	"strconv"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

const (
	allPath = "/lists"
	// maxLists is the number of lists on a page of all, and maxReads of reads at the same time.
	maxLists, maxReads = 50, 8
	// cursor is the parameter of the place where a page of lists begins.
	cursor = "cursor"
)

// row is a list on the page of all.
type row struct {
	data
	Dates int // that are not over
}

// showAll answers a page of the lists of which something is coming up.
func showAll(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	asked := url.Values{"limit": {strconv.Itoa(maxLists)}}
	if r.Has(cursor) {
		asked.Set(cursor, r.Parameters.Get(cursor))
	}
	var lists publicapi.PageOfLists
	if err := api.List(ctx, "/api/lists", asked, &lists); err != nil {
		return view.Page{}, err
	}
	rows := make([]row, len(lists.Data))
	reads, reading := errgroup.WithContext(ctx)
	reads.SetLimit(maxReads)
	for i := range rows {
		rows[i].data = dataOf(r.Text.Code, publicapi.ListedEntries{List: lists.Data[i].List}, nil)
		reads.Go(func() (err error) {
			rows[i].Dates, err = countDates(reading, api, lists.Data[i].Slug)
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
	s, next := r.Scope(), ""
	if lists.NextCursor != "" {
		next = r.Link(allPath, url.Values{cursor: {string(lists.NextCursor)}})
	}
	return view.Page{
		Title: s.Text.T("lists"), Description: s.Text.T("lists.describe"), Canonical: allPath, NoIndex: len(shown) == 0 || r.Has(cursor),
		Content: all(s, shown, next),
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

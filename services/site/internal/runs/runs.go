// Package runs reads the dates of several days that began before the days of a page.
package runs

import (
	"context"
	"net/url"
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// Read reads the first runs of a query, which selects them by starts_before, and how many there
// are.
func Read(ctx context.Context, api *client.Reads, r *page.Request, query url.Values, limit int) (view.Runs, error) {
	all := r.Link("/", page.Clone(query, "group", "limit", "sort", page.NotOver))
	query = page.Clone(query, page.Cursor...)
	query.Set("sort", "start")
	query.Set("limit", strconv.Itoa(limit))
	query.Set("total", "true")
	var answer publicapi.Events
	if err := api.Data(ctx, "/api/events", query, &answer); err != nil {
		return view.Runs{}, err
	}
	runs := view.Runs{Entries: answer.Events, All: all}
	if answer.Total != nil {
		runs.Further = max(0, *answer.Total-len(answer.Events))
	}
	return runs, nil
}

// Package about is the page about the site.
package about

import (
	"context"
	"net/url"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// Mount adds the page about the site.
func Mount(r page.Router) { r.Page("/about", show) }

// show answers the page about the site. It links the lists where there are some; while they cannot
// be read, the page comes without.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var lists publicapi.PageOfLists
	err := api.List(ctx, "/api/lists", url.Values{"limit": {"1"}}, &lists)
	about := pageOf(r.Scope(), r.Brand, len(lists.Data) > 0)
	about.Partial = err != nil
	return about, nil
}

// Package about is the page about the site.
package about

import (
	"context"

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
	var lists []publicapi.List
	err := api.Data(ctx, "/api/lists", nil, &lists)
	about := pageOf(r.Scope(), r.Brand, len(lists) > 0)
	about.Partial = err != nil
	return about, nil
}

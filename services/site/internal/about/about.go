// Package about is the page about the site.
package about

import (
	"context"

	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// Mount adds the page about the site.
func Mount(r page.Router) { r.Page("/about", show) }

// show answers the page about the site. It reads nothing.
func show(_ context.Context, _ *client.Reads, r *page.Request) (view.Page, error) {
	return pageOf(r.Scope(), r.Brand), nil
}

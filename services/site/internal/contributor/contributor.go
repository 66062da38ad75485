// Package contributor is the page of a contributor.
package contributor

import (
	"context"

	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// gone is the code of a contributor that is not there.
const gone = "contributor_gone"

// Mount adds the page of a contributor.
func Mount(r page.Router) { r.Page("/contributor/:uuid", show) }

// show answers the page of a contributor with its next events. That of one that was merged into
// another one is the page of that.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var data contributorData
	if err := detail.Read(ctx, api, r, "contributor", gone, &data.Contributor); err != nil {
		return view.Page{}, err
	}
	var err error
	if data.Upcoming, err = detail.ReadUpcoming(ctx, api, "contributor", data.UUID); err != nil {
		return view.Page{}, err
	}
	s, err := detail.Scope(ctx, api, r, data.Upcoming)
	return pageOf(s, data), err
}

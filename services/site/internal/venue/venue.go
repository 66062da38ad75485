// Package venue is the page of a venue.
package venue

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// gone is the code of a venue that is not there.
const gone = "venue_gone"

// Mount adds the page of a venue.
func Mount(r page.Router) { r.Page("/venue/:uuid", show) }

// show answers the page of a venue with its next events.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var data venueData
	if err := detail.Read(ctx, api, r, "venue", gone, &data.Venue); err != nil {
		return view.Page{}, err
	}
	needs := detail.Needs{
		Accessibility: data.AccessibilityFlags != nil || slices.ContainsFunc(data.Spaces,
			func(s publicapi.Space) bool { return s.AccessibilityFlags != nil }),
		SpaceTypes: slices.ContainsFunc(data.Spaces, func(s publicapi.Space) bool { return s.SpaceType != "" }),
	}
	reads, reading := errgroup.WithContext(ctx)
	detail.LookUp(reading, reads, api, r.Text.Code, &data.Names, needs)
	reads.Go(func() (err error) {
		data.Upcoming, err = detail.ReadUpcoming(reading, api, "venue_uuids", data.UUID)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	s, err := detail.Scope(ctx, api, r, data.Upcoming)
	return pageOf(s, data), err
}

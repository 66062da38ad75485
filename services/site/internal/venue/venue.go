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
	var shown venueData
	if err := detail.Read(ctx, api, r, "venue", gone, &shown.Venue); err != nil {
		return view.Page{}, err
	}
	wanted := detail.Needs{
		Accessibility: shown.AccessibilityFlags != nil || slices.ContainsFunc(shown.Spaces,
			func(s publicapi.Space) bool { return s.AccessibilityFlags != nil }),
		SpaceTypes: slices.ContainsFunc(shown.Spaces, func(s publicapi.Space) bool { return s.SpaceType != "" }),
	}
	reads, reading := errgroup.WithContext(ctx)
	detail.LookUp(reading, reads, api, r.Text.Code, &shown.Names, wanted)
	reads.Go(func() (err error) {
		shown.Upcoming, err = detail.ReadUpcoming(reading, api, "venue_uuids", shown.UUID)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	return pageOf(r.Shown(), shown), nil
}

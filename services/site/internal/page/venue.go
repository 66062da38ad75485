package page

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// venue is the page of a venue with its next events.
func (d Deps) venue(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	var shown view.VenuePage
	if err := entity(ctx, api, r, "venue", venueGone, &shown.Venue); err != nil {
		return view.Page{}, err
	}
	wanted := needs{
		accessibility: shown.AccessibilityFlags != nil || slices.ContainsFunc(shown.Spaces,
			func(s publicapi.Space) bool { return s.AccessibilityFlags != nil }),
		spaceTypes: slices.ContainsFunc(shown.Spaces, func(s publicapi.Space) bool { return s.SpaceType != "" }),
	}
	reads, reading := errgroup.WithContext(ctx)
	lookUp(reading, reads, api, r.Text.Code, &shown.Names, wanted)
	reads.Go(func() (err error) {
		shown.Upcoming, err = upcoming(reading, api, "venue_uuids", shown.UUID, nextEvents)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	return view.Venue(d.shown(r), shown), nil
}

package page

import (
	"bytes"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// event is the page of an event, with the date that the parameter date names above all.
func (d Deps) event(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	var shown view.EventPage
	if err := entity(ctx, api, r, "event", eventGone, &shown.EventDetails); err != nil {
		return view.Page{}, err
	}
	if err := complete(ctx, api, r, &shown); err != nil {
		return view.Page{}, err
	}
	return view.Event(d.shown(r), shown), nil
}

// complete reads what the page of an event shows besides it: from the public API, also for a
// preview, which has no structured data.
func complete(ctx context.Context, api *client.Reads, r *Request, shown *view.EventPage) error {
	shown.Asked = dateNamed(r, shown.Dates)
	reads, reading := errgroup.WithContext(ctx)
	lookUp(reading, reads, api, r.Text.Code, &shown.Names, needsOfEvent(shown.EventDetails))
	reads.Go(func() (err error) {
		shown.Related, err = relatedTo(reading, api, shown.EventDetails)
		return err
	})
	if shown.Token == "" {
		reads.Go(func() (err error) {
			shown.Structured, err = structured(reading, api, shown.UUID)
			return err
		})
	}
	return reads.Wait()
}

// relatedEvents is how many other events the page of an event shows.
const relatedEvents = 8

// relatedTo reads what else is on at the venue of an event.
func relatedTo(ctx context.Context, api *client.Reads, e publicapi.EventDetails) ([]publicapi.Listed, error) {
	events, err := upcoming(ctx, api, "venue_uuids", string(e.VenueUUID), relatedEvents+1)
	others := slices.DeleteFunc(events, func(other publicapi.Listed) bool { return other.UUID == e.UUID })
	return others[:min(len(others), relatedEvents)], err
}

// structured reads the JSON-LD of an event, nil when there is none. It can stand in HTML.
func structured(ctx context.Context, api *client.Reads, event string) ([]byte, error) {
	text, err := api.Text(ctx, "/api/event/"+event+".jsonld", nil)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	// The API writes no "<"; a page does not depend on it. The escape means the same in JSON.
	return bytes.ReplaceAll(text, []byte("<"), []byte(`\u003c`)), err
}

// needsOfEvent says which names the page of an event shows.
func needsOfEvent(e publicapi.EventDetails) (wanted needs) {
	wanted.visitorInfo = e.VisitorInfoFlags != nil
	wanted.languages = len(e.Languages) > 0
	wanted.linkTypes = len(e.EventLinks) > 0
	wanted.occasions = e.Occasion != 0
	wanted.licenses = slices.ContainsFunc(e.Images, func(i publicapi.Image) bool { return i.License != "" })
	accessible := func(p publicapi.Place) bool {
		return p.VenueAccessibilityFlags != nil || p.SpaceAccessibilityFlags != nil
	}
	wanted.accessibility = accessible(e.Place) ||
		slices.ContainsFunc(e.Dates, func(d publicapi.Date) bool { return accessible(d.Place) })
	return wanted
}

// Package event shows an event: its public page, the page of a preview link, and the form that
// reports it.
package event

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// gone is the code of an event that is not there.
const gone = "event_gone"

// Mount adds the pages of events.
func Mount(r page.Router) {
	r.Page("/event/:uuid", show)
	r.Page("/event/:uuid/report", showReport)
	r.Post("/event/:uuid/report", reports{r}.take)
	if r.Previews != nil {
		r.Get(page.PreviewPath+":token", previews{r}.show)
	}
}

// show answers the page of an event, mainly with the date that the parameter date names.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var data eventData
	if err := detail.Read(ctx, api, r, "event", gone, &data.EventDetails); err != nil {
		return view.Page{}, err
	}
	if err := complete(ctx, api, r, &data); err != nil {
		return view.Page{}, err
	}
	s, err := detail.Scope(ctx, api, r, data.AtVenue, data.OfKind)
	return eventPage(s, data), err
}

// complete reads the other data of the page from the public API, also for a preview, which has no
// structured data.
func complete(ctx context.Context, api *client.Reads, r *page.Request, data *eventData) error {
	data.DateID = dateNamed(r, data.Dates)
	reads, reading := errgroup.WithContext(ctx)
	detail.LookUp(reading, reads, api, r.Text.Code, &data.Names, needsOfEvent(data.EventDetails))
	reads.Go(func() (err error) {
		data.AtVenue, err = others(reading, api, data.UUID, "venue_uuids", string(data.VenueUUID))
		return err
	})
	if len(data.EventTypes) > 0 {
		reads.Go(func() (err error) {
			data.OfKind, err = others(reading, api, data.UUID, "event_types", strconv.Itoa(data.EventTypes[0].TypeID))
			return err
		})
	}
	if data.Token == "" {
		reads.Go(func() (err error) {
			data.Structured, err = structured(reading, api, data.UUID)
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return err
	}
	data.OfKind = slices.DeleteFunc(data.OfKind, func(other publicapi.Listed) bool {
		return slices.ContainsFunc(data.AtVenue, func(shown publicapi.Listed) bool { return shown.UUID == other.UUID })
	})
	return nil
}

// maxRelated is the number of other events of a place, and of a kind, on the page of an event.
const maxRelated = 4

// others reads the next events with a value of a filter, without the event of the page.
func others(ctx context.Context, api *client.Reads, event, name, value string) ([]publicapi.Listed, error) {
	events, err := detail.ReadEvents(ctx, api, name, value, maxRelated+1)
	events = slices.DeleteFunc(events, func(other publicapi.Listed) bool { return other.UUID == event })
	return events[:min(len(events), maxRelated)], err
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

// needsOfEvent returns the lists of names that the page of an event shows.
func needsOfEvent(e publicapi.EventDetails) (needs detail.Needs) {
	needs.VisitorInfo = e.VisitorInfoFlags != nil
	needs.Languages = len(e.Languages) > 0
	needs.LinkTypes = len(e.EventLinks) > 0
	needs.Roles = len(e.Contributors) > 0
	needs.Occasions = e.Occasion != 0
	needs.Labels = len(e.Labels) > 0
	needs.Licenses = slices.ContainsFunc(e.Images, func(i publicapi.Image) bool { return i.License != "" })
	accessible := func(p publicapi.Place) bool {
		return p.VenueAccessibilityFlags != nil || p.SpaceAccessibilityFlags != nil
	}
	needs.Accessibility = accessible(e.Place) ||
		slices.ContainsFunc(e.Dates, func(d publicapi.Date) bool { return accessible(d.Place) })
	return needs
}

// dateNamed returns the uuid of the date that the address names, "" for none.
func dateNamed(r *page.Request, dates []publicapi.Date) string {
	name := r.Parameters.Get("date")
	if uuid, valid := value.UUIDv7(name); valid {
		return uuid
	}
	for _, date := range dates {
		if date.Slug == name {
			return date.UUID
		}
	}
	return name
}

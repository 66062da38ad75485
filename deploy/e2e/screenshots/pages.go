package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"litfass/deploy/e2e/client"
	"litfass/pkg/contracts/publicapi"
)

// page is what is shown.
type page struct {
	Name string `json:"name"` // of its files: "list" gives list-phone.png and others
	Path string `json:"path"`

	person string // who sees it; "" for visitors
}

// examples are what the pages of single entities show.
type examples struct {
	event     publicapi.Listed // with an image and several dates, at a venue
	cancelled publicapi.Listed // with a cancelled date
	region    string
	act       string           // uuid of a contributor of several events
	own       publicapi.Listed // of the organization that the people of the demo belong to
}

// home is the organization of the demo's people.
const home = "Speicher am Germaniahafen e. V."

// lookUp finds examples in the catalogue of a running stack.
func lookUp(ctx context.Context, base string) (found examples, err error) {
	api := client.New(base, 1)
	listed, err := read[publicapi.Events](ctx, api, "/api/events?start=today&group=event&limit=200", "get-events")
	if err != nil {
		return found, err
	}
	if found.event, err = fullest(listed.Events); err != nil {
		return found, err
	}
	near, err := read[publicapi.Events](ctx, api, "/api/events?start=today&group=event&limit=200&search=Speicher+Germaniahafen", "get-events")
	if err != nil {
		return found, err
	}
	of := slices.IndexFunc(near.Events, func(e publicapi.Listed) bool { return e.OrgName == home && e.VenueUUID != "" })
	if of < 0 {
		return found, fmt.Errorf("the catalogue has no event of %s", home)
	}
	found.own = near.Events[of]
	cancelled, err := read[publicapi.Events](ctx, api, "/api/events?start=today&release_statuses=cancelled&limit=1", "get-events")
	if err != nil {
		return found, err
	}
	regions, err := read[publicapi.GeoRegions](ctx, api, "/api/geolist/regions", "get-geolist-regions")
	if err != nil {
		return found, err
	}
	acts, err := read[publicapi.Contributors](ctx, api, "/api/contributors?search=Nordlicht", "get-contributors")
	if err != nil {
		return found, err
	}
	if len(acts.Contributors) == 0 {
		return found, errors.New("the catalogue has no contributor of that name")
	}
	found.act = acts.Contributors[0].UUID
	if len(cancelled.Events) == 0 || len(regions.Regions) == 0 {
		return found, errors.New("the catalogue has no cancelled date, or no region")
	}
	found.cancelled, found.region = cancelled.Events[0], regions.Regions[0].GeolistRegion
	return found, nil
}

func read[T any](ctx context.Context, api *client.Client, path, responseType string) (T, error) {
	answer, err := api.Get(ctx, path)
	if err != nil {
		var none T
		return none, err
	}
	data, err := client.Data[T](answer, responseType)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return data, err
}

// fullest returns the event with the most dates that has an image and a venue.
func fullest(events []publicapi.Listed) (publicapi.Listed, error) {
	fit := slices.DeleteFunc(slices.Clone(events), func(e publicapi.Listed) bool { return e.ImageUUID == "" || e.VenueUUID == "" })
	if len(fit) == 0 {
		return publicapi.Listed{}, errors.New("no event of the catalogue has a picture and a venue")
	}
	return slices.MaxFunc(fit, func(a, b publicapi.Listed) int { return a.DateCount - b.DateCount }), nil
}

// pagesOf returns all pages in the order in which they are shown.
func pagesOf(e examples) []page {
	event := "/event/" + e.event.UUID
	return []page{
		{Name: "list", Path: "/"},
		{Name: "list-filtered", Path: "/?price=free&on=today,2099-12-31"},
		{Name: "list-empty", Path: "/?search=Improtheater&city=Aabenraa&price=donation"},
		{Name: "error", Path: "/?start=tomorow&tag=jazz"},
		{Name: "not-found", Path: "/nowhere"},
		{Name: "event", Path: event},
		{Name: "event-cancelled", Path: "/event/" + e.cancelled.UUID + "?date=" + e.cancelled.DateUUID},
		{Name: "event-report", Path: event + "/report"},
		{Name: "venue", Path: "/venue/" + string(e.event.VenueUUID)},
		{Name: "organization", Path: "/organization/" + e.event.OrgUUID},
		{Name: "contributor", Path: "/contributor/" + e.act},
		{Name: "region", Path: "/region/" + e.region},
		{Name: "regions", Path: "/regions"},
		{Name: "lists", Path: "/lists"},
		{Name: "month", Path: "/month"},
		{Name: "map", Path: "/map"},
		{Name: "favourites", Path: "/favourites?event_uuids=" + e.event.UUID + "," + e.cancelled.UUID},
		{Name: "favourites-empty", Path: "/favourites"},
		{Name: "print", Path: "/print"},
		{Name: "about", Path: "/about"},
		{Name: "developers", Path: "/developers"},
		{Name: "builder", Path: "/embed/builder"},
		{Name: "embed", Path: "/embed"},
		{Name: "documentation", Path: "/api/docs"},
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"litfass/deploy/e2e/client"
	"litfass/pkg/publicapi"
)

// page is what is shown.
type page struct {
	Name string `json:"name"` // of its files: "list" gives list-phone.png and others
	Path string `json:"path"`
}

// examples are what the pages of single entities show.
type examples struct {
	event     publicapi.Listed // with a picture and several dates, at a venue
	cancelled publicapi.Listed // with a cancelled date
	region    string
}

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
	cancelled, err := read[publicapi.Events](ctx, api, "/api/events?start=today&release_statuses=cancelled&limit=1", "get-events")
	if err != nil {
		return found, err
	}
	regions, err := read[publicapi.GeoRegions](ctx, api, "/api/geolist/regions", "get-geolist-regions")
	if err != nil {
		return found, err
	}
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

// fullest returns the event with most dates of those that have a picture and a venue.
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
		{"list", "/"},
		{"list-filtered", "/?price=free&on=today,2099-12-31"},
		{"list-empty", "/?search=Improtheater&city=Aabenraa&price=donation"},
		{"error", "/?start=tomorow&tag=jazz"},
		{"not-found", "/nowhere"},
		{"event", event},
		{"event-cancelled", "/event/" + e.cancelled.UUID + "?date=" + e.cancelled.DateUUID},
		{"event-report", event + "/report"},
		{"venue", "/venue/" + string(e.event.VenueUUID)},
		{"organization", "/organization/" + e.event.OrgUUID},
		{"region", "/region/" + e.region},
		{"regions", "/regions"},
		{"month", "/month"},
		{"map", "/map"},
		{"favourites", "/favourites?event_uuids=" + e.event.UUID + "," + e.cancelled.UUID},
		{"favourites-empty", "/favourites"},
		{"print", "/print"},
		{"about", "/about"},
		{"builder", "/embed/builder"},
		{"embed", "/embed"},
		{"documentation", "/api/docs"},
	}
}

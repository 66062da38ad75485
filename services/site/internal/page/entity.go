package page

import (
	"context"
	"net/url"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/client"
)

// The codes of what a path names that is not there. Each has an error page of its own.
const (
	eventGone        = "event_gone"
	venueGone        = "venue_gone"
	organizationGone = "organization_gone"
	regionGone       = "region_gone"
)

// nextEvents is how many events the page of a place or of an organizer shows.
const nextEvents = 12

// entity reads what the path of a page names by its uuid: from /api/<kind>/<uuid> into data. The
// error is NotFound with the code gone when there is no such entity, else that of the API.
func entity(ctx context.Context, api *client.Reads, r *Request, kind, gone string, data any) error {
	uuid, valid := value.UUIDv7(r.UUID)
	if !valid {
		return missing(gone)
	}
	err := api.Data(ctx, "/api/"+kind+"/"+uuid, url.Values{"lang": {r.Text.Code}}, data)
	if fault.Is(err, fault.NotFound) {
		return missing(gone)
	}
	return err
}

func missing(code string) error {
	return fault.New(fault.NotFound, code, "there is nothing at this address")
}

// upcoming reads the next events of a filter, at most so many, each once. A filter without a value
// has none.
func upcoming(ctx context.Context, api *client.Reads, name, wanted string, most int) ([]publicapi.Listed, error) {
	if wanted == "" {
		return nil, nil
	}
	var found publicapi.Events
	err := api.Data(ctx, "/api/events", url.Values{
		name: {wanted}, "start": {"today"}, "ongoing": {"true"}, "group": {"event"}, "limit": {strconv.Itoa(most)},
	}, &found)
	return found.Events, err
}

// dateNamed returns the uuid of the date that the address names, "" for none.
func dateNamed(r *Request, dates []publicapi.Date) string {
	named := r.Parameters.Get("date")
	if uuid, valid := value.UUIDv7(named); valid {
		return uuid
	}
	for _, date := range dates {
		if date.Slug == named {
			return date.UUID
		}
	}
	return named
}

package page

import (
	"context"
	"net/url"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// pageSize is how many events a page of the list shows.
const pageSize = "24"

// list is the start page: the events of a filter, each once, by their next date.
func (d Deps) list(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	var found publicapi.Events
	var counts publicapi.Facets
	parameters := d.fromToday(r)
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error {
		parameters := clone(parameters)
		parameters.Set("group", "event")
		parameters.Set("limit", pageSize)
		return api.Data(reading, "/api/events", parameters, &found)
	})
	reads.Go(func() error {
		parameters := clone(parameters, cursor...)
		parameters.Set("group", "event")
		parameters.Set("by", "city,categories,event_types,price_type,languages,accessibility")
		parameters.Set("lang", r.Text.Code)
		return api.Data(reading, "/api/events/facets", parameters, &counts)
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	return view.List(d.shown(r), view.Listing{
		Filter: r.Filter(cursor...), Events: found, Counts: counts, Next: next(r, found),
	}), nil
}

// cursor are the parameters that say which page of a list is meant.
var cursor = []string{"last_event_start_at", "last_event_date_uuid", "offset", "limit"}

// fromToday returns the filter of the address, from today on unless it says when.
func (d Deps) fromToday(r *Request) url.Values {
	filter := r.Filter()
	for _, name := range []string{"start", "end", "on", "starts_before", "ongoing"} {
		if filter.Has(name) {
			return filter
		}
	}
	filter.Set("start", "today")
	filter.Set("ongoing", "true")
	return filter
}

// next returns the address of the page behind this one, "" when it is the last.
func next(r *Request, found publicapi.Events) string {
	if len(found.Events) == 0 || found.LastEventDateUUID == "" {
		return ""
	}
	parameters := r.Filter(cursor...)
	parameters.Set("last_event_start_at", string(found.LastEventStartAt))
	parameters.Set("last_event_date_uuid", string(found.LastEventDateUUID))
	return r.Link(r.Path, parameters)
}

// clone copies parameters but for some of them.
func clone(parameters url.Values, without ...string) url.Values {
	copied := url.Values{}
	for name, values := range parameters {
		copied[name] = values
	}
	for _, name := range without {
		copied.Del(name)
	}
	return copied
}

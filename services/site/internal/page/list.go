package page

import (
	"context"
	"net/url"
	"slices"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

const (
	// pageSize is how many events a page of the list shows.
	pageSize = "24"
	// counted are the dimensions that the form of filters shows.
	counted = "city,categories,event_types,price_type,languages,accessibility"
)

// listed is what the list is made from.
type listed struct {
	found  publicapi.Events
	counts publicapi.Facets
	names  names
	// uncounted is set while the index cannot count, as when a new version fills it anew.
	uncounted bool
}

// list is the start page: the events of a filter, each once, by their next date.
func (d Deps) list(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	var read listed
	asked := fromToday(r)
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error {
		parameters := clone(asked)
		parameters.Set("group", "event")
		parameters.Set("limit", pageSize)
		return api.Data(reading, "/api/events", parameters, &read.found)
	})
	reads.Go(func() error {
		parameters := clone(asked, cursor...)
		parameters.Set("group", "event")
		parameters.Set("by", dimensions(r))
		parameters.Set("lang", r.Text.Code)
		err := api.Data(reading, "/api/events/facets", parameters, &read.counts)
		if read.uncounted = fault.Is(err, fault.Unavailable); read.uncounted {
			return nil
		}
		return err
	})
	reads.Go(func() (err error) {
		read.names, err = readNames(reading, api, r)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	page := view.List(d.shown(r), d.listing(r, read))
	page.Partial = read.uncounted
	return page, nil
}

// dimensions returns what the dates of a filter are counted by. Genres are shown beside their
// types alone.
func dimensions(r *Request) string {
	if r.has("event_types") || r.has("genres") {
		return counted + ",genres"
	}
	return counted
}

// listing arranges what was read for the page.
func (d Deps) listing(r *Request, read listed) view.Listing {
	chips := chipsOf(r, read.names)
	l := view.Listing{
		Title: titleOf(chips), Total: read.counts.Total, Uncounted: read.uncounted, Days: daysOf(r, read.found.Events),
		Chips: chips, Moments: moments(r), Form: formOf(r, read), Rescue: rescueOf(r, read),
		Next: next(r, read.found), Order: order(r), Outputs: d.outputs(r),
		Canonical: canonical(r), NoIndex: unlisted(r),
	}
	if len(chips) > 0 {
		l.Clear = r.Link(r.Path, nil)
	}
	if r.has("last_event_date_uuid") || r.has("offset") {
		l.First = r.Link(r.Path, r.Filter(cursor...))
	}
	return l
}

// cursor are the parameters that say which page of a list is meant.
var cursor = []string{"last_event_start_at", "last_event_date_uuid", "offset", "limit"}

// fromToday returns the filter of the address, from today on unless it says from when.
func fromToday(r *Request) url.Values { return fromTodayOf(r.Filter()) }

// fromTodayOf returns a copy of a filter that begins today, unless it says from when.
func fromTodayOf(filter url.Values) url.Values {
	filter = clone(filter)
	if filter.Has("start") || filter.Has("end") || filter.Has("on") {
		return filter
	}
	filter.Set("start", "today")
	filter.Set("ongoing", "true")
	return filter
}

// next returns the address of the page behind this one, "" when it is the last.
func next(r *Request, found publicapi.Events) string {
	if len(found.Events) < entriesOf(pageSize) || found.LastEventDateUUID == "" {
		return ""
	}
	parameters := r.Filter(cursor...)
	parameters.Set("last_event_start_at", string(found.LastEventStartAt))
	parameters.Set("last_event_date_uuid", string(found.LastEventDateUUID))
	return r.Link(r.Path, parameters)
}

// canonical returns the path of the list for search engines: with the filter, in the order of its
// names, and without the parts of a form that were left empty.
func canonical(r *Request) string {
	if filter := r.Filter(cursor...); len(filter) > 0 {
		return r.Path + "?" + filter.Encode()
	}
	return r.Path
}

// unlisted reports whether search engines leave out a list: there is no end of them. Those of one
// filter are worth finding.
func unlisted(r *Request) bool {
	filter := r.Filter()
	return len(filter) > 1 || slices.ContainsFunc(cursor, filter.Has) || filter.Has("search") || filter.Has("event_uuids")
}

// outputs returns the other forms of a list.
func (d Deps) outputs(r *Request) view.Outputs {
	filter := r.Filter(cursor...)
	feed := clone(fromToday(r), cursor...)
	feed.Set("lang", r.Text.Code)
	return view.Outputs{
		Public: d.Brand.Public, Query: "?" + feed.Encode(), Address: d.Brand.Public + r.Link("/", filter),
		Month: r.Link("/month", clone(filter, daysOfFilter...)), Map: r.Link("/map", filter),
		Print: r.Link("/print", filter), Embed: r.Link("/embed/builder", filter),
	}
}

// order returns the orders that a search by words can have; none without words.
func order(r *Request) []view.Choice {
	if !r.has("search") {
		return nil
	}
	filter, sorted := r.Filter(cursor...), r.Parameters.Get("sort") == "start"
	byStart := clone(filter)
	byStart.Set("sort", "start")
	return []view.Choice{
		{Name: r.Text.T("list.order.fit"), Chosen: !sorted, Link: r.Link(r.Path, clone(filter, "sort"))},
		{Name: r.Text.T("list.order.start"), Chosen: sorted, Link: r.Link(r.Path, byStart)},
	}
}

// Package list is the list of events, with the favourites and the sheet for print, which are lists
// too.
package list

import (
	"context"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

const (
	// pageSize is the number of events on a page of the list.
	pageSize = 24
	// counted are the dimensions that the form of filters shows.
	counted = "city,categories,event_types,price_type,languages,accessibility"
)

// answers are the API's answers that the list shows.
type answers struct {
	events publicapi.Events
	counts publicapi.Facets
	names  filter.Names
	// uncounted is set while the index cannot count, as when a new version rebuilds it.
	uncounted bool
}

// Mount adds the list of events, the favourites and the sheet for print.
func Mount(r page.Router) {
	r.Page("/", show)
	r.Page("/favourites", showFavourites)
	r.Page("/print", showSheet)
}

// show answers the start page: the events of a filter, each once, by their next date.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var read answers
	query := page.FromToday(r)
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error {
		parameters := page.Clone(query)
		parameters.Set("group", "event")
		parameters.Set("limit", strconv.Itoa(pageSize))
		return api.Data(reading, "/api/events", parameters, &read.events)
	})
	reads.Go(func() error {
		parameters := page.Clone(query, page.Cursor...)
		parameters.Set("group", "event")
		parameters.Set("by", counted)
		if r.Has("event_types") || r.Has("genres") {
			parameters.Set("by", counted+",genres") // which are shown with their types
		}
		parameters.Set("lang", r.Text.Code)
		err := api.Data(reading, "/api/events/facets", parameters, &read.counts)
		if read.uncounted = fault.Is(err, fault.Unavailable); read.uncounted {
			return nil
		}
		return err
	})
	reads.Go(func() (err error) {
		read.names, err = filter.ReadNames(reading, api, r)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	list := listPage(r.Scope(), listing(r, read))
	list.Partial = read.uncounted
	return list, nil
}

// listing arranges the answers for the page.
func listing(r *page.Request, read answers) Listing {
	chips := filter.Chips(r, read.names)
	l := Listing{
		Title: filter.Title(chips), Total: read.counts.Total, Uncounted: read.uncounted, Days: daysOf(r, read.events.Events),
		Chips: chips, Moments: moments(r), Form: filter.FormOf(r, read.counts, read.names), Rescue: rescueOf(r, read),
		Next: next(r, read.events), Order: order(r), Outputs: outputs(r),
		Canonical: canonical(r), NoIndex: noIndex(r),
	}
	if len(chips) > 0 {
		l.Clear = r.Link(r.Path, nil)
	}
	if r.Has("last_event_date_uuid") || r.Has("offset") {
		l.First = r.Link(r.Path, r.Filter(page.Cursor...))
	}
	return l
}

// next returns the address of the next page, "" for the last one.
func next(r *page.Request, events publicapi.Events) string {
	if len(events.Events) < pageSize || events.LastEventDateUUID == "" {
		return ""
	}
	parameters := r.Filter(page.Cursor...)
	parameters.Set("last_event_start_at", string(events.LastEventStartAt))
	parameters.Set("last_event_date_uuid", string(events.LastEventDateUUID))
	return r.Link(r.Path, parameters)
}

// canonical returns the path of the list for search engines: with the filter, in the order of its
// names, and without the parts of a form that were left empty.
func canonical(r *page.Request) string {
	if chosen := r.Filter(page.Cursor...); len(chosen) > 0 {
		return r.Path + "?" + chosen.Encode()
	}
	return r.Path
}

// noIndex reports whether search engines should not index a list: the combinations of filters are
// endless. Lists with one filter are worth finding.
func noIndex(r *page.Request) bool {
	chosen := r.Filter()
	return len(chosen) > 1 || slices.ContainsFunc(page.Cursor, chosen.Has) || chosen.Has("search") || chosen.Has("event_uuids")
}

// outputs returns the other forms of a list.
func outputs(r *page.Request) Outputs {
	chosen := r.Filter(page.Cursor...)
	feed := page.Clone(page.FromToday(r), page.Cursor...)
	feed.Set("lang", r.Text.Code)
	return Outputs{
		Public: r.Brand.Public, Query: "?" + feed.Encode(), Address: r.Brand.Public + r.Link("/", chosen),
		Month: r.Link("/month", page.Clone(chosen, page.DayParameters...)), Map: r.Link("/map", chosen),
		Print: r.Link("/print", chosen), Embed: r.Link("/embed/builder", chosen),
	}
}

// order returns the orders that a search by words can have; none without words.
func order(r *page.Request) []filter.Choice {
	if !r.Has("search") {
		return nil
	}
	chosen, sorted := r.Filter(page.Cursor...), r.Parameters.Get("sort") == "start"
	byStart := page.Clone(chosen)
	byStart.Set("sort", "start")
	return []filter.Choice{
		{Name: r.Text.T("list.order.fit"), Chosen: !sorted, Link: r.Link(r.Path, page.Clone(chosen, "sort"))},
		{Name: r.Text.T("list.order.start"), Chosen: sorted, Link: r.Link(r.Path, byStart)},
	}
}

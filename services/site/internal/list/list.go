// Package list is the list of events, with the favourites and the sheet for print, which are lists
// too.
package list

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// pageSize is the number of events on a page of the list.
const pageSize = 24

// answers are the API's answers that the list shows.
type answers struct {
	program program
	counts  filter.Counts
}

// Mount adds the list of events, the favourites and the sheet for print.
func Mount(r page.Router) {
	r.Page("/", show)
	r.Page("/favourites", showFavourites)
	r.Page("/print", showSheet)
}

// show answers the start page: the events of a filter, each once, by their next date. Words that
// find nothing are replaced by the API's spelling of them, unless the address asks for them
// exactly.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	answers, err := read(ctx, api, r)
	words := r.Value("search")
	if spelling := spellingOf(answers.program); spelling != "" && !r.Has(page.Exact) {
		r = r.WithValue("search", spelling)
		answers, err = read(ctx, api, r)
	}
	if err != nil {
		return view.Page{}, err
	}
	l := listing(r, answers)
	l.Bar.Correct(r, words)
	s, err := detail.Scope(ctx, api, r, answers.program.Events.Events, answers.program.Earlier)
	if err != nil {
		return view.Page{}, err
	}
	list := listPage(s, l)
	list.Filter = r.Filter(append(page.Cursor, "sort")...)
	list.Partial = answers.counts.Uncounted
	return list, nil
}

// read reads the events of a page and their counts.
func read(ctx context.Context, api *client.Reads, r *page.Request) (a answers, err error) {
	query := page.FromToday(r)
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		a.program, err = readEvents(reading, api, r, query)
		return err
	})
	reads.Go(func() (err error) {
		a.counts, err = filter.Count(reading, api, r, query)
		return err
	})
	return a, reads.Wait()
}

// listing arranges the answers for the page.
func listing(r *page.Request, a answers) Listing {
	r = spelled(r, a.counts)
	bar := filter.BarOf(r, a.counts)
	l := Listing{
		Title: filter.Title(bar.Chips), Words: filter.Title(bar.Chips), Total: a.counts.Total, Uncounted: a.counts.Uncounted, program: a.program,
		Bar: bar, Moments: filter.Moments(r), Rescue: rescueOf(r, a.program.Hints, bar.Chips),
		Next: next(r, a.program.Events), Order: order(r), Outputs: outputs(r),
		Canonical: canonical(r), NoIndex: noIndex(r, a.counts.Total),
		Landings: landingsOf(r, a.counts.Facets),
		Image:    detail.ShareImageOf(slices.Concat(a.program.Events.Events, a.program.Runs.Entries)),
	}
	l.named(r)
	if !r.IsFirstPage() {
		l.First = r.Link(r.Path, r.Filter(page.Cursor...))
	}
	return l
}

// spelled returns the request with its town as most events write it, so that all spellings of a
// town have one canonical address and one name.
func spelled(r *page.Request, counts filter.Counts) *page.Request {
	for _, city := range counts.Facets.Facets["city"] {
		if len(r.Parameters["city"]) == 1 && strings.EqualFold(city.Value, r.Value("city")) {
			return r.WithValue("city", city.Value)
		}
	}
	return r
}

// spellingOf returns other words for a search without results, "" for none.
func spellingOf(p program) string {
	if !p.isEmpty() || p.Hints == nil {
		return ""
	}
	return string(p.Hints.Search)
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

// outputs returns the other forms of a list.
func outputs(r *page.Request) Outputs {
	chosen := r.Filter(page.Cursor...)
	feed := page.Clone(page.WithPast(page.FromToday(r)), page.Cursor...)
	feed.Set("lang", r.Text.Code)
	if r.Brand.Portal != "" {
		feed.Set("portal", r.Brand.Portal)
	}
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

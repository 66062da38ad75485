package list

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/runs"
	"litfass/services/site/internal/view"
)

// program is a page of entries: those that begin on the first day of the filter or later, by day,
// and those of several days that began before.
type program struct {
	publicapi.Events // of the days
	Days             []Day
	Before           int // how many of the days stand before the runs
	Runs             view.Runs
	Earlier          []publicapi.Listed // that begin today and are over
}

const (
	// maxRuns is the number of runs on a page of events.
	maxRuns = 6
	// maxToday is the number of events of today that are looked at: one answer of the search.
	maxToday = 200
)

// readEvents reads a page of events, each once.
func readEvents(ctx context.Context, api *client.Reads, r *page.Request, query url.Values) (p program, err error) {
	query = page.Clone(query)
	query.Set("group", "event")
	query.Set("limit", strconv.Itoa(pageSize))
	begin, before, split := r.Split(query)
	if split && !byRelevance(r) {
		p, err = readSplit(ctx, api, r, begin, before)
	}
	if err != nil || !p.isEmpty() {
		return p, err
	}
	err = api.Data(ctx, "/api/events", query, &p.Events) // with hints that fit the filter, if it is empty
	p.Days = daysOf(r, p.Events.Events)
	return p, err
}

// isEmpty reports whether there is nothing to show.
func (p program) isEmpty() bool { return len(p.Days)+len(p.Runs.Entries)+len(p.Earlier) == 0 }

// readSplit reads a page of what begins on the first day or later, and with the first page what
// began before, and what is over.
func readSplit(ctx context.Context, api *client.Reads, r *page.Request, begin, before url.Values) (p program, err error) {
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error { return api.Data(reading, "/api/events", begin, &p.Events) })
	var today publicapi.Events
	if r.IsFirstPage() {
		reads.Go(func() (err error) {
			p.Runs, err = runs.Read(reading, api, r, before, maxRuns)
			return err
		})
		reads.Go(func() error { return readToday(reading, api, r, page.WithPast(begin), &today) })
	}
	if err := reads.Wait(); err != nil {
		return p, err
	}
	p.arrange(r, begin)
	p.Earlier, err = earlier(ctx, api, r, begin, today.Events, p.Events.Events)
	return p, err
}

// arrange groups the entries by day. The runs follow the first day of the query, or come first if
// nothing begins on it.
func (p *program) arrange(r *page.Request, query url.Values) {
	p.Days = daysInOrder(p.Events.Events)
	if first, _ := r.FirstDay(query); len(p.Days) > 0 && p.Days[0].Day.Equal(first) {
		p.Before = 1
	}
}

// readToday reads the events of a query that begin today. A query that does not begin today has
// none.
func readToday(ctx context.Context, api *client.Reads, r *page.Request, query url.Values, today *publicapi.Events) error {
	if first, _ := r.FirstDay(query); !first.Equal(r.Day()) {
		return nil
	}
	query = page.Clone(query)
	query.Set("starts_before", r.Day().Format(time.DateOnly))
	query.Set("limit", strconv.Itoa(maxToday))
	return api.Data(ctx, "/api/events", query, today)
}

// earlier returns the events of today that are over: those that a query without them lacks. listed
// is its first page.
func earlier(
	ctx context.Context, api *client.Reads, r *page.Request, query url.Values, today, listed []publicapi.Listed,
) ([]publicapi.Listed, error) {
	if n := len(listed); len(today) > 0 && n == pageSize && listed[n-1].StartDate == today[0].StartDate {
		var rest publicapi.Events // the page does not hold all of today
		if err := readToday(ctx, api, r, query, &rest); err != nil {
			return nil, err
		}
		listed = rest.Events
	}
	return slices.DeleteFunc(today, func(event publicapi.Listed) bool {
		return slices.ContainsFunc(listed, func(other publicapi.Listed) bool { return other.UUID == event.UUID })
	}), nil
}

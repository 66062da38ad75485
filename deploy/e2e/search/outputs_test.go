package search

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/feeds"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/chassis/lane"
)

// mostInOutput is how many dates a filter finds at most: as many as a page of the API may have.
const mostInOutput = 200

// outputFilters is how many filters every output is compared for.
var outputFilters = lane.Scale(60, 200)

// testOutputs: for random filters every feed, the print sheet and the list of pages hold what the
// API answers.
func testOutputs(s *harness.System, t *testing.T, c *reference.Catalogue, seed uint64) {
	o := outputs{s.Client, s.Reference(c)}
	queries := generate.NewQueries(seed, o.ref, c, time.Now().In(harness.Berlin))
	var filters []reference.Parameters
	for len(filters) < outputFilters {
		p := filterOf(queries.Next().Parameters)
		if found := len(o.ref.Events(p, harness.Today()).Found); found > 0 && found <= mostInOutput && len(client.Encode(p, false)) < 4000 {
			filters = append(filters, p)
		}
	}
	work := make(chan reference.Parameters)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for p := range work {
				if err := o.compare(t.Context(), p); err != nil {
					t.Errorf("?%s: %v", client.Encode(p, false), err)
				}
			}
		})
	}
	for _, p := range filters {
		if t.Failed() {
			break
		}
		work <- p
	}
	close(work)
	workers.Wait()
}

// filterOf returns the filter of a query: without its page, in the order of start, and with a start
// of its own, so that pages do not begin today and leave out what is over only if it says so.
func filterOf(p reference.Parameters) reference.Parameters {
	filter := maps.Clone(p)
	for _, name := range []string{"limit", "offset", "last_event_start_at", "last_event_date_uuid", "sort"} {
		delete(filter, name)
	}
	for name, value := range filter {
		if value == "" {
			delete(filter, name)
		}
	}
	if filter["search"] != "" || filter["list"] != "" {
		filter["sort"] = "start"
	}
	if filter["start"] == "" {
		filter["start"] = "1990-01-01"
	}
	if filter["not_over"] == "" {
		filter["not_over"] = "false"
	}
	return filter
}

// outputs compares the outputs of one stack.
type outputs struct {
	client *client.Client
	ref    *reference.Reference
}

// compare compares every output of a filter with the API.
func (o outputs) compare(ctx context.Context, p reference.Parameters) error {
	query := client.Encode(p, false)
	page, err := o.page(ctx, query)
	if err != nil {
		return err
	}
	dates := idsOf(page.Events)
	for _, format := range feeds.All {
		got, err := o.feed(ctx, format, query)
		if err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
		if !slices.Equal(got, dates) {
			return fmt.Errorf("%s holds %d dates %v, the API %d: %v", format, len(got), got, len(dates), dates)
		}
	}
	return o.comparePages(ctx, client.Encode(onPages(p), false))
}

// onPages returns a filter for pages, which set apart what began before the first day, and leave
// out what is over unless the filter says otherwise.
func onPages(p reference.Parameters) reference.Parameters {
	filter := maps.Clone(p)
	delete(filter, "ongoing")
	filter["not_over"] = cmp.Or(p["not_over"], "false")
	return filter
}

// comparePages compares the print sheet and the list with the API.
func (o outputs) comparePages(ctx context.Context, query string) error {
	page, err := o.page(ctx, query)
	if err != nil {
		return err
	}
	dates := idsOf(page.Events)
	got, err := o.cards(ctx, "/print?"+query)
	if err != nil {
		return err
	}
	if !slices.Equal(got, dates) {
		return fmt.Errorf("the print sheet shows %d dates %v, the API %d: %v", len(got), got, len(dates), dates)
	}
	return o.compareList(ctx, query)
}

// compareList compares the list, page by page, with the events that the API answers.
func (o outputs) compareList(ctx context.Context, query string) error {
	page, err := o.page(ctx, query+"&group=event")
	if err != nil {
		return err
	}
	events := idsOf(page.Events)
	got, err := o.cards(ctx, "/?"+query)
	if err != nil {
		return err
	}
	if !slices.Equal(got, events) {
		return fmt.Errorf("the list shows %d events %v, the API %d: %v", len(got), got, len(events), events)
	}
	return nil
}

func idsOf(entries []client.Entry) []string {
	ids := []string{}
	for _, entry := range entries {
		ids = append(ids, entry.Text("date_uuid"))
	}
	return ids
}

// page asks the API for everything at once.
func (o outputs) page(ctx context.Context, query string) (client.Page, error) {
	answer, err := o.get(ctx, "/api/events?limit=200&"+query)
	if err != nil {
		return client.Page{}, err
	}
	return client.Data[client.Page](answer, "get-events")
}

// feed follows the pages of a feed, of a few dates each where it has pages.
func (o outputs) feed(ctx context.Context, format, query string) (ids []string, err error) {
	ids = []string{}
	for next := "/api/events." + format + "?limit=200&" + query; next != ""; {
		answer, err := o.get(ctx, next)
		if err != nil {
			return nil, err
		}
		more, err := feeds.IDs(format, answer.Body)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
		if next, err = feeds.Next(format, answer.Body); err != nil {
			return nil, err
		}
		next = pathOf(next)
	}
	return ids, nil
}

// pathOf returns an address without its host.
func pathOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || address == "" {
		return ""
	}
	return parsed.RequestURI()
}

var (
	shownDate = regexp.MustCompile(`data-date="([^"]+)"`)
	nextPage  = regexp.MustCompile(`<a[^>]*rel="next"[^>]*>`)
	hrefOf    = regexp.MustCompile(`href="([^"]*)"`)
)

// cards follows the pages of the site and returns the dates that they show, each once.
func (o outputs) cards(ctx context.Context, path string) ([]string, error) {
	shown := []string{}
	for path != "" {
		answer, err := o.get(ctx, path)
		if err != nil {
			return nil, err
		}
		for _, match := range shownDate.FindAllSubmatch(answer.Body, -1) {
			shown = append(shown, string(match[1]))
		}
		path = ""
		if link := nextPage.Find(answer.Body); link != nil {
			path = html.UnescapeString(string(hrefOf.FindSubmatch(link)[1]))
		}
	}
	return shown, nil
}

func (o outputs) get(ctx context.Context, path string) (client.Answer, error) {
	answer, err := o.client.Get(ctx, path)
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("%s: %d %.300s", strings.SplitN(path, "?", 2)[0], answer.Status, answer.Body)
	}
	return answer, err
}

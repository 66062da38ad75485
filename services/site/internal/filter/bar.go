package filter

import (
	"context"
	"net/url"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
)

// Counts are the number of events of a filter and of its values, with their names.
type Counts struct {
	publicapi.Facets
	// Uncounted is set while the index cannot count, as when a new version rebuilds it.
	Uncounted bool
	names     Names
}

// Bar is the filter of a page of dates: the search, the form and the chips.
type Bar struct {
	Path  string // of the page
	Form  Form
	Chips []Choice // the active filters; their links leave them out
	Clear string   // address without any filter; "" when there is none
	Exact Choice   // the visitor's words, with the spelling that replaces them; empty without
}

// dimensions are those that the form shows.
const dimensions = "city,categories,event_types,price_type,languages,accessibility,label,availability,contributor"

// Count counts the events that a query finds, and reads the names of the values in the address.
func Count(ctx context.Context, api *client.Reads, r *page.Request, query url.Values) (c Counts, err error) {
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error {
		parameters := page.Clone(query, page.Cursor...)
		parameters.Set("group", "event")
		parameters.Set("by", dimensions)
		if r.Has("event_types") || r.Has("genres") {
			parameters.Set("by", dimensions+",genres") // which are shown with their types
		}
		parameters.Set("lang", r.Text.Code)
		err := api.Data(reading, "/api/events/facets", parameters, &c.Facets)
		if c.Uncounted = fault.Is(err, fault.Unavailable); c.Uncounted {
			return nil
		}
		return err
	})
	reads.Go(func() (err error) {
		c.names, err = ReadNames(reading, api, withPriceTypes(r))
		return err
	})
	if err := reads.Wait(); err != nil {
		return c, err
	}
	err = c.names.tellApart(ctx, api, r, offered(c.Facets))
	return c, err
}

// BarOf returns the filter of a page. own are its parameters besides the filter, which the form
// keeps.
func BarOf(r *page.Request, c Counts, own ...string) Bar {
	bar := Bar{Path: r.Brand.Prefix + r.Path, Form: formOf(r, c, own), Chips: Chips(r, c.names)}
	if len(bar.Chips) > 0 {
		rest := url.Values{}
		for _, name := range own {
			rest[name] = r.Parameters[name]
		}
		bar.Clear = r.Link(r.Path, rest)
	}
	return bar
}

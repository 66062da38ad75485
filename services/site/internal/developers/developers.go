// Package developers is the page that leads developers from a question to a list on a website, with
// examples of requests that run against the stack that shows them.
package developers

import (
	"context"
	"net/url"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// path is that of the page, to which the footer links.
const path = "/developers"

// Mount adds the page for developers.
func Mount(r page.Router) { r.Page(path, show) }

// show answers the page for developers. Its examples ask for what the catalogue has.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	of, err := read(ctx, api)
	if err != nil {
		return view.Page{}, err
	}
	of.portal, of.public = r.Brand.Portal, r.Brand.Public
	return pageOf(r.Scope(), of), nil
}

// subject is what examples ask for; a field is "" where the catalogue has none.
type subject struct {
	city, event, title, venue, venueName string

	dumps          bool // there are files with the whole catalogue
	portal, public string
}

// read finds the subject of the examples: the city with the most events to come, and an event.
func read(ctx context.Context, api *client.Reads) (of subject, err error) {
	var found publicapi.Events
	ask := url.Values{"start": {"today"}, "group": {"event"}, "facets": {"city"}, "limit": {"20"}}
	if err := api.Data(ctx, "/api/events", ask, &found); err != nil {
		return of, err
	}
	if found.Facets != nil && len(found.Facets.Facets["city"]) > 0 {
		of.city = found.Facets.Facets["city"][0].Value
	}
	for _, event := range found.Events {
		if of.event == "" || of.venue == "" && event.VenueUUID != "" {
			of.event, of.title, of.venue, of.venueName = event.UUID, event.Title, string(event.VenueUUID), event.VenueName
		}
	}
	_, failed := api.Text(ctx, "/api/catalog.jsonld", nil)
	of.dumps = failed == nil
	return of, nil
}

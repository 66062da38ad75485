// Package detail holds the parts that the pages of one event, venue, organization and region share:
// reading the entity and its names, and the parts of the page.
package detail

import (
	"context"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
)

// Wikidata returns the address of an item of Wikidata.
func Wikidata(id value.Text) templ.SafeURL {
	return templ.SafeURL("https://www.wikidata.org/wiki/" + url.PathEscape(string(id)))
}

// maxUpcoming is the number of events on the page of a venue, an organization or a region.
const maxUpcoming = 12

// Read reads the entity with the uuid of the address from /api/<kind>/<uuid> into data. The error
// is Missing(gone) when there is no such entity, else the API's.
func Read(ctx context.Context, api *client.Reads, r *page.Request, kind, gone string, data any) error {
	uuid, valid := value.UUIDv7(r.UUID)
	if !valid {
		return Missing(gone)
	}
	err := api.Data(ctx, "/api/"+kind+"/"+uuid, url.Values{"lang": {r.Text.Code}}, data)
	if fault.Is(err, fault.NotFound) {
		return Missing(gone)
	}
	return err
}

// Missing returns a NotFound fault. Each code has its own page of an error.
func Missing(code string) error {
	return fault.New(fault.NotFound, code, "there is nothing at this address")
}

// ReadUpcoming reads the next events with a value of a filter, each once, without what is over.
func ReadUpcoming(ctx context.Context, api *client.Reads, name, value string) ([]publicapi.Listed, error) {
	return ReadEvents(ctx, api, name, value, maxUpcoming)
}

// ReadEvents is ReadUpcoming with a limit. An empty value has no events.
func ReadEvents(ctx context.Context, api *client.Reads, name, value string, limit int) ([]publicapi.Listed, error) {
	if value == "" {
		return nil, nil
	}
	var answer publicapi.Events
	err := api.Data(ctx, "/api/events", url.Values{
		name: {value}, "start": {"today"}, "ongoing": {"true"}, page.NotOver: {"true"}, "group": {"event"},
		"limit": {strconv.Itoa(limit)},
	}, &answer)
	return answer.Events, err
}

package client

import (
	"maps"
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
)

// Portals reads the portals of an organization, or for "" all that the person may see.
func (a Admin) Portals(org string, paged url.Values) (adminapi.Portals, error) {
	return get[adminapi.Portals](a, at("portals"), ofOrganization(org, paged))
}

// ofOrganization adds an organization to the parameters of a page; "" for none.
func ofOrganization(org string, paged url.Values) url.Values {
	query := url.Values{}
	if org != "" {
		query.Set("org_uuid", org)
	}
	maps.Copy(query, paged)
	return query
}

// AddPortal adds a portal.
func (a Admin) AddPortal(fields map[string]any) (adminapi.WrittenPortal, error) {
	return send[adminapi.WrittenPortal](a, http.MethodPut, at("portal"), fields)
}

// Portal reads a portal with its ETag.
func (a Admin) Portal(uuid string) (portal adminapi.Portal, tag string, err error) {
	return tagged[adminapi.Portal](a, Call{Path: at("portal", uuid)})
}

// WritePortal changes fields of a portal.
func (a Admin) WritePortal(uuid string) Write { return a.write(at("portal", uuid)) }

// DeletePortal deletes a portal.
func (a Admin) DeletePortal(uuid string) Delete { return a.deletion(at("portal", uuid)) }

// UpcomingIn counts the upcoming events of a portal.
func (p Public) UpcomingIn(slug string) (int, error) { return p.Upcoming(url.Values{"portal": {slug}}) }

// Upcoming counts the upcoming events that a search finds.
func (p Public) Upcoming(search url.Values) (int, error) {
	query := url.Values{"group": {"event"}, "by": {"categories"}, "start": {"today"}, "ongoing": {"true"}}
	for name, values := range search {
		query[name] = values
	}
	got, err := read[envelope[publicapi.Facets]](p, "/api/events/facets", query)
	return got.Data.Total, err
}

// Package api is the public HTTP side of the query service: it parses requests, calls the packages
// that answer them, and writes envelopes. Package web turns errors into answers.
package api

import (
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/api/openapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/changes"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/dump"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/images"
	"litfass/services/query/internal/keys"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
	"litfass/services/query/internal/reports"
	"litfass/services/query/internal/search"
	"litfass/services/query/internal/series"
	"litfass/services/query/internal/sitemap"
	"litfass/services/query/internal/suggest"
)

// Deps are the dependencies of the operations.
type Deps struct {
	Search  *search.Searcher
	Places  *places.Store
	Portals *portals.Store
	Curated *curated.Store
	Series  *series.Store
	Lists   *lists.Reader
	Images  *images.Service
	Suggest *suggest.Suggester
	Sitemap *sitemap.Reader // of the site
	Cache   *cache.Cache    // of details and pages of lists
	Dumps   *dump.Dumper    // of the catalogue; nil for none
	License string          // of the open data, an address; "" where none is stated
	Reports *reports.Sender // sends visitors' reports
	// Limits refuse requests over the limit of a client; nil refuses none. Keys raise them, and
	// TrustedProxies decide which address a request comes from.
	Limits         *limit.Limiter
	Keys           *keys.Known
	SiteKey        string // of the site, which is not limited; "" for none
	TrustedProxies []netip.Prefix
	// Caching is how long clients may cache answers that change with the catalogue.
	Caching web.Caching
	// Site describes the origin of feeds.
	Site feed.Site
	// PortalHosts are the portals whose pages are at host names of their own.
	PortalHosts web.PortalHosts
	// Now is the clock, and Zone where "today" is.
	Now  func() time.Time
	Zone *time.Location
	// Signal knows the position up to which the index is complete, and PositionWait is how long a
	// request waits for a greater one.
	Signal       *cache.Signal
	PositionWait time.Duration
	// Log has the changes of the catalogue, and Hub those who wait for some.
	Log *changes.Log
	Hub *changes.Hub

	ends *cache.Ends
}

// today is the day that the word means in a query.
func (d Deps) today() params.Day { return params.DayOf(d.Now().In(d.Zone)) }

// valueSets is how long clients may cache answers that hardly ever change.
func (d Deps) valueSets() web.Caching {
	caching := d.Caching
	caching.MaxAge = max(caching.MaxAge, 5*time.Minute)
	return caching
}

// Mount adds every public operation to app. Paths answer with and without their trailing slash.
func Mount(app *fiber.App, d Deps) {
	d.ends = cache.NewEnds(d.Signal, d.Now, d.Search.Lull)
	open := app.Group(base)
	openapi.Mount(open)
	limited := d.Limits.Router(open, base, d.client)
	d.mountChanges(app, limited)
	api := positioned{limited, d.showPosition}
	api.Post("/validate", web.Enveloped(responseTypes["/validate"]), newValidations(time.Now, d.mountReads).post)
	d.mountReads(api)
	api.Post("/event/:uuid/report", web.Enveloped(responseTypes["/event/:uuid/report"]), d.report)
	d.mountDumps(api)
	api.Get("/image/:uuid", d.image)
	api.Get("/image/:uuid/:version", d.image)
	root := positioned{d.Limits.Router(app, "", d.client), d.showPosition}
	d.mountDiscovery(root)
	root.Post("/mcp", d.newAssistants().post)
}

// mountReads adds the operations that read what may be cached.
func (d Deps) mountReads(api fiber.Router) {
	d.mountFeeds(api) // before routes whose last part would match the extension of a feed
	d.mountEvents(api)
	d.mountFacets(api)
	d.mountAliases(api) // before routes with parameters that would match their paths
	d.mountEnveloped(api)
	d.mountChoosable(api)
}

// mountEnveloped adds the enveloped operations other than the event search.
func (d Deps) mountEnveloped(api fiber.Router) {
	get := func(path string, caching web.Caching, answer fiber.Handler) {
		api.Get(path, web.Enveloped(responseTypes[path]), web.Cacheable(caching), answer)
	}
	get("/venues", d.Caching, d.searchVenues)
	get("/venue/:uuid", d.Caching, d.venue)
	get("/event/type-genre-lookup", d.valueSets(), d.typesAndGenres)
	get("/event/:uuid", d.Caching, d.event)
	get("/event/:uuid/date/:date", d.Caching, d.eventDate)
	get("/organizations", d.Caching, d.searchOrganizations)
	get("/organization/:uuid", d.Caching, d.organization)
	get("/contributors", d.Caching, d.searchContributors)
	get("/contributor/:uuid", d.Caching, d.contributor)
	get("/portal/:slug", d.Caching, d.portal)
	get("/lists", d.Caching, d.curatedLists)
	get("/list/:slug", d.Caching, d.curatedList)
	get("/series", d.Caching, d.allSeries)
	get("/series/:slug", d.Caching, d.oneSeries)
	get("/suggest", d.Caching, d.suggest)
	get("/geolist/countries", d.Caching, d.geoCountries)
	get("/geolist/states", d.Caching, d.geoStates)
	get("/geolist/regions", d.Caching, d.geoRegions)
}

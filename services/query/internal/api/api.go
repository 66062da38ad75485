// Package api is the public HTTP side of the query service: it reads requests, asks the packages
// that answer them, and writes envelopes. Errors become answers in package web.
package api

import (
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/images"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/openapi"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/reports"
	"litfass/services/query/internal/search"
)

// Deps is what the operations work with.
type Deps struct {
	Search *search.Searcher
	Places *places.Store
	Lists  *lists.Reader
	Images *images.Service
	// Reports takes visitors' reports, and TrustedProxies say from which address one comes.
	Reports        *reports.Desk
	TrustedProxies []netip.Prefix
	// Now is the clock, and Zone where "today" is.
	Now  func() time.Time
	Zone *time.Location
	// Signal says up to which position the index is complete, and PositionWait is how long a request
	// for a greater one waits.
	Signal       *fresh.Signal
	PositionWait time.Duration
}

// today is the day that the word means in a query.
func (d Deps) today() params.Day { return params.DayOf(d.Now().In(d.Zone)) }

// How long others may keep what hardly ever changes, and what changes with the catalogue (0: they
// ask each time).
const (
	keepValueSets = 5 * time.Minute
	keepNames     = 0
)

// Mount adds every public operation to app. Paths answer with and without their trailing slash.
func Mount(app *fiber.App, d Deps) {
	api := app.Group(base, d.showPosition)
	d.mountEvents(api)
	d.mountEnveloped(api)
	d.mountChoosable(api)
	api.Post("/event/:uuid/report", web.Enveloped(responseTypes["/event/:uuid/report"]), d.report)
	api.Get("/image/:uuid", d.image)
	api.Get("/image/:uuid/:version", d.image)
	openapi.Mount(api)
}

// mountEnveloped adds the enveloped operations besides the event search.
func (d Deps) mountEnveloped(api fiber.Router) {
	get := func(path string, handlers ...fiber.Handler) {
		api.Get(path, append([]fiber.Handler{web.Enveloped(responseTypes[path])}, handlers...)...)
	}
	get("/venues", d.searchVenues)
	get("/venue/:uuid", d.venue)
	get("/event/type-genre-lookup", web.CacheControl(keepValueSets), d.typesAndGenres)
	get("/event/:uuid", d.event)
	get("/event/:uuid/date/:date", d.eventDate)
	get("/organizations", d.searchOrganizations)
	get("/organization/:uuid", d.organization)
	get("/geolist/countries", d.geoCountries)
	get("/geolist/states", d.geoStates)
	get("/geolist/regions", d.geoRegions)
}

package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/document"
	"litfass/pkg/fault"
	"litfass/pkg/web"
	"litfass/services/query/internal/catalog"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/lookup"
	"litfass/services/query/internal/memo"
	"litfass/services/query/internal/openapi"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
)

// reads answers the public reads besides the event search.
type reads struct {
	catalog *catalog.Reader
	places  Places

	sets          *memo.Value[lookup.Sets]
	regions       *memo.Value[[]document.RegionView]
	venues        *memo.Value[[]catalog.Name]
	organizations *memo.Value[[]catalog.Name]
}

func newReads(d Deps) *reads {
	reader := catalog.NewReader(search.NewEngine(d.Index, d.Timeout))
	return &reads{
		catalog: reader,
		places:  d.Places,
		sets:    memo.New(d.Signal, d.Now, reader.Sets),
		regions: memo.New(d.Signal, d.Now, reader.Regions),
		venues: memo.New(d.Signal, d.Now, func(ctx context.Context) ([]catalog.Name, error) {
			return reader.VenueNames(ctx, filter.There())
		}),
		organizations: memo.New(d.Signal, d.Now, reader.OrganizationNames),
	}
}

// How long others may keep what hardly ever changes, and what changes with the catalogue (0: they ask each time).
const (
	keepSets  = 5 * time.Minute
	keepNames = 0
)

// mountReads adds every public read besides the event search.
func mountReads(api fiber.Router, d Deps) {
	r := newReads(d)
	api.Get("/venues", web.Enveloped("get-venues"), r.searchVenues)
	api.Get("/venue/:uuid", web.Enveloped("get-venue"), r.venue)

	api.Get("/event/type-genre-lookup", web.Enveloped("get-event-type-genre-lookup"), web.CacheControl(keepSets), r.typesAndGenres)
	api.Get("/event/:uuid", web.Enveloped("get-event"), r.event)
	api.Get("/event/:uuid/date/:date", web.Enveloped("get-event-date"), r.eventDate)

	api.Get("/organizations", web.Enveloped("get-organizations"), r.searchOrganizations)
	api.Get("/organization/:uuid", web.Enveloped("get-organization"), r.organization)

	api.Get("/geolist/countries", web.Enveloped("get-geolist-countries"), r.geoCountries)
	api.Get("/geolist/states", web.Enveloped("get-geolist-states"), r.geoStates)
	api.Get("/geolist/regions", web.Enveloped("get-geolist-regions"), r.geoRegions)

	r.mountChoosable(api)
	r.mountFlags(api)
	openapi.Mount(api)
}

// read returns what the request asks for.
func read(c *fiber.Ctx, operation params.ReadOperation) (params.Read, error) {
	return operation.Read(rawQuery(c))
}

// rawQuery returns a copy of the query string as it was sent.
func rawQuery(c *fiber.Ctx) string { return string(c.Request().URI().QueryString()) }

// readWithID returns what the request asks for and the entity that its path names. The fault names the bad path part
// beside the bad parameters.
func readWithID(c *fiber.Ctx, operation params.ReadOperation) (uuid string, asked params.Read, err error) {
	asked, err = read(c, operation)
	uuid, ok := params.UUID(c.Params("uuid"))
	if !ok {
		err = alsoBad(err, "uuid", "is not a UUIDv7")
	}
	return uuid, asked, err
}

// alsoBad returns err, an Invalid fault or nil, with one more bad field before the others.
func alsoBad(err error, field, reason string) error {
	var violations fault.Violations
	violations.Add(field, "%s", reason)
	if err != nil {
		violations = append(violations, fault.Of(err).Violations...)
	}
	return violations.Err("invalid_parameters", "the request has parameters that are not valid")
}

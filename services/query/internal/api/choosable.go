package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/change"
	"litfass/pkg/document"
	"litfass/pkg/fault"
	"litfass/pkg/web"
	"litfass/services/query/internal/catalog"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/lookup"
	"litfass/services/query/internal/memo"
	"litfass/services/query/internal/params"
)

// choosableSets are the choosable lists that are value sets as they stand, by the last part of their paths.
var choosableSets = map[string]string{
	"languages":        change.LookupLanguages,
	"countries":        change.LookupCountries,
	"currencies":       change.LookupCurrencies,
	"event-types":      change.LookupEventTypes,
	"space-types":      change.LookupSpaceTypes,
	"price-types":      change.LookupPriceTypes,
	"licenses":         change.LookupLicenses,
	"legal-forms":      change.LookupLegalForms,
	"link-types":       change.LookupLinkTypes,
	"release-statuses": change.LookupReleaseStatuses,
	"event-occasions":  change.LookupEventOccasions,
	"categories":       change.LookupCategories,
}

// mountChoosable adds the choosable lists: bare arrays of items with id and name (interface.md, Choosable item).
func (r *reads) mountChoosable(api fiber.Router) {
	sets := web.Cacheable(keepSets)
	for path, set := range choosableSets {
		api.Get("/choosable-"+path, sets, r.fromSets(params.Named, func(s lookup.Sets, asked params.Read) any {
			return s.Choosable(set, asked.Lang)
		}))
	}
	api.Get("/choosable-states", sets, r.fromSets(params.StatesOf, func(s lookup.Sets, asked params.Read) any {
		return s.States(asked.Country, asked.Lang)
	}))
	api.Get("/choosable-event-genres", sets, r.fromSets(params.GenresOfType, func(s lookup.Sets, asked params.Read) any {
		genres, _ := s.EventGenres(asked.EventType, asked.Lang)
		return genres
	}))
	api.Get("/choosable-event-genres/event-type/:id", sets, r.genresOfType)

	names := web.Cacheable(keepNames)
	api.Get("/choosable-venues", names, r.allNames(r.venues))
	api.Get("/choosable-venues/organization/:uuid", names, r.venuesOfOrganization)
	api.Get("/choosable-organizations", names, r.allNames(r.organizations))
	api.Get("/choosable-spaces/venue/:uuid", names, r.spacesOfVenue)
}

// mountFlags adds the bits of the two masks with their topics.
func (r *reads) mountFlags(api fiber.Router) {
	api.Get("/accessibility/flags", web.Cacheable(keepSets), r.fromSets(params.Named, func(s lookup.Sets, asked params.Read) any {
		return s.Flags(change.LookupAccessibilityFlags, change.LookupAccessibilityTopic, asked.Lang)
	}))
	api.Get("/visitor-info/flags", web.Cacheable(keepSets), r.fromSets(params.Named, func(s lookup.Sets, asked params.Read) any {
		return s.Flags(change.LookupVisitorInfoFlags, change.LookupVisitorInfoTopic, asked.Lang)
	}))
}

// fromSets returns a handler that answers with what show makes of the value sets.
func (r *reads) fromSets(operation params.ReadOperation, show func(lookup.Sets, params.Read) any) fiber.Handler {
	return func(c *fiber.Ctx) error {
		asked, err := read(c, operation)
		if err != nil {
			return err
		}
		sets, err := r.sets.Get(c.UserContext())
		if err != nil {
			return err
		}
		return c.JSON(show(sets, asked))
	}
}

// genresOfType answers GET /api/choosable-event-genres/event-type/{id}.
func (r *reads) genresOfType(c *fiber.Ctx) error {
	asked, err := read(c, params.Named)
	eventType, ok := params.Integer(c.Params("id"))
	if !ok {
		err = alsoBad(err, "id", "is not a whole number from 1")
	}
	if err != nil {
		return err
	}
	sets, err := r.sets.Get(c.UserContext())
	if err != nil {
		return err
	}
	genres, known := sets.EventGenres(eventType, asked.Lang)
	if !known {
		return fault.New(fault.NotFound, "", "there is no such event type")
	}
	return c.JSON(genres)
}

// allNames returns a handler that answers with a list of names.
func (r *reads) allNames(names *memo.Value[[]catalog.Name]) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if _, err := read(c, params.Named); err != nil {
			return err
		}
		all, err := names.Get(c.UserContext())
		if err != nil {
			return err
		}
		return c.JSON(all)
	}
}

// venuesOfOrganization answers GET /api/choosable-venues/organization/{uuid}.
func (r *reads) venuesOfOrganization(c *fiber.Ctx) error {
	uuid, _, err := readWithID(c, params.Named)
	if err != nil {
		return err
	}
	if _, err := r.catalog.Organization(c.UserContext(), uuid); err != nil {
		return err
	}
	names, err := r.catalog.VenueNames(c.UserContext(), filter.VenuesOf(uuid))
	if err != nil {
		return err
	}
	return c.JSON(names)
}

// spacesOfVenue answers GET /api/choosable-spaces/venue/{uuid}.
func (r *reads) spacesOfVenue(c *fiber.Ctx) error {
	uuid, _, err := readWithID(c, params.Named)
	if err != nil {
		return err
	}
	venue, err := r.catalog.Venue(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	return c.JSON(spaces(venue))
}

// space is an item of the choosable spaces of a venue.
type space struct {
	UUID      string `json:"id"`
	Name      string `json:"name"`
	SpaceType string `json:"space_type"`
}

func spaces(venue document.VenueView) []space {
	list := make([]space, len(venue.Spaces))
	for i, one := range venue.Spaces {
		list[i] = space{UUID: one.UUID, Name: one.Name, SpaceType: one.SpaceType}
	}
	return list
}

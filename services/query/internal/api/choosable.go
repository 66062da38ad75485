package api

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// choosableValueSets are the choosable lists that are unmodified value sets, by the last part of
// their paths.
var choosableValueSets = map[string]string{
	"languages":         change.LookupLanguages,
	"countries":         change.LookupCountries,
	"currencies":        change.LookupCurrencies,
	"event-types":       change.LookupEventTypes,
	"space-types":       change.LookupSpaceTypes,
	"price-types":       change.LookupPriceTypes,
	"availabilities":    change.LookupAvailabilities,
	"licenses":          change.LookupLicenses,
	"legal-forms":       change.LookupLegalForms,
	"link-types":        change.LookupLinkTypes,
	"release-statuses":  change.LookupReleaseStatuses,
	"event-occasions":   change.LookupEventOccasions,
	"categories":        change.LookupCategories,
	"labels":            change.LookupLabels,
	"contributor-roles": change.LookupContributorRoles,
}

// mountChoosable adds the choosable lists: bare arrays of items with id and name (RULES.md,
// Choosable lists).
func (d Deps) mountChoosable(api fiber.Router) {
	sets := web.Cacheable(d.valueSets())
	for path, set := range choosableValueSets {
		api.Get("/choosable-"+path, sets, d.fromValueSets(params.Named, func(s lists.ValueSets, q params.Query) any {
			return s.Choosable(set, q.Lang)
		}))
	}
	api.Get("/choosable-states", sets, d.fromValueSets(params.StatesOf, func(s lists.ValueSets, q params.Query) any {
		return s.States(q.Country, q.Lang)
	}))
	api.Get("/choosable-event-genres", sets, d.fromValueSets(params.GenresOfType,
		func(s lists.ValueSets, q params.Query) any {
			genres, _ := s.EventGenres(q.EventType, q.Lang)
			return genres
		}))
	api.Get("/choosable-event-genres/event-type/:id", sets, d.genresOfType)

	names := web.Cacheable(d.Caching)
	api.Get("/choosable-venues", names, namesOf(d.Lists.VenueNames))
	api.Get("/choosable-venues/organization/:uuid", names, d.venuesOfOrganization)
	api.Get("/choosable-organizations", names, namesOf(d.Lists.OrganizationNames))
	api.Get("/choosable-spaces/venue/:uuid", names, d.spacesOfVenue)
	d.mountFlags(api)
}

// mountFlags adds the bits of the two masks with their topics.
func (d Deps) mountFlags(api fiber.Router) {
	api.Get("/accessibility/flags", web.Cacheable(d.valueSets()),
		d.fromValueSets(params.Named, func(s lists.ValueSets, q params.Query) any {
			return s.Flags(change.LookupAccessibilityFlags, change.LookupAccessibilityTopic, q.Lang)
		}))
	api.Get("/visitor-info/flags", web.Cacheable(d.valueSets()),
		d.fromValueSets(params.Named, func(s lists.ValueSets, q params.Query) any {
			return s.Flags(change.LookupVisitorInfoFlags, change.LookupVisitorInfoTopic, q.Lang)
		}))
}

// fromValueSets returns a handler that answers with a view of the value sets.
func (d Deps) fromValueSets(operation params.Operation, show func(lists.ValueSets, params.Query) any) fiber.Handler {
	return func(c *fiber.Ctx) error {
		q, err := parse(c, operation)
		if err != nil {
			return err
		}
		sets, version, err := d.Lists.VersionedSets(c.UserContext())
		if err != nil {
			return err
		}
		question := []any{c.Route().Path, q.Lang, q.Country, q.EventType, version}
		from := source{"choosable", question, cache.AllRecords(document.Lookups)}
		return d.sendJSON(c, from, func() (any, error) { return show(sets, q), nil })
	}
}

// genresOfType answers GET /api/choosable-event-genres/event-type/{id}.
func (d Deps) genresOfType(c *fiber.Ctx) error {
	q, err := parse(c, params.Named)
	eventType, ok := params.Integer(c.Params("id"))
	if !ok {
		err = withViolation(err, "id", reason.NotAboveZero)
	}
	if err != nil {
		return err
	}
	sets, version, err := d.Lists.VersionedSets(c.UserContext())
	if err != nil {
		return err
	}
	question := []any{c.Route().Path, q.Lang, eventType, version}
	return d.sendJSON(c, source{"choosable", question, cache.AllRecords(document.Lookups)}, func() (any, error) {
		genres, known := sets.EventGenres(eventType, q.Lang)
		if !known {
			return nil, fault.New(fault.NotFound, "", "there is no such event type")
		}
		return genres, nil
	})
}

// namesOf returns a handler that answers with a list of names.
func namesOf(read func(context.Context) (*encoded.Text, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if _, err := parse(c, params.Named); err != nil {
			return err
		}
		names, err := read(c.UserContext())
		if err != nil {
			return err
		}
		return sendText(c, fiber.MIMEApplicationJSON, names)
	}
}

// venuesOfOrganization answers GET /api/choosable-venues/organization/{uuid}.
func (d Deps) venuesOfOrganization(c *fiber.Ctx) error {
	uuid, _, err := parseWithUUID(c)
	if err != nil {
		return err
	}
	if _, err := d.Lists.Organization(c.UserContext(), uuid); err != nil {
		return err
	}
	names, err := d.Lists.VenueNamesOf(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	return c.JSON(names)
}

// spacesOfVenue answers GET /api/choosable-spaces/venue/{uuid}.
func (d Deps) spacesOfVenue(c *fiber.Ctx) error {
	uuid, _, err := parseWithUUID(c)
	if err != nil {
		return err
	}
	view, err := d.Lists.Venue(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	list, err := spaces(view)
	if err != nil {
		return err
	}
	return c.JSON(list)
}

// space is an item of the choosable spaces of a venue.
type space struct {
	UUID      string `json:"id"`
	Name      string `json:"name"`
	SpaceType string `json:"space_type"`
}

func spaces(view lists.View) ([]space, error) {
	var venue publicapi.Venue
	if err := json.Unmarshal(view, &venue); err != nil {
		return nil, fmt.Errorf("decode a venue: %w", err)
	}
	list := make([]space, len(venue.Spaces))
	for i, one := range venue.Spaces {
		list[i] = space{UUID: one.UUID, Name: one.Name, SpaceType: one.SpaceType}
	}
	return list, nil
}

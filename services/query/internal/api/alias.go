package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// mountAliases adds the operations that other clients of this field ask for (RULES.md, Aliases).
// Each answers what another operation answers, in the form that those clients read.
func (d Deps) mountAliases(api fiber.Router) {
	get := func(path string, caching web.Caching, answer fiber.Handler) {
		api.Get(path, web.Enveloped(responseTypes[path]), web.Cacheable(caching), answer)
	}
	for _, format := range feed.Formats {
		if format.Name == "ics" {
			api.Get("/event/:uuid/date/:date/ics", web.Cacheable(d.Caching), d.dateFeed(format))
		}
	}
	api.Post("/events/filter", web.Enveloped(responseTypes["/events/filter"]), d.byBody(d.Search.Events))
	get("/events/week", d.Caching, d.week)
	get("/events/venue-summary", d.Caching, d.venueSummary)
	get("/events/geojson", d.Caching, d.eventPlaces)
	get("/venues/geojson", d.Caching, d.venuePlaces)
	get("/geolist/states/:country", d.Caching, d.statesOf)
	get("/geolist/regions/:country/:state", d.Caching, d.regionsOf)
	get("/languages", d.valueSets(), d.keyed(change.LookupLanguages))
	get("/choosable-license-types", d.valueSets(), d.keyed(change.LookupLicenses))
	get("/choosable-venue-types", d.valueSets(), d.keyed("venue-types")) // no such set
	get("/event/release-status-i18n", d.valueSets(), d.releaseStatusNames)
}

// keyed returns a handler that answers with a value set as a list of keys and names.
func (d Deps) keyed(set string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		q, err := parse(c, params.Named)
		if err != nil {
			return err
		}
		sets, err := d.Lists.ValueSets(c.UserContext())
		if err != nil {
			return err
		}
		return web.SendData(c, sets.Keyed(set, q.Lang))
	}
}

// releaseStatusNames answers with the names of the release statuses by language, and their order.
func (d Deps) releaseStatusNames(c *fiber.Ctx) error {
	q, err := parse(c, params.TypesByLang)
	if err != nil {
		return err
	}
	sets, err := d.Lists.ValueSets(c.UserContext())
	if err != nil {
		return err
	}
	names := publicapi.NamesByLanguage{I18n: map[string]map[string]string{}, Order: []string{}}
	for _, lang := range q.Langs {
		names.I18n[lang] = map[string]string{}
		for _, status := range sets.Keyed(change.LookupReleaseStatuses, lang) {
			names.I18n[lang][status.Key] = status.Name
			if !slices.Contains(names.Order, status.Key) {
				names.Order = append(names.Order, status.Key)
			}
		}
	}
	return web.SendData(c, names)
}

// statesOf answers with the states of a country that have regions.
func (d Deps) statesOf(c *fiber.Ctx) error {
	regions, sets, err := d.regionsAt(c)
	if err != nil {
		return err
	}
	return web.SendData(c, distinct(regions, func(region publicapi.Region) publicapi.CodedState {
		country, state := sets.Codes(region)
		return publicapi.CodedState{CountryCode: country, Code: state, Name: region.StateName, Slug: region.StateSlug}
	}))
}

// regionsOf answers with the regions of a state.
func (d Deps) regionsOf(c *fiber.Ctx) error {
	regions, _, err := d.regionsAt(c)
	if err != nil {
		return err
	}
	return web.SendData(c, distinct(regions, func(region publicapi.Region) publicapi.CodedRegion {
		return publicapi.CodedRegion{Name: region.Name, Slug: region.RegionSlug}
	}))
}

// regionsAt returns the regions of the country and the state in the path.
func (d Deps) regionsAt(c *fiber.Ctx) ([]publicapi.Region, lists.ValueSets, error) {
	if _, err := parse(c, params.Named); err != nil {
		return nil, nil, err
	}
	regions, err := d.Lists.Regions(c.UserContext())
	if err != nil {
		return nil, nil, err
	}
	sets, err := d.Lists.ValueSets(c.UserContext())
	if err != nil {
		return nil, nil, err
	}
	country, state := c.Params("country"), c.Params("state")
	return slices.DeleteFunc(slices.Clone(regions), func(region publicapi.Region) bool {
		return region.CountrySlug != country || state != "" && region.StateSlug != state
	}), sets, nil
}

package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// mountAliases adds the operations that other clients of this field ask for (RULES.md, Aliases).
// Each answers what another operation answers, in the form that those clients read.
func (d Deps) mountAliases(api fiber.Router) {
	get := func(path string, caching web.Caching, answer fiber.Handler) {
		api.Get(path, web.Enveloped(responseTypes[path]), web.Cacheable(caching), answer)
	}
	api.Post("/events/filter", web.Enveloped(responseTypes["/events/filter"]), d.byBody(params.Events, d.Search.Events))
	get("/events/week", d.Caching, d.week)
	get("/events/venue-summary", d.Caching, d.venueSummary)
	get("/events/geojson", d.Caching, d.eventPlaces)
	get("/venues/geojson", d.Caching, d.venuePlaces)
	get("/geolist/states/:country", d.Caching, d.statesOf)
	get("/geolist/regions/:country/:state", d.Caching, d.regionsOf)
	get("/geolist/region/:country/:state/:region", d.Caching, d.region)
	get("/languages", d.valueSets(), d.keyed(change.LookupLanguages))
	get("/choosable-license-types", d.valueSets(), d.keyed(change.LookupLicenses))
	get("/choosable-venue-types", d.valueSets(), d.keyed("venue-types")) // no such set
	get("/event/release-status-i18n", d.valueSets(), d.releaseStatusNames)
}

// keyed returns a handler that answers with a value set as a list of keys and names.
func (d Deps) keyed(set string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		q, sets, err := d.parseWithSets(c, params.Named)
		if err != nil {
			return err
		}
		return web.SendData(c, sets.Keyed(set, q.Lang))
	}
}

// releaseStatusNames answers with the names of the release statuses by language, and their order.
func (d Deps) releaseStatusNames(c *fiber.Ctx) error {
	q, sets, err := d.parseWithSets(c, params.TypesByLang)
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

// region answers with a region, its state and its country.
func (d Deps) region(c *fiber.Ctx) error {
	regions, sets, err := d.regionsAt(c)
	if err != nil {
		return err
	}
	if len(regions) == 0 {
		return fault.New(fault.NotFound, "", "there is no such region")
	}
	region := regions[0]
	country, state := sets.Codes(region)
	return web.SendData(c, publicapi.RegionOfState{
		Country: publicapi.CodedRegion{Code: country, Name: region.CountryName, Slug: region.CountrySlug},
		State:   publicapi.CodedRegion{Code: state, Name: region.StateName, Slug: region.StateSlug},
		Region:  publicapi.CodedRegion{Name: region.Name, Slug: region.RegionSlug},
	})
}

// regionsAt returns the regions that the path names by a country, a state and a region.
func (d Deps) regionsAt(c *fiber.Ctx) ([]publicapi.Region, lists.ValueSets, error) {
	_, sets, err := d.parseWithSets(c, params.Named)
	if err != nil {
		return nil, nil, err
	}
	regions, err := d.Lists.Regions(c.UserContext())
	if err != nil {
		return nil, nil, err
	}
	country, state, name := c.Params("country"), c.Params("state"), c.Params("region")
	return slices.DeleteFunc(slices.Clone(regions), func(region publicapi.Region) bool {
		return region.CountrySlug != country || state != "" && region.StateSlug != state || name != "" && region.RegionSlug != name
	}), sets, nil
}

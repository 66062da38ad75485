package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/params"
)

// geoCountries answers GET /api/geolist/countries: the countries that have regions, by name.
func (d Deps) geoCountries(c *fiber.Ctx) error {
	regions, err := d.regionsFor(c, params.Named)
	if err != nil {
		return err
	}
	countries := distinct(regions, func(region publicapi.Region) publicapi.GeoCountry {
		return publicapi.GeoCountry{Slug: region.CountrySlug, Name: region.CountryName}
	})
	return web.SendData(c, publicapi.GeoCountries{Countries: countries})
}

// geoStates answers GET /api/geolist/states: the states that have regions, of one country or of
// all.
func (d Deps) geoStates(c *fiber.Ctx) error {
	regions, err := d.regionsFor(c, params.GeoStates)
	if err != nil {
		return err
	}
	states := distinct(regions, func(region publicapi.Region) publicapi.GeoState {
		return publicapi.GeoState{CountrySlug: region.CountrySlug, Slug: region.StateSlug, Name: region.StateName}
	})
	return web.SendData(c, publicapi.GeoStates{States: states})
}

// geoRegions answers GET /api/geolist/regions: the regions of one state, of one country or of all.
func (d Deps) geoRegions(c *fiber.Ctx) error {
	regions, err := d.regionsFor(c, params.GeoRegions)
	if err != nil {
		return err
	}
	all := distinct(regions, func(region publicapi.Region) publicapi.GeoRegion {
		return publicapi.GeoRegion{
			CountrySlug: region.CountrySlug, StateSlug: region.StateSlug, Slug: region.RegionSlug, Name: region.Name,
			GeolistRegion: slugsOf(region),
		}
	})
	return web.SendData(c, publicapi.GeoRegions{Regions: all})
}

// regionsFor returns the regions of the country and the state that the request names; an unknown
// one has none.
func (d Deps) regionsFor(c *fiber.Ctx, operation params.Operation) ([]publicapi.Region, error) {
	q, err := parse(c, operation)
	if err != nil {
		return nil, err
	}
	regions, err := d.Lists.Regions(c.UserContext())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(regions), func(region publicapi.Region) bool {
		return (q.Country != "" && region.CountrySlug != q.Country) ||
			(q.State != "" && region.StateSlug != q.State)
	}), nil
}

// shown returns a view of each region, without repetitions, in the order of the regions. The result
// is never nil.
func distinct[T comparable](regions []publicapi.Region, show func(publicapi.Region) T) []T {
	list := []T{}
	for _, region := range regions {
		if one := show(region); len(list) == 0 || list[len(list)-1] != one {
			list = append(list, one)
		}
	}
	return list
}

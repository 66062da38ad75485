package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/platform/geocoder"
	"litfass/services/admin/internal/platform/paging"
)

// similarVenues answers venues that a member may be about to add again.
func (r Catalogue) similarVenues(c *fiber.Ctx) error {
	p := parametersOf(c)
	place := editing.Place{Name: p.required("name")}
	if c.Query("lat") != "" || c.Query("lon") != "" {
		lat, lon := p.degrees("lat", 90), p.degrees("lon", 180)
		place.Lat, place.Lon = &lat, &lon
	}
	place.Street, place.HouseNumber = p.optional("street"), p.optional("house_number")
	place.PostalCode, place.City = p.optional("postal_code"), p.optional("city")
	if c.Query("except") != "" {
		place.Except = p.queryUUID("except")
	}
	if err := p.err(); err != nil {
		return err
	}
	venues, err := r.Editor.SimilarVenues(c.UserContext(), place)
	if err != nil {
		return err
	}
	return c.JSON(adminapi.SimilarVenues{Venues: venues})
}

// findVenues answers the venues where the caller may place events.
func (r Catalogue) findVenues(c *fiber.Ctx) error {
	p := parametersOf(c)
	page, filter := p.page(), overview.VenueFilter{Words: paging.Search(&p.bad, c.Query("search"))}
	if c.Query("lat") != "" || c.Query("lon") != "" {
		filter.Near = &overview.Point{Lat: p.degrees("lat", 90), Lon: p.degrees("lon", 180)}
	}
	if c.Query("org_uuid") != "" {
		filter.Org = p.queryUUID("org_uuid")
	}
	if err := p.err(); err != nil {
		return err
	}
	found, err := r.Overview.FindVenues(c.UserContext(), filter, page)
	if err != nil {
		return err
	}
	return c.JSON(found)
}

// findPositions answers the positions that an address may have.
func (r Catalogue) findPositions(c *fiber.Ctx) error {
	p := parametersOf(c)
	address := geocoder.Address{
		Street: p.optional("street"), HouseNumber: p.optional("house_number"), PostalCode: p.optional("postal_code"),
		City: p.optional("city"), Country: p.optional("country"),
	}
	if err := p.err(); err != nil {
		return err
	}
	return c.JSON(r.Geocoder.Find(c.UserContext(), address))
}

// maxTowns is how many towns complete a name.
const maxTowns = 8

// findTowns answers the towns whose name is or begins with a text, to complete it.
func (r Catalogue) findTowns(c *fiber.Ctx) error {
	p := parametersOf(c)
	name, country := p.required("search"), p.optional("country")
	if err := p.err(); err != nil {
		return err
	}
	return c.JSON(geocoder.TownsOf(name, country, maxTowns))
}

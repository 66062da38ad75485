package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/query/internal/catalog"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// venuesData is the payload of GET /api/venues.
type venuesData struct {
	Venues []catalog.View `json:"venues"`
	Total  int64          `json:"total"` // of all pages
}

// searchVenues answers GET /api/venues: the venues that match, ordered by name.
func (r *reads) searchVenues(c *fiber.Ctx) error {
	query, err := params.Venues.FromURL(rawQuery(c), 0)
	if err != nil {
		return err
	}
	allowed, err := r.places.Allowed(c.UserContext(), query.Circle, query.Region)
	if err != nil {
		return err
	}
	page, err := r.catalog.Venues(c.UserContext(), filter.Venues(query, allowed), query.Offset, query.Limit)
	if err != nil {
		return err
	}
	return web.SendData(c, venuesData{Venues: page.Views, Total: page.Total})
}

// venue answers GET /api/venue/{uuid}: a venue with its spaces.
func (r *reads) venue(c *fiber.Ctx) error {
	uuid, _, err := readWithID(c, params.Named)
	if err != nil {
		return err
	}
	venue, err := r.catalog.Venue(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	return web.SendData(c, venue)
}

package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// searchVenues answers GET /api/venues: the venues that match, ordered by name.
func (d Deps) searchVenues(c *fiber.Ctx) error {
	q, err := asked(c, params.Venues)
	if err != nil {
		return err
	}
	allowed, err := d.Places.Allowed(c.UserContext(), q)
	if err != nil {
		return err
	}
	data, err := d.Lists.Venues(c.UserContext(), filter.Venues(q, allowed), q.Offset, q.Limit)
	if err != nil {
		return err
	}
	return web.SendRawData(c, data)
}

// venue answers GET /api/venue/{uuid}: a venue with its spaces.
func (d Deps) venue(c *fiber.Ctx) error {
	uuid, _, err := askedWithUUID(c)
	if err != nil {
		return err
	}
	venue, err := d.Lists.Venue(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	return web.SendRawData(c, venue)
}

package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/query/internal/catalog"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// venuesData is the payload of GET /api/venues.
type venuesData struct {
	Venues []catalog.Face `json:"venues"`
	Total  int64          `json:"total"` // of all pages
}

// searchVenues answers GET /api/venues: the venues that match, ordered by name.
func (r *reads) searchVenues(c *fiber.Ctx) error {
	query, err := params.Venues.FromURL(rawQuery(c), 0)
	if err != nil {
		return err
	}
	allowed, err := r.allowed(c.UserContext(), query)
	if err != nil {
		return err
	}
	page, err := r.catalog.Venues(c.UserContext(), filter.Venues(query, allowed), query.Offset, query.Limit)
	if err != nil {
		return err
	}
	return web.SendData(c, venuesData{Venues: page.Faces, Total: page.Total})
}

// allowed returns the venues in the query's circle and region. Only a query with either needs the map.
func (r *reads) allowed(ctx context.Context, query params.Query) (filter.Places, error) {
	if query.Circle == nil && query.Region == nil {
		return filter.Places{}, nil
	}
	places, err := r.places.Map(ctx)
	if err != nil {
		return filter.Places{}, err
	}
	return places.Allowed(query.Circle, query.Region), nil
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

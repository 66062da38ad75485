package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// searchVenues answers GET /api/venues: the venues that match, ordered by name.
func (d Deps) searchVenues(c *fiber.Ctx) error {
	q, err := parse(c, params.Venues)
	if err != nil {
		return err
	}
	match, err := d.matchingVenues(c.UserContext(), q)
	if err != nil {
		return err
	}
	compiled, found := filter.Compile(match)
	list, err := d.list(c, "venues", []any{compiled, found, q.Offset, q.Limit}, func(ctx context.Context) (*cache.List, error) {
		return d.Lists.Venues(ctx, lists.Page{Match: match, Offset: q.Offset, Limit: q.Limit})
	})
	if err != nil {
		return err
	}
	return web.SendPayload(c, list.Payload)
}

// matchingVenues returns the condition for the venues that a query finds.
func (d Deps) matchingVenues(ctx context.Context, q params.Query) (filter.Expr, error) {
	allowed, err := d.Places.Allowed(ctx, q)
	if err != nil {
		return nil, err
	}
	return d.among(ctx, q, "venue_uuids", filter.Venues(q, allowed))
}

// venue answers GET /api/venue/{uuid}: a venue with its spaces.
func (d Deps) venue(c *fiber.Ctx) error {
	uuid, _, err := parseWithUUID(c)
	if err != nil {
		return err
	}
	from := source{"venue", []any{uuid}, cache.Record(document.Venues, document.EntityID(uuid))}
	return d.sendRecord(c, from, func(ctx context.Context) ([]byte, error) {
		return d.Lists.Venue(ctx, uuid)
	})
}

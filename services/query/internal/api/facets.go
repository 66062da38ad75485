package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/params"
)

// mountFacets adds the counts of the event search, by GET and by POST.
func (d Deps) mountFacets(api fiber.Router) {
	const path = "/events/facets"
	enveloped := web.Enveloped(responseTypes[path])
	api.Get(path, enveloped, web.Cacheable(d.Caching), func(c *fiber.Ctx) error {
		q, err := d.searchFromURL(c, params.Facets)
		if err != nil {
			return err
		}
		return d.sendFacets(c, q)
	})
	api.Post(path, enveloped, func(c *fiber.Ctx) error {
		q, err := d.searchFromBody(c, params.Facets)
		if err != nil {
			return err
		}
		return d.sendFacets(c, q)
	})
}

func (d Deps) sendFacets(c *fiber.Ctx, q params.Query) error {
	names, err := d.Lists.Called(c.UserContext(), q.Lang, q.TextLang, q.By)
	if err != nil {
		return err
	}
	payload, err := d.Search.Facets(c.UserContext(), q, names)
	if err != nil {
		return err
	}
	return web.SendPayload(c, payload)
}

package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/params"
)

// suggest answers GET /api/suggest: completions of the words that a visitor typed.
func (d Deps) suggest(c *fiber.Ctx) error {
	q, err := parse(c, params.Suggest)
	if err != nil {
		return err
	}
	q.NotOver = true
	if q, err = d.withEnds(c, q); err != nil {
		return err
	}
	narrow, err := d.Search.InPortal(c.UserContext(), q.Portal)
	if err != nil {
		return err
	}
	payload, err := d.Suggest.Suggest(c.UserContext(), q, d.today(), narrow)
	if err != nil {
		return err
	}
	return web.SendPayload(c, payload)
}

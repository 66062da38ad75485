package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/params"
)

// portal answers GET /api/portal/{slug}: the name and the look of a portal.
func (d Deps) portal(c *fiber.Ctx) error {
	if _, err := parse(c, params.Named); err != nil {
		return err
	}
	known, err := d.Portals.Current(c.UserContext())
	if err != nil {
		return err
	}
	portal := known.Find(c.Params("slug"))
	if portal == nil {
		return fault.New(fault.NotFound, "portal_not_found", "there is no such portal")
	}
	return web.SendData(c, portal.View)
}

package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/catalogue/rules"
)

// mountPortals adds the operations on portals.
func (r Catalogue) mountPortals(admin fiber.Router, large fiber.Handler) {
	admin.Get("/portals", r.listPortals)
	admin.Put("/portal", large, create[rules.Portal](r.Editor, "portal created", r.Editor.CreatePortal))
	admin.Get("/portal/:portalId", show("portalId", r.Editor.Portal))
	admin.Put("/portal/:portalId", large, update[rules.Portal]("portal updated", r.Editor.UpdatePortal, "portalId"))
	admin.Delete("/portal/:portalId", remove("portal deleted", r.Editor.RemovePortal, "portalId"))
}

// listPortals answers the portals of an organization, or of all that the caller may see.
func (r Catalogue) listPortals(c *fiber.Ctx) error {
	p := parametersOf(c)
	page, org := p.page(), ""
	if c.Query("org_uuid") != "" {
		org = p.queryUUID("org_uuid")
	}
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.Portals(c.UserContext(), org, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

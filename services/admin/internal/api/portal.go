package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/catalogue/rules"
)

// mountPortals adds the operations on portals.
func (r Catalogue) mountPortals(admin fiber.Router, large fiber.Handler) {
	admin.Get("/portals", ofOrganization(r.Overview.Portals))
	admin.Put("/portal", large, create[rules.Portal](r.Editor, "portal created", r.Editor.CreatePortal))
	admin.Get("/portal/:portalId", show("portalId", r.Editor.Portal))
	admin.Put("/portal/:portalId", large, update[rules.Portal]("portal updated", r.Editor.UpdatePortal, "portalId"))
	admin.Delete("/portal/:portalId", remove("portal deleted", r.Editor.RemovePortal, "portalId"))
}

package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/editing"
	"litfass/services/admin/internal/overview"
)

// Catalogue is the operations that edit the catalogue, and those that show members what they run
// (interface.md, Admin operations).
type Catalogue struct {
	Editor   *editing.Editor
	Overview *overview.Service
}

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
// Paths of fixed words come before those with an organization's uuid in the same place.
func (r Catalogue) Mount(admin fiber.Router) {
	large := waitingLine(texts)
	admin.Get("/organization/dashboard", r.dashboard)
	admin.Put("/organization", large, create[catalog.Organization]("organization created", r.Editor.CreateOrganization))
	admin.Get("/organization/:organizationId", show("organizationId", r.Editor.Organization))
	admin.Put("/organization/:organizationId", large,
		update[catalog.Organization]("organization updated", r.Editor.UpdateOrganization, "organizationId"))
	admin.Delete("/organization/:organizationId",
		remove("organization deleted", r.Editor.RemoveOrganization, "organizationId"))
	admin.Get("/organization/:organizationId/venues", r.listVenues)
	admin.Get("/organization/:organizationId/events", r.listEvents)

	admin.Post("/event/date-rule/preview", large, r.previewDates)
	admin.Post("/event/:eventId/date", large, r.addDates)
	admin.Put("/event/:eventId/date/:dateId", large, r.updateDates())
	admin.Delete("/event/:eventId/date/:dateId", r.removeDates)

	admin.Get("/user/choosable-organizations", r.listOrganizations)
	admin.Get("/user/choosable-event-places", r.listPlaces)
}

func (r Catalogue) dashboard(c *fiber.Ctx) error { return sendPage(c, r.Overview.Dashboard) }

func (r Catalogue) listOrganizations(c *fiber.Ctx) error {
	return sendPage(c, r.Overview.ChoosableOrganizations)
}

func (r Catalogue) listPlaces(c *fiber.Ctx) error { return sendPage(c, r.Overview.ChoosablePlaces) }

func (r Catalogue) listVenues(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page, start := p.uuid("organizationId"), p.page(), r.Overview.Day(&p.bad, c.Query("start"))
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.Venues(c.UserContext(), org, start, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (r Catalogue) listEvents(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page, start := p.uuid("organizationId"), p.page(), r.Overview.Day(&p.bad, c.Query("start"))
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.Events(c.UserContext(), org, start, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

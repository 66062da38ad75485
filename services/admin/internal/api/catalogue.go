package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/geocoder"
	"litfass/services/admin/internal/platform/paging"
)

// Catalogue has the operations that edit the catalogue, and the members' lists of their venues and
// events.
type Catalogue struct {
	Editor   *editing.Editor
	Images   *editing.Images
	Overview *overview.Service
	Geocoder *geocoder.Geocoder
}

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
// Paths of fixed words come before those with an organization's uuid in the same place.
func (r Catalogue) Mount(admin fiber.Router) {
	large := waitingLine(texts)
	admin.Get("/organization/dashboard", r.dashboard)
	admin.Put("/organization", large, create[rules.Organization](r.Editor, "organization created", r.Editor.CreateOrganization))
	admin.Get("/organization/:organizationId", show("organizationId", r.Editor.Organization))
	admin.Put("/organization/:organizationId", large,
		update[organizationBody]("organization updated", r.Editor.UpdateOrganization, "organizationId"))
	admin.Delete("/organization/:organizationId",
		remove("organization deleted", r.Editor.RemoveOrganization, "organizationId"))
	admin.Get("/organization/:organizationId/venues", r.listVenues)
	admin.Get("/organization/:organizationId/events", r.listEvents)
	admin.Get("/organization/:organizationId/venue-guests", r.listGuests)

	images := picturesOfEvents(r.Images)
	admin.Get("/event/:eventId/image/:imageIndex/meta", images.show)
	admin.Post("/event/:eventId/image/:imageIndex", fileLine, images.put)
	admin.Delete("/event/:eventId/image", r.removeImages)
	admin.Post("/event/:eventId/teaser/image", fileLine, r.putTeaserImage)
	admin.Put("/event/:eventId/images/order", r.orderImages)
	r.mountPlaces(admin, large)
	r.mountPortals(admin, large)
	r.mountLabels(admin)
	r.mountSeries(admin, large)
	r.mountLists(admin, large)
	r.mountContributors(admin, large)
	r.mountEvents(admin, large)
	r.mountDates(admin, large)

	admin.Get("/user/choosable-organizations", r.listOrganizations)
	admin.Get("/user/choosable-event-places", r.listPlaces)
}

// organizationBody is an organization; clients may send back its approval, which is ignored.
type organizationBody struct {
	rules.Organization
	Approval readOnly `json:"approval"`
}

// mountPlaces adds the operations on venues and their spaces.
func (r Catalogue) mountPlaces(admin fiber.Router, large fiber.Handler) {
	admin.Put("/venue", large, create[rules.Venue](r.Editor, "venue created", r.Editor.CreateVenue))
	admin.Get("/venue/similar", r.similarVenues)
	admin.Get("/venues", r.findVenues)
	admin.Get("/positions", r.findPositions)
	admin.Get("/towns", r.findTowns)
	admin.Get("/venue/:venueId", show("venueId", r.Editor.Venue))
	admin.Put("/venue/:venueId", large, update[rules.Venue]("venue updated", r.Editor.UpdateVenue, "venueId"))
	admin.Delete("/venue/:venueId", remove("venue deleted", r.Editor.RemoveVenue, "venueId"))

	admin.Put("/space", large, create[rules.Space](r.Editor, "space created", r.Editor.CreateSpace))
	admin.Get("/space/:spaceId", show("spaceId", r.Editor.Space))
	admin.Put("/space/:spaceId", large, update[rules.Space]("space updated", r.Editor.UpdateSpace, "spaceId"))
	admin.Delete("/space/:spaceId", remove("space deleted", r.Editor.RemoveSpace, "spaceId"))
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

func (r Catalogue) listGuests(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page, start := p.uuid("organizationId"), p.page(), r.Overview.Day(&p.bad, c.Query("start"))
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.VenueGuests(c.UserContext(), org, start, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (r Catalogue) listEvents(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page := p.uuid("organizationId"), p.page()
	filter := r.Overview.EventFilter(&p.bad, func(name string) string { return c.Query(name) })
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.Events(c.UserContext(), org, filter, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// ofOrganization answers a page of the portals, lists or series of an organization, or of all that
// the caller may see.
func ofOrganization[A any](find func(ctx context.Context, org string, page paging.Page) (A, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		p := parametersOf(c)
		page, org := p.page(), ""
		if c.Query("org_uuid") != "" {
			org = p.queryUUID("org_uuid")
		}
		if err := p.err(); err != nil {
			return err
		}
		shown, err := find(c.UserContext(), org, page)
		if err != nil {
			return err
		}
		return c.JSON(shown)
	}
}

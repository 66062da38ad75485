package api

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/venuerequest"
)

// VenueRequests has the operations by which organizations ask for venues of others.
type VenueRequests struct{ Service *venuerequest.Service }

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
func (v VenueRequests) Mount(admin fiber.Router) {
	admin.Post("/event/:eventId/venue-request", v.ask)
	admin.Get("/event/:eventId/venue-requests", v.listOfEvent)
	admin.Get("/venue-requests", v.list)
	admin.Put("/venue-request/:requestId", v.decide)
	admin.Delete("/venue-request/:requestId", v.withdraw)
}

func (v VenueRequests) ask(c *fiber.Ctx) error {
	p := parametersOf(c)
	event := p.uuid("eventId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readBody[adminapi.NewVenueRequest](c, smallBody)
	if err != nil {
		return err
	}
	request, asked, err := v.Service.Ask(c.UserContext(), event, body)
	if err != nil {
		return err
	}
	if asked {
		c.Status(http.StatusCreated)
	}
	return c.JSON(adminapi.WrittenVenueRequest{Done: done("the owner is asked"), VenueRequest: request})
}

func (v VenueRequests) listOfEvent(c *fiber.Ctx) error {
	p := parametersOf(c)
	event := p.uuid("eventId")
	if err := p.err(); err != nil {
		return err
	}
	shown, err := v.Service.OfEvent(c.UserContext(), event)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (v VenueRequests) list(c *fiber.Ctx) error {
	p := parametersOf(c)
	page, state := p.page(), c.Query("state")
	if state != "" && !slices.Contains(adminapi.RequestStates, state) {
		p.bad.Add("state", reason.NotOneOf(adminapi.RequestStates))
	}
	if err := p.err(); err != nil {
		return err
	}
	shown, err := v.Service.Requests(c.UserContext(), state, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (v VenueRequests) decide(c *fiber.Ctx) error {
	p := parametersOf(c)
	id := p.uuid("requestId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readBody[struct {
		Accepted        *bool      `json:"accepted"`
		ForOrganization bool       `json:"for_organization"`
		Answer          value.Text `json:"answer"`
	}](c, smallBody)
	if err != nil {
		return err
	}
	if body.Accepted == nil {
		missing := fault.Violations{fault.Violate("accepted", reason.Required)}
		return missing.Err("invalid_body", "the body is not what this operation reads")
	}
	decided, err := v.Service.Decide(c.UserContext(), id, adminapi.VenueDecision{
		Accepted: *body.Accepted, ForOrganization: body.ForOrganization, Answer: body.Answer,
	})
	if err != nil {
		return err
	}
	return c.JSON(adminapi.WrittenVenueRequest{Done: done("decision stored"), VenueRequest: decided})
}

func (v VenueRequests) withdraw(c *fiber.Ctx) error {
	p := parametersOf(c)
	id := p.uuid("requestId")
	if err := p.err(); err != nil {
		return err
	}
	if err := v.Service.Withdraw(c.UserContext(), id); err != nil {
		return err
	}
	return c.JSON(done("request withdrawn"))
}

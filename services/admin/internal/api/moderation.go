package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/moderation"
)

// Moderation has the operations by which platform administrators approve organizations and take
// events down.
type Moderation struct {
	Service *moderation.Service
	Editor  *editing.Editor
}

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
func (m Moderation) Mount(admin fiber.Router) {
	admin.Get("/organizations/pending", m.listPending)
	admin.Put("/organization/:organizationId/approval", m.decide)
	admin.Get("/reports", m.listReports)
	admin.Put("/report/:reportId", m.closeReport)
	admin.Put("/event/:eventId/takedown", m.takeBack)
	admin.Delete("/event/:eventId/takedown", m.liftTakedown)
}

func (m Moderation) listPending(c *fiber.Ctx) error { return sendPage(c, m.Service.Pending) }

func (m Moderation) decide(c *fiber.Ctx) error {
	address := parametersOf(c)
	org := address.uuid("organizationId")
	if err := address.err(); err != nil {
		return err
	}
	body, err := readBody[struct {
		Approved *bool  `json:"approved"`
		Reason   string `json:"reason"`
	}](c, smallBody)
	if err != nil {
		return err
	}
	if body.Approved == nil {
		missing := fault.Violations{fault.Violate("approved", reason.Required)}
		return missing.Err("invalid_body", "the body is not what this operation reads")
	}
	decided, err := m.Service.Decide(c.UserContext(), org,
		moderation.Decision{Approved: *body.Approved, Reason: body.Reason})
	if err != nil {
		return err
	}
	return c.JSON(adminapi.WrittenApproval{
		Done: done("approval stored"), OrgUUID: decided.OrgUUID, Approval: decided.Approval,
	})
}

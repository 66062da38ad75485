package api

import (
	"regexp"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/people/audit"
)

// auditAction matches an action, or the prefix of all actions of an entity including the dot.
var auditAction = regexp.MustCompile(`^[a-z_]{1,40}\.[a-z_]{0,40}$`)

func (o Organizations) listAudit(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page := p.uuid("organizationId"), p.page()
	filter := audit.Filter{
		From: p.moment("from"), To: p.moment("to"), Action: c.Query("action"), Actor: p.number("actor"),
	}
	if filter.Action != "" && !auditAction.MatchString(filter.Action) {
		p.bad.Add("action", reason.NotAction)
	}
	if err := p.err(); err != nil {
		return err
	}
	shown, err := o.Audit.List(c.UserContext(), org, filter, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// showHistory answers the history of an event.
func (o Organizations) showHistory(c *fiber.Ctx) error {
	p := parametersOf(c)
	event, page := p.uuid("eventId"), p.page()
	if err := p.err(); err != nil {
		return err
	}
	shown, err := o.Audit.EventHistory(c.UserContext(), event, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

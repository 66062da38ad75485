package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/moderation"
)

func (m Moderation) listReports(c *fiber.Ctx) error {
	p := parametersOf(c)
	page := p.page()
	filter := moderation.ReportFilter{State: c.Query("state")}
	switch filter.State {
	case "", adminapi.ReportOpen, adminapi.ReportClosed:
	default:
		p.bad.Add("state", reason.NotOneOf([]string{adminapi.ReportOpen, adminapi.ReportClosed}))
	}
	if c.Query("event_uuid") != "" {
		filter.Event = p.queryUUID("event_uuid")
	}
	if c.Query("org_uuid") != "" {
		filter.Org = p.queryUUID("org_uuid")
	}
	if err := p.err(); err != nil {
		return err
	}
	shown, err := m.Service.Reports(c.UserContext(), filter, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (m Moderation) closeReport(c *fiber.Ctx) error {
	address := parametersOf(c)
	id := address.uuid("reportId")
	if err := address.err(); err != nil {
		return err
	}
	body, err := readBody[adminapi.Closing](c, smallBody)
	if err != nil {
		return err
	}
	closed, err := m.Service.Close(c.UserContext(), id, body)
	if err != nil {
		return err
	}
	return c.JSON(adminapi.WrittenReport{Done: done("report closed"), Report: closed})
}

package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// searchOrganizations answers GET /api/organizations: those with the given part in their names,
// ordered by name. Nothing but the name is searched; above all not the e-mail address.
func (d Deps) searchOrganizations(c *fiber.Ctx) error {
	q, err := asked(c, params.Organizations)
	if err != nil {
		return err
	}
	data, err := d.Lists.Organizations(c.UserContext(), filter.Organizations(q.Part), q.Offset, q.Limit)
	if err != nil {
		return err
	}
	return web.SendRawData(c, data)
}

// organization answers GET /api/organization/{uuid}.
func (d Deps) organization(c *fiber.Ctx) error {
	uuid, _, err := askedWithUUID(c)
	if err != nil {
		return err
	}
	organization, err := d.Lists.Organization(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	return web.SendRawData(c, organization)
}

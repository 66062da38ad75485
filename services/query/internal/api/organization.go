package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
	"litfass/services/query/internal/catalog"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// organizationsData is the payload of GET /api/organizations.
type organizationsData struct {
	Organizations []catalog.View `json:"organizations"`
	Total         int64          `json:"total"` // of all pages
}

// searchOrganizations answers GET /api/organizations: those with the given part in their names, ordered by name. Nothing
// but the name is searched; above all not the e-mail address.
func (r *reads) searchOrganizations(c *fiber.Ctx) error {
	asked, err := read(c, params.Organizations)
	if err != nil {
		return err
	}
	page, err := r.catalog.Organizations(c.UserContext(), filter.Organizations(asked.Search), asked.Offset, asked.Limit)
	if err != nil {
		return err
	}
	return web.SendData(c, organizationsData{Organizations: page.Views, Total: page.Total})
}

// organization answers GET /api/organization/{uuid}.
func (r *reads) organization(c *fiber.Ctx) error {
	uuid, _, err := readWithID(c, params.Named)
	if err != nil {
		return err
	}
	organization, err := r.catalog.Organization(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	return web.SendData(c, organization)
}

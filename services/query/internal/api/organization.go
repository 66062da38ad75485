package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/document"
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
	question := []any{document.PartKey(q.Part), q.Offset, q.Limit}
	return d.sendKept(c, "organizations", question, touched(document.Organizations), func(ctx context.Context) ([]byte, error) {
		return d.Lists.Organizations(ctx, filter.Organizations(q.Part), q.Offset, q.Limit)
	})
}

// organization answers GET /api/organization/{uuid}.
func (d Deps) organization(c *fiber.Ctx) error {
	uuid, _, err := askedWithUUID(c)
	if err != nil {
		return err
	}
	alters := wrote(document.Organizations, document.EntityID(uuid))
	return d.sendKept(c, "organization", []any{uuid}, alters, func(ctx context.Context) ([]byte, error) {
		return d.Lists.Organization(ctx, uuid)
	})
}

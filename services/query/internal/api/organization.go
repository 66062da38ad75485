package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// searchOrganizations answers GET /api/organizations: the organizations whose names contain a text,
// ordered by name. No other field is searched, least of all the e-mail address.
func (d Deps) searchOrganizations(c *fiber.Ctx) error {
	q, err := parse(c, params.Organizations)
	if err != nil {
		return err
	}
	question := []any{document.PartKey(q.Part), q.Offset, q.Limit}
	from := source{"organizations", question, cache.AllRecords(document.Organizations)}
	return d.sendData(c, from, func(ctx context.Context) ([]byte, error) {
		return d.Lists.Organizations(ctx, filter.Organizations(q.Part), q.Offset, q.Limit)
	})
}

// organization answers GET /api/organization/{uuid}.
func (d Deps) organization(c *fiber.Ctx) error {
	uuid, _, err := parseWithUUID(c)
	if err != nil {
		return err
	}
	from := source{"organization", []any{uuid}, cache.Record(document.Organizations, document.EntityID(uuid))}
	return d.sendData(c, from, func(ctx context.Context) ([]byte, error) {
		return d.Lists.Organization(ctx, uuid)
	})
}

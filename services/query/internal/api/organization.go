package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// searchOrganizations answers GET /api/organizations: the organizations whose names contain a text,
// ordered by name. No other field is searched, least of all the e-mail address.
func (d Deps) searchOrganizations(c *fiber.Ctx) error {
	q, err := parse(c, params.Organizations)
	if err != nil {
		return err
	}
	match, err := d.among(c.UserContext(), q, "org_uuids", filter.Organizations(q.Part))
	if err != nil {
		return err
	}
	compiled, found := filter.Compile(match)
	question := []any{compiled, found, q.Offset, q.Limit}
	list, err := d.list(c, "organizations", question, func(ctx context.Context) (*cache.List, error) {
		return d.Lists.Organizations(ctx, lists.Page{Match: match, Offset: q.Offset, Limit: q.Limit})
	})
	if err != nil {
		return err
	}
	return web.SendPayload(c, list.Payload)
}

// organization answers GET /api/organization/{uuid}.
func (d Deps) organization(c *fiber.Ctx) error {
	uuid, _, err := parseWithUUID(c)
	if err != nil {
		return err
	}
	from := source{"organization", []any{uuid}, cache.Record(document.Organizations, document.EntityID(uuid))}
	return d.sendRecord(c, from, func(ctx context.Context) ([]byte, error) {
		return d.Lists.Organization(ctx, uuid)
	})
}

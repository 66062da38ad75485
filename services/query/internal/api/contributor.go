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

// searchContributors answers GET /api/contributors: the contributors whose names contain a text,
// ordered by name.
func (d Deps) searchContributors(c *fiber.Ctx) error {
	q, err := parse(c, params.Organizations)
	if err != nil {
		return err
	}
	match, err := d.among(c.UserContext(), q, "contributor", filter.Organizations(q.Part))
	if err != nil {
		return err
	}
	compiled, found := filter.Compile(match)
	question := []any{compiled, found, q.Offset, q.Limit}
	list, err := d.list(c, "contributors", question, func(ctx context.Context) (*cache.List, error) {
		return d.Lists.Contributors(ctx, lists.Page{Match: match, Offset: q.Offset, Limit: q.Limit})
	})
	if err != nil {
		return err
	}
	return web.SendPayload(c, list.Payload)
}

// contributor answers GET /api/contributor/{uuid}, also with that of a contributor that was merged
// into another one, which any record may be.
func (d Deps) contributor(c *fiber.Ctx) error {
	uuid, _, err := parseWithUUID(c)
	if err != nil {
		return err
	}
	from := source{"contributor", []any{uuid}, cache.AllRecords(document.Contributors)}
	return d.sendRecord(c, from, func(ctx context.Context) ([]byte, error) {
		return d.Lists.Contributor(ctx, uuid)
	})
}

package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// portal answers GET /api/portal/{slug}: the name and the look of a portal.
func (d Deps) portal(c *fiber.Ctx) error {
	if _, err := parse(c, params.Named); err != nil {
		return err
	}
	portal, err := d.Portals.Find(c.UserContext(), c.Params("slug"))
	if err != nil {
		return err
	}
	if portal == nil {
		return fault.New(fault.NotFound, "portal_not_found", "there is no such portal")
	}
	return web.SendData(c, portal.View)
}

// among narrows an expression of venues or organizations to those of a portal's dates, by the
// dimension that counts them. Without a portal it changes nothing.
func (d Deps) among(ctx context.Context, q params.Query, dimension string, match filter.Expr) (filter.Expr, error) {
	if q.Portal == "" {
		return match, nil
	}
	names, err := d.Lists.Called(ctx, q.Lang, q.TextLang, nil)
	if err != nil {
		return nil, err
	}
	uuids, err := d.Search.ValuesIn(ctx, q.Portal, dimension, names)
	return filter.Named(match, uuids), err
}

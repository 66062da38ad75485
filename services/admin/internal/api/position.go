package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/services/admin/internal/platform/postgres"
)

// showPosition adds its position to the answer of each write: a public answer of at least that
// position contains the write. A write that stored nothing has none.
func showPosition(c *fiber.Ctx) error {
	if c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead {
		return c.Next()
	}
	ctx, position := postgres.Track(c.UserContext())
	c.SetUserContext(ctx)
	if err := c.Next(); err != nil {
		return err
	}
	web.SetPosition(c, position.Number())
	return nil
}

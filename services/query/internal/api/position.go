package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/web"
)

// showPosition adds to each answer the position up to which it is complete, if that is known. An
// entity that is not there is an answer, too.
func (d Deps) showPosition(c *fiber.Ctx) error {
	ctx, position := d.Signal.Watch(c.UserContext())
	c.SetUserContext(ctx)
	err := c.Next()
	if err == nil || fault.Is(err, fault.NotFound) {
		web.SetPosition(c, position.Number())
	}
	return err
}

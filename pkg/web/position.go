package web

import (
	"strconv"

	"github.com/gofiber/fiber/v2"
)

// headerPosition carries a position in decimal digits (decisions.md, Freshness): that of a write,
// or that up to which a read is complete.
const headerPosition = "Litfass-Position"

// SetPosition adds a position to the answer; 0 is not known and adds nothing.
func SetPosition(c *fiber.Ctx, position uint64) {
	if position > 0 {
		c.Set(headerPosition, strconv.FormatUint(position, 10))
	}
}

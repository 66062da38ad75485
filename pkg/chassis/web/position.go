package web

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// HeaderPosition carries a position in decimal digits (RULES.md, Freshness): in an answer that of a
// write, or that up to which a read is complete; in a request that of a write which the answer has
// to show.
const HeaderPosition = "Litfass-Position"

// SetPosition adds a position to the answer; 0 is not known and adds nothing.
func SetPosition(c *fiber.Ctx, position uint64) {
	if position > 0 {
		c.Set(HeaderPosition, strconv.FormatUint(position, 10))
	}
}

// WantedPosition returns the position that the answer has to be complete up to; 0 when the request
// names none. The error is an Invalid fault that names the header.
func WantedPosition(c *fiber.Ctx) (uint64, error) {
	values := c.Request().Header.PeekAll(HeaderPosition)
	if len(values) == 0 {
		return 0, nil
	}
	text := string(values[0])
	if len(values) == 1 && text == "" {
		return 0, nil
	}
	position, err := strconv.ParseUint(text, 10, 64)
	if err != nil || len(values) > 1 {
		var violations fault.Violations
		violations.Add(HeaderPosition, reason.NotPosition)
		return 0, violations.Err("invalid_position", "the request has a position that is not valid")
	}
	return position, nil
}

package page

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
)

// errForeign refuses a request that a page of another site had the browser send.
var errForeign = fault.New(fault.Forbidden, "foreign_origin", "this request comes from a page of another site")

// refuseForeign refuses requests that change something unless a page of the console has sent them.
// Browsers send Sec-Fetch-Site, older ones Origin; a request with neither comes from no page at
// all.
func refuseForeign(c *fiber.Ctx) error {
	if c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead {
		return c.Next()
	}
	if site := c.Get("Sec-Fetch-Site"); site != "" {
		if site != "same-origin" {
			return errForeign
		}
		return c.Next()
	}
	// With DNS rebinding, Origin and Host match as well, but the browser does not send the
	// console's cookie.
	origin, err := url.Parse(c.Get(fiber.HeaderOrigin))
	if err != nil || origin.Host == "" || origin.Host != string(c.Request().Host()) {
		return errForeign
	}
	return c.Next()
}

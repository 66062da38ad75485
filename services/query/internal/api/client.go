package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/limit"
	"litfass/pkg/web"
)

// headerKey carries an API key, which raises the limits of its bearer.
const headerKey = "X-API-Key"

// client is the limit.Identify of the service: a known API key, else the address.
func (d Deps) client(c *fiber.Ctx) limit.Client {
	if text := c.Request().Header.Peek(headerKey); len(text) > 0 && d.Keys != nil {
		if client, known := d.Keys.Client(string(text)); known {
			return client
		}
	}
	return limit.Address(web.ClientAddress(c, d.TrustedProxies))
}

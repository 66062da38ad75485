package api

import (
	"crypto/subtle"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/limit"
	"litfass/pkg/web"
)

// headerKey carries an API key, which raises the limits of its bearer.
const headerKey = "X-API-Key"

// client is the limit.Identify of the service: the site, a known API key, else the address.
func (d Deps) client(c *fiber.Ctx) limit.Client {
	text := c.Request().Header.Peek(headerKey)
	if len(text) > 0 && subtle.ConstantTimeCompare(text, []byte(d.SiteKey)) == 1 {
		return limit.Own()
	}
	if len(text) > 0 && d.Keys != nil {
		if client, known := d.Keys.Client(string(text)); known {
			return client
		}
	}
	return limit.Address(web.ClientAddress(c, d.TrustedProxies))
}

// positioned is a router whose operations wait for the position that a request asks for, once the
// request has counted: one that is over the limit waits for nothing.
type positioned struct {
	fiber.Router

	show fiber.Handler
}

// Get adds an operation that reads.
func (p positioned) Get(path string, handlers ...fiber.Handler) fiber.Router {
	return p.Router.Get(path, append([]fiber.Handler{p.show}, handlers...)...)
}

// Post adds an operation that reads by a body, or reports.
func (p positioned) Post(path string, handlers ...fiber.Handler) fiber.Router {
	return p.Router.Post(path, append([]fiber.Handler{p.show}, handlers...)...)
}

package api

import (
	"crypto/subtle"
	"net/netip"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
)

// headerKey carries an API key, which raises the limits of its bearer.
const headerKey = "X-API-Key"

// client is the limit.Identify of the service: the site, a known API key, else the address.
func (d Deps) client(c *fiber.Ctx) limit.Client {
	if d.fromSite(c) {
		return limit.Own()
	}
	text := c.Request().Header.Peek(headerKey)
	if len(text) > 0 && d.Keys != nil {
		if client, known := d.Keys.Client(string(text)); known {
			return client
		}
	}
	return limit.Address(web.ClientAddress(c, d.TrustedProxies))
}

// fromSite reports whether a request has the key of the site.
func (d Deps) fromSite(c *fiber.Ctx) bool {
	text := c.Request().Header.Peek(headerKey)
	return len(text) > 0 && subtle.ConstantTimeCompare(text, []byte(d.SiteKey)) == 1
}

// visitor returns the address of the visitor of a request: the one that the site sends, otherwise
// the address of the client.
func (d Deps) visitor(c *fiber.Ctx) netip.Addr {
	if d.fromSite(c) {
		if address, err := netip.ParseAddr(c.Get(web.HeaderVisitor)); err == nil {
			return address.Unmap().WithZone("")
		}
	}
	return web.ClientAddress(c, d.TrustedProxies)
}

// positioned is a router whose operations wait for the position that a request wants, after
// counting the request: one over the limit does not wait.
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

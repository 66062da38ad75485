package web

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/value"
)

// PortalHosts are the slugs of portals by the host names that they have of their own.
type PortalHosts map[string]string

// Asked returns the slug of the portal that has the host name of a request, and that name as the
// portals have it: with its port only if a portal has that. The slug is "" for the host of the
// site.
func (p PortalHosts) Asked(c *fiber.Ctx) (slug, host string) {
	host = value.Host(string(c.Request().Host()))
	if _, named := p[host]; !named {
		host, _, _ = strings.Cut(host, ":")
	}
	return p[host], host
}

// Of returns the first host name of a portal in alphabetical order, "" if it has none.
func (p PortalHosts) Of(slug string) (host string) {
	for name, of := range p {
		if of == slug && (host == "" || name < host) {
			host = name
		}
	}
	return host
}

// AddressOf returns the address of a portal's host, with the scheme of the site at publicURL.
func AddressOf(host, publicURL string) string {
	scheme, _, _ := strings.Cut(publicURL, "://")
	return scheme + "://" + host
}

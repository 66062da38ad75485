package web

import (
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// HeaderVisitor carries the address of the visitor for whom the site asks the public API. It is
// honoured only with the site's key.
const HeaderVisitor = "Litfass-Visitor"

// ClientAddress returns the address of the client of a request behind the trusted proxies, for
// limits and records: X-Forwarded-For counts as far as trusted proxies wrote it. It is the zero
// Addr when the peer has none.
func ClientAddress(c *fiber.Ctx, trusted []netip.Prefix) netip.Addr {
	remote, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	if remote = remote.Unmap(); !contains(trusted, remote) {
		return remote
	}
	return clientAddress(remote, forwardedFor(c), trusted)
}

// clientAddress reads forwarded, a request's X-Forwarded-For, to whose end each proxy appends its
// own peer: from the end, as long as trusted proxies wrote it. The client may have invented the
// rest. remote is the peer of the connection.
func clientAddress(remote netip.Addr, forwarded string, trusted []netip.Prefix) netip.Addr {
	client := remote.Unmap()
	hops := strings.Split(forwarded, ",")
	for i := len(hops) - 1; i >= 0 && contains(trusted, client); i-- {
		hop, ok := readHop(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		client = hop.Unmap().WithZone("")
	}
	return client
}

// readHop reads an address, to which some proxies append the port.
func readHop(text string) (address netip.Addr, ok bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		return address, true
	}
	hop, err := netip.ParseAddrPort(text)
	return hop.Addr(), err == nil
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	for _, prefix := range prefixes {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// forwardedFor returns the values of every X-Forwarded-For header, in the order in which proxies
// added them.
func forwardedFor(c *fiber.Ctx) string {
	all := ""
	for _, value := range c.Request().Header.PeekAll(fiber.HeaderXForwardedFor) {
		all += "," + string(value)
	}
	return all
}

package auth

import (
	"net/netip"
	"strings"
)

// ClientAddress returns the address of the client behind the proxies that are trusted. remote is the peer of the
// connection; forwarded is the request's X-Forwarded-For, to whose end each proxy has added its own peer. It is read from
// that end for as long as trusted proxies wrote it: what comes before, the client may have made up.
func ClientAddress(remote netip.Addr, forwarded string, trusted []netip.Prefix) netip.Addr {
	client := remote.Unmap()
	hops := strings.Split(forwarded, ",")
	for i := len(hops) - 1; i >= 0 && contains(trusted, client); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = hop.Unmap().WithZone("")
	}
	return client
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	for _, prefix := range prefixes {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// networkOf returns what one client is limited by: an IPv4 address, or the /64 that a single IPv6 line has to itself.
func networkOf(address netip.Addr) netip.Prefix {
	if !address.IsValid() {
		return netip.Prefix{}
	}
	bits := 64
	if address.Is4() {
		bits = 32
	}
	prefix, _ := address.Prefix(bits) // never too long: the length fits the family
	return prefix
}

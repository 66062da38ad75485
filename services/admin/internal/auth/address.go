package auth

import (
	"net/netip"
	"strings"
)

// ClientAddress returns the address of the client behind the trusted proxies. remote is the peer of
// the connection; forwarded is the request's X-Forwarded-For, to whose end each proxy appends its
// own peer. It is read from the end as long as trusted proxies wrote it: the client may have
// invented the rest.
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

// networkOf returns the network that counts as one client: an IPv4 address, or an IPv6 /64, which a
// single subscriber usually has.
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

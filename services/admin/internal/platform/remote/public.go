package remote

import (
	"net/netip"
	"slices"
)

// notPublic are the special-purpose networks of IPv4 and of 2000::/3 (from the IANA registries),
// and a cloud's platform address among the public ones.
var notPublic = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

// global6 is the global unicast range of IPv6.
var global6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// isPublic reports whether an address belongs to the public internet. Unmap an IPv4-mapped address
// before.
func isPublic(ip netip.Addr) bool {
	if ip.Is6() && !global6.Contains(ip.WithZone("")) {
		return false
	}
	return ip.IsValid() && !within(notPublic, ip)
}

func within(networks []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(ip.WithZone("")) })
}

package auth

import "net/netip"

// Network returns the network that counts as one client: an IPv4 address, or an IPv6 /64, which a
// single subscriber usually has. That of the zero Addr is the zero Prefix.
func Network(address netip.Addr) netip.Prefix {
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

package auth

import (
	"net/netip"

	"litfass/pkg/chassis/limit"
)

// Network is limit.Network: attempts count for the same clients as requests.
func Network(address netip.Addr) netip.Prefix { return limit.Network(address) }

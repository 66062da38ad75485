package web

import (
	"net/netip"
	"testing"
)

func TestClientAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := []struct {
		name, remote, forwarded string
		trusted                 []netip.Prefix
		want                    string
	}{
		{"no proxy", "203.0.113.9", "", trusted, "203.0.113.9"},
		{"a stranger makes one up", "203.0.113.9", "198.51.100.1", trusted, "203.0.113.9"},
		{"one proxy", "127.0.0.1", "203.0.113.9", trusted, "203.0.113.9"},
		{"two proxies", "127.0.0.1", "203.0.113.9, 10.1.1.1", trusted, "203.0.113.9"},
		{"a client puts something before", "127.0.0.1", "192.0.2.66, 203.0.113.9", trusted, "203.0.113.9"},
		{"a client puts a trusted one before", "127.0.0.1", "10.9.9.9, 203.0.113.9", trusted, "203.0.113.9"},
		{"nonsense", "127.0.0.1", "unknown", trusted, "127.0.0.1"},
		{"empty between", "127.0.0.1", "203.0.113.9,,", trusted, "127.0.0.1"},
		{"no proxy is trusted", "127.0.0.1", "203.0.113.9", nil, "127.0.0.1"},
		{"mapped", "::ffff:127.0.0.1", "::ffff:203.0.113.9", trusted, "203.0.113.9"},
		{"IPv6 with a zone", "fd00::1", "fe80::1%eth0", trusted, "fe80::1"},
		{"a port", "127.0.0.1", "192.0.2.66, 203.0.113.9:51234", trusted, "203.0.113.9"},
		{"IPv6 with a port", "127.0.0.1", "[2001:db8::1%eth0]:443,10.1.1.1:80", trusted, "2001:db8::1"},
		{"mapped, with a port", "127.0.0.1", "[::ffff:203.0.113.9]:443", trusted, "203.0.113.9"},
		{"a port that is none", "127.0.0.1", "203.0.113.9:x", trusted, "127.0.0.1"},
		{"a name", "127.0.0.1", "localhost:80", trusted, "127.0.0.1"},
		{"only proxies", "127.0.0.1", "10.0.0.2, 10.0.0.1", trusted, "10.0.0.2"},
	}
	for _, test := range tests {
		got := clientAddress(netip.MustParseAddr(test.remote), test.forwarded, test.trusted)
		if got.String() != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if got := clientAddress(netip.Addr{}, "203.0.113.9", trusted); got.IsValid() {
		t.Errorf("without a peer: %s", got)
	}
}

package limit

import "net/netip"

// Client identifies the requests that are counted together. The zero Client is that of all unknown
// ones.
type Client struct {
	kind    string
	name    string
	network netip.Prefix // instead of a name
	tier    string
}

// Address is the client of an IPv4 address, or of the IPv6 network of a subscriber.
func Address(address netip.Addr) Client {
	return Client{kind: "address", network: Network(address)}
}

// Key is the client of an API key. All keys of an owner and a tier count together, so that more
// keys do not allow more requests.
func Key(owner, tier string) Client {
	if tier == "" {
		tier = TierStandard
	}
	return Client{kind: "key", name: owner, tier: tier}
}

// Own is the client of a service of Litfass, which limits its own clients and is not limited.
func Own() Client { return Client{kind: kindOwn} }

const kindOwn = "own"

// User is the client that is logged in.
func User(id string) Client { return Client{kind: "user", name: id} }

// String returns the client as it is written in the names of counts.
func (c Client) String() string { return string(c.appendTo(nil)) }

func (c Client) appendTo(text []byte) []byte {
	text = append(text, c.kind...)
	text = append(text, ' ')
	if c.network.IsValid() {
		return c.network.AppendTo(text)
	}
	return append(text, c.name...)
}

// Network returns the network of a client: an IPv4 address, or an IPv6 /64, as a subscriber usually
// has. That of the zero Addr is the zero Prefix.
func Network(address netip.Addr) netip.Prefix {
	address = address.Unmap()
	if !address.IsValid() {
		return netip.Prefix{}
	}
	bits := 64
	if address.Is4() {
		bits = 32
	}
	prefix, _ := address.WithZone("").Prefix(bits) // never too long: the length fits the family
	return prefix
}

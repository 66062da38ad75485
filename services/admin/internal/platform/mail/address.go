package mail

import (
	netmail "net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"litfass/pkg/contracts/adminapi"
)

// The maximum lengths of the parts of an address (RFC 5321, RFC 1035).
const (
	nameMaxBytes  = 64 // before the @
	labelMaxBytes = 63 // between the dots of the domain
)

// NormalizeAddress returns an e-mail address as it is stored: without surrounding space, in lower
// case, its domain in ASCII. It reports false for anything but one plain address that every mail
// server accepts.
func NormalizeAddress(address string) (string, bool) {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 1 || len(address) > adminapi.MaxAddress {
		return "", false
	}
	name := address[:at]
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return "", false // before lower-casing, which would turn the Kelvin sign into a k
	}
	domain, err := idna.Lookup.ToASCII(strings.ToLower(address[at+1:]))
	if err != nil || len(name) > nameMaxBytes || !isHost(domain) {
		return "", false
	}
	normal := strings.ToLower(name) + "@" + domain
	parsed, err := netmail.ParseAddress(normal)
	if err != nil || parsed.Address != normal || parsed.Name != "" || len(normal) > adminapi.MaxAddress {
		return "", false
	}
	for _, r := range normal {
		if r <= ' ' || r > '~' || strings.ContainsRune(`"\<>(),;:[]`, r) {
			return "", false
		}
	}
	return normal, true
}

// isHost reports whether the domain can be looked up: its labels are short enough, and the last one
// is not a number, as in an IP address.
func isHost(domain string) bool {
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		if label == "" || len(label) > labelMaxBytes {
			return false
		}
	}
	return strings.Trim(labels[len(labels)-1], "0123456789") != ""
}

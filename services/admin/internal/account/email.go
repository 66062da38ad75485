package account

import (
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// emailMaxLength is that of a path in SMTP (RFC 5321).
const emailMaxLength = 254

// NormalizeEmail returns the address as it is stored: without space around it, in lower case, its domain in ASCII. It
// reports false for what is not one plain address that any mail server takes.
func NormalizeEmail(address string) (string, bool) {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 1 || len(address) > emailMaxLength {
		return "", false
	}
	name := address[:at]
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return "", false // before it is lowered: the Kelvin sign would become a k
	}
	domain, err := idna.Lookup.ToASCII(strings.ToLower(address[at+1:]))
	if err != nil || domain == "" {
		return "", false
	}
	normal := strings.ToLower(name) + "@" + domain
	parsed, err := mail.ParseAddress(normal)
	if err != nil || parsed.Address != normal || parsed.Name != "" || len(normal) > emailMaxLength {
		return "", false
	}
	for _, r := range normal {
		if r <= ' ' || r > '~' || strings.ContainsRune(`"\<>(),;:[]`, r) {
			return "", false
		}
	}
	return normal, true
}

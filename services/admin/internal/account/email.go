package account

import (
	"net/mail"
	"strings"

	"golang.org/x/net/idna"
)

// emailMaxLength is that of a path in SMTP (RFC 5321).
const emailMaxLength = 254

// NormalizeEmail returns the address as it is stored: without space around it, in lower case, its domain in ASCII. It
// reports false for what is not one plain address that any mail server takes.
func NormalizeEmail(address string) (string, bool) {
	address = strings.ToLower(strings.TrimSpace(address))
	at := strings.LastIndexByte(address, '@')
	if at < 1 || len(address) > emailMaxLength {
		return "", false
	}
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil || domain == "" {
		return "", false
	}
	normal := address[:at] + "@" + domain
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

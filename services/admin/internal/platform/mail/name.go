package mail

import (
	"strings"
	"unicode"

	"litfass/services/admin/internal/platform/invisible"
)

// inert returns a name that a user has chosen as a mail may show it to strangers: on one line, and
// nothing in it acts as more than text. A mail program decodes no part of it as an encoded word
// (RFC 2047), and makes no link of it.
func inert(name string) string {
	name = strings.ReplaceAll(oneLine(name), "=?", "= ?")
	return withoutLinks(name)
}

// oneLine removes line breaks and characters that are not seen: a line break in a subject would
// begin another header, and a bidirectional control would let a name reorder the words around it.
func oneLine(s string) string {
	apart := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}
	return invisible.Remove(strings.Join(strings.FieldsFunc(s, apart), " "))
}

// withoutLinks parts what mail programs recognise as an address: a dot from the word behind it, as
// in "e. V.", and the two slashes of a URL. Domains may be written with other dots than "."
// (UTS 46).
func withoutLinks(text string) string {
	const dots = ".\u2024\u3002\uff0e\uff61"
	var apart strings.Builder
	var last rune
	for _, r := range text {
		word := unicode.In(r, unicode.L, unicode.N, unicode.M) || r == '-' || r == '_'
		if strings.ContainsRune(dots, last) && word || last == '/' && r == '/' {
			apart.WriteByte(' ')
		}
		apart.WriteRune(r)
		last = r
	}
	return apart.String()
}

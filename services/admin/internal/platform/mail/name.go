package mail

import (
	"strings"
	"unicode"

	"litfass/services/admin/internal/platform/invisible"
)

// inert returns a name chosen by a user in a form that is safe in a mail to strangers: on one line,
// without anything that a mail program decodes as an encoded word (RFC 2047) or turns into a link.
func inert(name string) string {
	name = strings.ReplaceAll(oneLine(name), "=?", "= ?")
	return withoutLinks(name)
}

// oneLine removes line breaks and invisible characters: a line break in a subject would begin
// another header, and a bidirectional control could reorder the words around a name.
func oneLine(s string) string {
	apart := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}
	return invisible.Remove(strings.Join(strings.FieldsFunc(s, apart), " "))
}

// withoutLinks inserts spaces into text that mail programs would turn into a link: after a dot, as
// in "e. V.", and between the slashes of a URL. Domains may be written with other dots than "."
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

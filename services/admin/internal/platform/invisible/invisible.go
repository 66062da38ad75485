// Package invisible recognises characters that a reader does not see. They let a name look like
// another one, reorder the text around it, or hide a part of an address.
package invisible

import (
	"strings"
	"unicode"
)

// Is reports whether the character shows nothing itself: format characters, including zero-width
// ones and the bidirectional controls, and others that are ignored by default (Unicode, chapter
// 5.21).
func Is(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r) // visible signs such as U+0600
}

// InName returns the first character of a name that hides something, and whether there is one. The
// joiners are none: Persian words and composed emoji need them.
func InName(name string) (rune, bool) {
	const nonJoiner, joiner = '\u200c', '\u200d'
	i := strings.IndexFunc(name, func(r rune) bool { return Is(r) && r != nonJoiner && r != joiner })
	if i < 0 {
		return 0, false
	}
	return []rune(name[i:])[0], true
}

// Trim returns the text without spaces at its ends. A text of which a reader sees nothing is none:
// Trim returns "" (RULES.md, Ids and names).
func Trim(text string) string {
	if strings.IndexFunc(text, isVisible) < 0 {
		return ""
	}
	return strings.TrimSpace(text)
}

// isVisible reports whether the character shows something. Braille's pattern without dots does not,
// although Unicode has it as a symbol; a variation selector only changes what another one shows.
func isVisible(r rune) bool {
	const brailleBlank = '\u2800'
	return r != brailleBlank && !Is(r) && !unicode.In(r, unicode.White_Space, unicode.Variation_Selector)
}

// Remove returns the text without invisible characters.
func Remove(text string) string {
	return strings.Map(func(r rune) rune {
		if Is(r) {
			return -1
		}
		return r
	}, text)
}

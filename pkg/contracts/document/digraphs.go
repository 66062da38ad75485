package document

import "unicode"

// digraphs spells the letters of one word so that umlauts equal their digraphs and the plain vowel
// (RULES.md, Search): "für", "fuer" and "fur" are all "fur", and "børn" and "boern" are "born". The
// engine takes "für" for "fur", because it drops marks; the plain vowel is the only spelling that
// finds the same.
//
// a, o and u lose their marks; æ is a, ø and œ are o. After them every e is dropped, and after a
// every further a. Dropping all of them, not only the first, makes the spelling independent of the
// two letters that were meant: "aae" may be "åe" or "aä".
type digraphs struct {
	vowel rune // a, o or u when it is the last letter written; else 0
}

// next takes in the next character of a word in normal form D, case-folded, and returns how it is
// written; shown is false when it is left out.
func (d *digraphs) next(c rune) (written rune, shown bool) {
	if d.vowel != 0 && unicode.Is(unicode.Mn, c) {
		return 0, false
	}
	switch c {
	case 'æ':
		c = 'a'
	case 'ø', 'œ':
		c = 'o'
	}
	if d.vowel != 0 && c == 'e' || d.vowel == 'a' && c == 'a' {
		return 0, false
	}
	d.vowel = 0
	if c == 'a' || c == 'o' || c == 'u' {
		d.vowel = c
	}
	return c, true
}

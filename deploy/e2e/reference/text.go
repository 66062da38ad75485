package reference

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which texts are compared without regard to case: Unicode full case folding after
// normalisation to form C, so "STRASSE" equals "Straße" and "é" equals "e" with a combining acute. Accents stay.
func Fold(text string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
}

// matchesPattern compares a folded text with a string parameter (interface.md, rule 3): `*` as the first or the last
// character stands for anything, elsewhere it is itself. Absent text matches no pattern.
func matchesPattern(folded, pattern string) bool {
	if folded == "" {
		return false
	}
	rest, openStart := strings.CutPrefix(pattern, "*")
	rest, openEnd := strings.CutSuffix(rest, "*")
	rest = Fold(rest)
	switch {
	case openStart && openEnd:
		return strings.Contains(folded, rest)
	case openStart:
		return strings.HasSuffix(folded, rest)
	case openEnd:
		return strings.HasPrefix(folded, rest)
	default:
		return folded == rest
	}
}

// holdsEveryWord reports whether each word of the search stands in the folded text. It looks for plain parts of text,
// which equals what a search engine does only for words so rare that no other word resembles or contains them.
func holdsEveryWord(folded, search string) bool {
	for _, word := range strings.Fields(Fold(search)) {
		if !strings.Contains(folded, word) {
			return false
		}
	}
	return true
}

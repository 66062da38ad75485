package reference

import (
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which texts are compared without regard to case: Unicode full case
// folding after normalisation to form C, so "STRASSE" equals "Straße" and "é" equals "e" with a
// combining acute. Accents stay.
func Fold(text string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
}

// pattern returns the comparison of folded texts with a string parameter (RULES.md, Search): `*` as
// the first or the last character stands for anything, elsewhere it is itself. Absent text matches
// no pattern.
func pattern(value string) func(folded string) bool {
	rest, openStart := strings.CutPrefix(value, "*")
	rest, openEnd := strings.CutSuffix(rest, "*")
	rest = Fold(rest)
	return func(folded string) bool {
		switch {
		case folded == "":
			return false
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
}

// patterns reads patterns separated by commas, of which one must match.
func patterns(value string) func(folded string) bool {
	var each []func(folded string) bool
	for part := range strings.SplitSeq(value, ",") {
		each = append(each, pattern(part))
	}
	return func(folded string) bool {
		return slices.ContainsFunc(each, func(met func(string) bool) bool { return met(folded) })
	}
}

var digraphs = strings.NewReplacer("ä", "ae", "æ", "ae", "ö", "oe", "ø", "oe", "ü", "ue", "å", "aa")

// Spell returns a folded text with every umlaut as its digraph: a search takes the two for the
// same.
func Spell(text string) string { return digraphs.Replace(Fold(text)) }

// everyWord returns the question whether each word of a search stands in a spelled text. It looks
// for plain parts of text, which equals what a search engine does only for words so rare that no
// other word resembles or contains them.
func everyWord(search string) func(spelled string) bool {
	words := strings.Fields(Spell(search))
	return func(spelled string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(spelled, word) })
	}
}

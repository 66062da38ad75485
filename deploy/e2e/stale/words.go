package stale

import (
	"slices"
	"strings"
	"unicode"

	"litfass/deploy/e2e/reference"
)

// A search by words finds every text that has each of them as a word of its own. It may also find
// texts with words that begin like one or differ from it in two letters: the engine forgives typing
// errors.

// split returns the words of a text.
func split(spelled string) []string {
	return strings.FieldsFunc(spelled, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// hasAll reports whether a date has each of the words as a word of its own.
func hasAll(d *reference.Dated, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !hasWord(d.Words(), word) })
}

// hasWord looks for a word between characters that are neither letters nor digits.
func hasWord(text, word string) bool {
	for rest := text; ; {
		at := strings.Index(rest, word)
		if at < 0 {
			return false
		}
		before, after := rest[:at], rest[at+len(word):]
		if !endsInside(before) && !beginsInside(after) {
			return true
		}
		rest = rest[at+len(word):]
		if beginsInside(rest) {
			rest = strings.TrimLeftFunc(rest, isInside)
		}
	}
}

func isInside(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func beginsInside(text string) bool { return strings.IndexFunc(text, isInside) == 0 }

func endsInside(text string) bool { return len(strings.TrimRightFunc(text, isInside)) < len(text) }

// mayHaveAll reports whether a date has, for each of the words, one that resembles it.
func mayHaveAll(d *reference.Dated, words []string) bool {
	tokens := split(d.Words())
	return !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(tokens, func(token string) bool { return resembles(token, word) })
	})
}

// maxTypos is the number of errors in a word that the engine forgives.
const maxTypos = 2

// resembles reports whether a beginning of the token, or all of it, differs from the word in at
// most two letters.
func resembles(token, word string) bool {
	w := []rune(word)
	row := make([]int, len(w)+1) // distances of the token's beginning from each beginning of the word
	for j := range row {
		row[j] = j
	}
	if row[len(w)] <= maxTypos {
		return true
	}
	for i, r := range []rune(token) {
		diagonal := row[0]
		row[0] = i + 1
		for j, other := range w {
			substituted := diagonal
			if r != other {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, diagonal+1, row[j]+1)
		}
		if row[len(w)] <= maxTypos {
			return true
		}
	}
	return false
}

// Package spelling finds the known name that a misspelled one is nearest to.
package spelling

import (
	"slices"
	"strings"
	"unicode/utf8"

	"litfass/pkg/chassis/fault/reason"
)

// maxTypos is the number of typos in a name that is still recognized (RULES.md, Search).
const maxTypos = 2

// Unknown returns the reason for refusing an unknown name, with the nearest known one if there is
// one.
func Unknown(name string, known []string) *reason.Reason {
	if near := nearest(name, known); near != "" {
		return reason.UnknownMisspelled(near)
	}
	return reason.Unknown
}

// nearest returns the known name with the fewest typos in name, ignoring case; of equal ones the
// first in alphabetical order. It is "" if that takes more than maxTypos, or replaces the whole
// name.
func nearest(name string, known []string) string {
	runes := []rune(strings.ToLower(Shorten(name)))
	best, fewest := "", min(maxTypos+1, len(runes))
	for _, candidate := range slices.Sorted(slices.Values(known)) {
		if errors := distance(runes, []rune(candidate)); errors < fewest {
			best, fewest = candidate, errors
		}
	}
	return best
}

// Distance counts the typing errors between two words: characters to insert, delete, replace or
// swap with their neighbour.
func Distance(a, b string) int { return distance([]rune(a), []rune(b)) }

func distance(a, b []rune) int { return distances(a, b)[len(b)] }

// Typos counts the typos between a typed text and the prefix of a text that is nearest to it.
func Typos(typed, text string) int { return slices.Min(distances([]rune(typed), []rune(text))) }

// distances counts for each beginning of b, from the empty one, the runes to insert, delete,
// replace or swap with their neighbour to turn a into it (the restricted Damerau-Levenshtein
// distance).
func distances(a, b []rune) []int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i, x := range a {
		row[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last
}

// Shorten returns a text of a request for repetition in an answer: valid UTF-8 of at most 60
// characters and an ellipsis.
func Shorten(text string) string {
	const most = 60
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

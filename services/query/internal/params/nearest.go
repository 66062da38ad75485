package params

import (
	"maps"
	"slices"
	"strings"
)

// nearest returns the operation's parameter whose name is fewest typing errors away from name, in any case; of equals the
// first in the alphabet. A name that only goes on, or ends early, is near: longitude, venue_name, event.
func (r *reader) nearest(name string) string {
	name = strings.ToLower(shorten(name))
	runes := []rune(name)
	best, fewest := "", 0
	for _, known := range slices.Sorted(maps.Keys(r.takes)) {
		errors := distance(runes, []rune(known))
		if beginsAlike(name, known) {
			errors = min(errors, 2)
		}
		if best == "" || errors < fewest {
			best, fewest = known, errors
		}
	}
	return best
}

// beginsAlike reports whether one of two names is the beginning of the other, and long enough to say something.
func beginsAlike(a, b string) bool {
	const telling = 3
	return min(len(a), len(b)) >= telling && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// distance counts the runes to insert, delete, replace or swap with their neighbour to turn a into b (the restricted
// Damerau-Levenshtein distance).
func distance(a, b []rune) int {
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
	return last[len(b)]
}

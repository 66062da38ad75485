package params

import (
	"maps"
	"slices"
	"strings"
)

// maxErrors is how many typing errors away a name may be and still be meant.
const maxErrors = 2

// nearest returns the operation's parameter whose name is fewest typing errors away from name, in
// any case; of equals the first in the alphabet. It is "" when none is near: more than maxErrors
// away, or so many that nothing of the name is left.
func (r *reader) nearest(name string) string {
	runes := []rune(strings.ToLower(shorten(name)))
	best, fewest := "", min(maxErrors+1, len(runes))
	for _, known := range slices.Sorted(maps.Keys(r.takes)) {
		if errors := distance(runes, []rune(known)); errors < fewest {
			best, fewest = known, errors
		}
	}
	return best
}

// distance counts the runes to insert, delete, replace or swap with their neighbour to turn a into
// b (the restricted Damerau-Levenshtein distance).
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

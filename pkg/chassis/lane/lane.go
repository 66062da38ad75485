// Package lane sizes tests by lane: the merge lane tries fewer cases of a rule than the long lane
// of every night and before a release.
package lane

import "os"

// Long reports whether the long lane of tests runs: make test-long.
func Long() bool { return os.Getenv("TEST_LONG") == "true" }

// Scale returns the first number in the lane that guards a merge, and the second in the long lane.
func Scale(merge, long int) int {
	if Long() {
		return long
	}
	return merge
}

package harness

import "os"

// LongLane reports whether the long lane of tests runs, which tries every case: make test-long.
func LongLane() bool { return os.Getenv("TEST_LONG") == "true" }

// Scale returns the first number in the lane that guards a merge, and the second in the long lane.
func Scale(merge, long int) int {
	if LongLane() {
		return long
	}
	return merge
}

//go:build !race

package harness

// raceEnabled reports whether the tests run with the race detector; then those of RunRaced do too.
const raceEnabled = false

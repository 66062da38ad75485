//go:build race

package harness

// raceEnabled reports whether the tests run with the race detector; then the services do too.
const raceEnabled = true

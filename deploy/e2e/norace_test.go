//go:build !race

package e2e

// raceEnabled reports whether the tests run with the race detector; then the services do too.
const raceEnabled = false

//go:build race

package e2e

// raceEnabled says that the tests run with the race detector; then the services do too.
const raceEnabled = true

package console

import (
	"testing"

	"litfass/deploy/e2e/harness"
)

// The most bytes, by gzip, that organizers load with the first page, and with that of an event.
const (
	mostConsoleHTML, mostConsoleStyles, mostConsoleScripts = 40_000, 20_000, 45_000
)

// testBudgets weighs what a browser loads that knows nothing of the console.
func (c *consoleTest) testBudgets(t *testing.T) {
	for _, path := range []string{"/console/", "/console/event/" + c.scene.event} {
		j := c.journey("visit", true, map[string]any{"path": path})
		j.Context["storageState"] = c.states["owner"]
		requests := c.run(t, j).Requests
		for kind, most := range map[string]int{
			"document": mostConsoleHTML, "stylesheet": mostConsoleStyles, "script": mostConsoleScripts,
		} {
			got := harness.Weight(requests, kind)
			if got == 0 || got > most {
				t.Errorf("%s loads %d bytes of the type %s, at most %d", path, got, kind, most)
			}
			t.Logf("%s loads %d bytes of the type %s", path, got, kind)
		}
	}
}

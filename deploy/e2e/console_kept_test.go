package e2e

import "testing"

// testKept: what was typed is there after the tab, the network, the service or the login was lost.
func (c *consoleTest) testKept(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		c.walk(t, "console-kept", scripts, map[string]any{
			"person": c.scene.people["writer"], "path": "/console/event/" + c.scene.draft,
		})
	}
}

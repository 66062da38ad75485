package console

import (
	"net/http"
	"testing"

	"litfass/deploy/e2e/harness"
)

// testLost: no accident loses a text in the middle of a word, or shows it to visitors.
func (c *consoleTest) testLost(t *testing.T) {
	result := c.walk(t, "console-lost", true, map[string]any{
		"person": c.scene.people["writer"], "another": c.scene.people["editor"],
		"event": c.newEvent(t, "Unverloren", "released"), "draft": c.newEvent(t, "Unverlorener Entwurf", "draft"),
	})
	t.Logf("nothing is lost: %s", result.Value)
}

// testKept: what was typed is there after the tab, the network, the service or the login was lost,
// and no longer once it is saved.
func (c *consoleTest) testKept(t *testing.T) {
	draft := made(c.scene.editors["owner"].Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{"org_uuid": c.scene.org, "title": "Behalten"})))
	for _, way := range withAndWithoutScripts {
		t.Run(way.name, func(t *testing.T) {
			c.walk(t, "console-kept", way.scripts, map[string]any{
				"person": c.scene.people["writer"], "path": "/console/event/" + draft, "public": "/console/event/" + c.scene.event,
			})
		})
	}
}

package console

import (
	"fmt"
	"net/http"
	"testing"

	"litfass/deploy/e2e/harness"
)

// testPublish: changes of a public event become public together and when that is meant, and nothing
// of them is lost.
func (c *consoleTest) testPublish(t *testing.T) {
	for name, way := range map[string]struct {
		scripts bool
		width   int // of the window, in px
	}{"desktop": {true, 1366}, "phone": {true, 360}, "no scripts": {false, 1366}} {
		t.Run(name, func(t *testing.T) {
			event, draft := c.newEvent(t, "Öffentlich", "released"), c.newEvent(t, "Bald öffentlich", "draft")
			j := c.journey("console-publish", way.scripts, map[string]any{
				"path": "/console/event/" + event, "event": event, "draft": draft, "person": c.scene.people["writer"], "another": c.scene.people["editor"],
			})
			j.Context["viewport"] = map[string]int{"width": way.width, "height": 720}
			c.run(t, j)
		})
	}
}

// newEvent creates an event that lacks nothing, and waits until visitors see it if it is released.
func (c *consoleTest) newEvent(t *testing.T, title, status string) (uuid string) {
	t.Helper()
	event := made(c.scene.editors["owner"].Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{
		"org_uuid": c.scene.org, "venue_uuid": c.scene.venue, "title": title, "release_status": status,
		"dates": []harness.Line{{"start_date": harness.Day(10), "start_time": "19:00"}},
	})))
	if status == "draft" {
		return event
	}
	harness.Await(t, "the event is public", func() error {
		answer, err := c.Client.Get(t.Context(), "/api/event/"+event)
		if err == nil && answer.Status != http.StatusOK {
			err = fmt.Errorf("it answers %d", answer.Status)
		}
		return err
	})
	return event
}

package console

import (
	"net/http"
	"testing"

	"litfass/deploy/e2e/harness"
)

// testTogether: two people who write one event at the same time overwrite nothing of each other
// without being asked: a person invites another one, and two members edit all that has a conflict
// of its own.
func (c *consoleTest) testTogether(t *testing.T) {
	owner := c.scene.editors["owner"]
	path := "/console/event/" + made(owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{"org_uuid": c.scene.org, "title": "Zu zweit"})))
	result := c.walk(t, "console-together", true, map[string]any{
		"one": c.states["owner"], "email": "colleague@example.org", "password": harness.EditorPassword, "org": c.scene.org, "path": path,
	})
	t.Logf("an open page shows the save of another person: %s", result.Value)
	venues := []string{"Speicher am Hafen", "Zeltplatz Nordhang"}
	for _, venue := range venues {
		owner.Write(t, http.MethodPut, "/venue", encoded(t, harness.Line{"org_uuid": c.scene.org, "name": venue, "city": "Kiel", "lat": 54.3, "lon": 10.1}))
	}
	for _, way := range withAndWithoutScripts {
		t.Run(way.name, func(t *testing.T) {
			event := made(owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{
				"org_uuid": c.scene.org, "title": "Zu zweit", "dates": []harness.Line{{"start_date": harness.Day(10), "start_time": "19:00"}, {"start_date": harness.Day(17), "start_time": "19:00"}},
			})))
			c.walk(t, "console-conflicts", way.scripts, map[string]any{
				"one": c.states["owner"], "two": c.states["editor"], "path": "/console/event/" + event, "venues": venues,
			})
		})
	}
}

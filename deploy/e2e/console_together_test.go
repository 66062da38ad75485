package e2e

import (
	"net/http"
	"testing"
)

// testTogether: two people who write one event at the same time overwrite nothing of each other
// without being asked: a person invites another one, and two members edit all that has a conflict
// of its own.
func (c *consoleTest) testTogether(t *testing.T) {
	owner := c.scene.editors["owner"]
	path := "/console/event/" + made(owner.write(t, http.MethodPost, "/event/create", encoded(t, line{"org_uuid": c.scene.org, "title": "Zu zweit"})))
	c.walk(t, "console-together", true, map[string]any{
		"one": c.states["owner"], "email": "colleague@example.org", "password": editorPassword, "org": c.scene.org, "path": path,
	})
	venues := []string{"Speicher am Hafen", "Zeltplatz Nordhang"}
	for _, venue := range venues {
		owner.write(t, http.MethodPut, "/venue", encoded(t, line{"org_uuid": c.scene.org, "name": venue, "city": "Kiel", "lat": 54.3, "lon": 10.1}))
	}
	for _, scripts := range []bool{true, false} {
		event := made(owner.write(t, http.MethodPost, "/event/create", encoded(t, line{
			"org_uuid": c.scene.org, "title": "Zu zweit", "dates": []line{{"start_date": day(10), "start_time": "19:00"}, {"start_date": day(17), "start_time": "19:00"}},
		})))
		c.walk(t, "console-conflicts", scripts, map[string]any{
			"one": c.states["owner"], "two": c.states["editor"], "path": "/console/event/" + event, "venues": venues,
		})
	}
}

package console

import (
	"fmt"
	"net/http"
	"testing"

	"litfass/deploy/e2e/harness"
)

// testTheatre: an organizer states the tariffs, the times of sale and the places of a run, a box
// office sells it out with a key of its own, and visitors and the organizer see it: with scripts
// and on a phone without them.
func (c *consoleTest) testTheatre(t *testing.T) {
	owner := c.scene.editors["owner"]
	office := owner.Write(t, http.MethodPost, "/organization/"+c.scene.org+"/api-keys", `{"name": "Kasse", "permissions": "536870912"}`)
	for _, way := range []struct {
		name    string
		scripts bool
		width   int // of the window, in px
	}{{"scripts", true, 1366}, {"phone", false, 360}} {
		t.Run(way.name, func(t *testing.T) {
			event := made(owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{
				"org_uuid": c.scene.org, "venue_uuid": c.scene.venue, "title": "Die Möwe", "summary": "Komödie",
			})))
			added := owner.Write(t, http.MethodPost, "/event/"+event+"/date", encoded(t, harness.Line{
				"start_date": harness.Day(30), "start_time": "19:30", "rrule": "FREQ=DAILY;COUNT=4",
			}))
			var dates []string
			for _, date := range added["dates"].([]any) {
				dates = append(dates, made(date.(map[string]any)))
			}
			j := c.journey("console-theatre", way.scripts, map[string]any{
				"person": c.scene.people["owner"], "path": "/console/event/" + event, "event": event, "dates": dates, "tickets": 15,
				"key": fmt.Sprint(office["key"]), "token": owner.Token, "day": harness.Day(40),
			})
			j.Context["viewport"] = map[string]int{"width": way.width, "height": 720}
			wantNoFault(t, c.run(t, j).Requests)
		})
	}
}

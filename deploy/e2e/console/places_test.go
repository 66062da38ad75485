package console

import (
	"net/http"
	"testing"

	"litfass/deploy/e2e/harness"
)

// testPlaces: an event is placed in another organization's venue, in a new one at a proposed
// position, and in one whose owner accepts a request: with only a keyboard, on a phone, and without
// scripts.
func (c *consoleTest) testPlaces(t *testing.T) {
	writer, owner := c.scene.editors["writer"], c.scene.editors["stranger"]
	for _, way := range []struct {
		name, wrong, town string // of the venue, and its name with an error
		scripts, keyboard bool
		width             int // of the window, in px
	}{
		{"Kupferschmiede", "Kupferschmeide", "Eckernförde", true, true, 1366},
		{"Windmühlenberg", "Windmülenberg", "Rendsburg", true, false, 360},
		{"Glockengießerei", "Glokengiesserei", "Sønderborg", false, false, 768},
	} {
		t.Run(way.name, func(t *testing.T) {
			event := made(writer.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{"org_uuid": c.scene.org, "title": "Lesung"})))
			venue := made(owner.Write(t, http.MethodPut, "/venue", encoded(t, harness.Line{"org_uuid": c.scene.foreign.org, "name": way.name, "city": "Kiel"})))
			second := made(writer.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{"org_uuid": c.scene.org, "title": "Konzert"})))
			asked := "Brauhaus " + way.town
			owner.Write(t, http.MethodPut, "/venue", encoded(t, harness.Line{"org_uuid": c.scene.foreign.org, "name": asked, "city": "Plön", "use": "ask"}))
			j := c.journey("console-places", way.scripts, map[string]any{
				"person": c.scene.people["writer"], "owner": c.scene.people["stranger"], "event": "/console/event/" + event,
				"venue": "/console/venue/" + venue, "name": way.name, "wrong": way.wrong, "town": way.town, "keyboard": way.keyboard, "asked": asked, "second": "/console/event/" + second,
			})
			j.Context["viewport"] = map[string]int{"width": way.width, "height": 720}
			wantNoFault(t, c.run(t, j).Requests)
			placed := owner.Show(t, "/venue/"+venue)
			if placed["use"] != "closed" {
				t.Errorf("the venue is %v", placed["use"])
			}
			own := fromEvent(t, writer, event)
			if lat, _ := own["lat"].(float64); own["city"] != way.town || lat < 54 || lat > 55.5 {
				t.Errorf("the new venue lies at %v in %v", own["lat"], own["city"])
			}
		})
	}
}

// fromEvent returns the venue of an event.
func fromEvent(t *testing.T, editor harness.Editor, event string) map[string]any {
	t.Helper()
	return editor.Show(t, "/venue/"+editor.Show(t, "/event/"+event)["venue_uuid"].(string))
}

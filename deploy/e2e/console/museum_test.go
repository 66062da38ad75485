package console

import (
	"net/http"
	"testing"
	"time"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
)

// testMuseum: a museum enters opening hours in the console, of an exhibition and of a permanent
// one, and visitors find both when they are open, and read when that is.
func (c *consoleTest) testMuseum(t *testing.T) {
	now := time.Now().In(harness.Berlin)
	monday := now.AddDate(0, 0, 7+(8-int(now.Weekday()))%7) // at least a week away
	end := now.AddDate(0, 0, 60)
	day := func(at time.Time) string { return at.Format(time.DateOnly) }
	written := "until " + end.Format("Monday, 2 January 2006")
	for name, way := range map[string]struct {
		first, last, until string
		scripts, keyboard  bool
		width              int // of the window, in px
	}{
		"exhibition": {day(now.AddDate(0, 0, -5)), day(end), written, true, true, 1366},
		"permanent":  {"2020-01-01", "", "Permanent", true, false, 360},
		"no scripts": {day(now.AddDate(0, 0, -1)), day(end), written, false, false, 1366},
	} {
		t.Run(name, func(t *testing.T) {
			owner := c.scene.editors["owner"]
			venue := made(owner.Write(t, http.MethodPut, "/venue", encoded(t, harness.Line{"org_uuid": c.scene.org, "name": "Museum " + name, "city": "Kiel"})))
			event := made(owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{
				"org_uuid": c.scene.org, "venue_uuid": venue, "title": "Vögel der Förde",
			})))
			days := map[string]any{
				"event": event, "venue": venue, "title": "Vögel der Förde", "until": way.until,
				"monday": day(monday), "open": day(monday.AddDate(0, 0, 1)), "holiday": day(monday.AddDate(0, 0, 2)), "night": day(monday.AddDate(0, 0, 7)),
			}
			week := map[string]string{"tue": "10-18", "wed": "10–18 Uhr", "thu": "10:00 – 18:00", "fri": "10 to 18", "sat": "10–18", "sun": "10.00-18.00"}
			j := c.journey("console-museum", way.scripts, map[string]any{
				"person": c.scene.people["editor"], "event": event, "venue": venue, "first": way.first, "last": way.last, "keyboard": way.keyboard, "week": week,
				"closed":  monday.AddDate(0, 0, 2).Format("2.1.2006") + " Museum holiday",
				"special": days["night"].(string) + " 18–1 Long night",
			})
			viewport := map[string]int{"width": way.width, "height": 720}
			j.Context["viewport"] = viewport
			wantNoFault(t, c.run(t, j).Requests)
			c.AwaitReady(t)
			c.browser.Run(t, browser.Journey{
				Name: "museum", Base: c.URL(), Args: days, Context: map[string]any{"javaScriptEnabled": way.scripts, "viewport": viewport},
			})
		})
	}
}

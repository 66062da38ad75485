package console

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
	"litfass/pkg/media/imaging/imagingtest"
)

// testFirst: a person without an account publishes an event that visitors see: with only a
// keyboard, on a phone, and without scripts.
func (c *consoleTest) testFirst(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "Himmel.jpg")
	if err := os.WriteFile(picture, imagingtest.JPEG(t, imagingtest.Corners(600, 900), 0), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, way := range []struct {
		name              string
		scripts, keyboard bool
		width             int // of the window, in px
	}{
		{"keyboard", true, true, 1280}, {"phone", true, false, 320}, {"no-scripts", false, false, 1280},
	} {
		t.Run(way.name, func(t *testing.T) {
			j := c.journey("console-first", way.scripts, map[string]any{
				"email": way.name + "@example.org", "password": harness.EditorPassword, "title": "Sternstunden " + way.name, "keyboard": way.keyboard,
				"first": harness.Day(10), "less": []string{harness.Day(24), harness.Day(52)}, "picture": picture,
			})
			j.Context["viewport"] = map[string]int{"width": way.width, "height": 720}
			result := c.run(t, j)
			wantNoFault(t, result.Requests)
			var done struct {
				Milliseconds int `json:"milliseconds"`
			}
			if err := json.Unmarshal(result.Value, &done); err != nil {
				t.Fatal(err)
			}
			t.Logf("visitors see the event %d ms after its release", done.Milliseconds)
		})
	}
}

// wantNoFault fails for each page of the console that has failed, which the people there need not
// have noticed.
func wantNoFault(t *testing.T, requests []browser.Request) {
	t.Helper()
	for _, request := range requests {
		if request.Status >= http.StatusInternalServerError && strings.Contains(request.URL, "/console/") {
			t.Errorf("%s answers %d", request.URL, request.Status)
		}
	}
}

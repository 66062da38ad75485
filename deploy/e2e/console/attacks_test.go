package console

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/pkg/media/imaging/imagingtest"
)

// testOtherSites: no page of another site changes or reads anything as the person who visits it, or
// shows the console in a frame.
func (c *consoleTest) testOtherSites(t *testing.T) {
	owner, event := c.scene.editors["owner"], "/console/event/"+c.scene.draft
	before := owner.Show(t, "/event/"+c.scene.draft)
	j := c.journey("console-foreign", true, map[string]any{
		"person": c.scene.people["owner"], "foreign": c.foreign, "embed": "/embed",
		"frames": []string{"/console/", event, "/embed/../console/"},
		"links": []string{
			"/console/logout", "/console/account/delete", event + "/delete", event + "/release/released", event + "/edit/title?title=planted",
		},
		"tries": []map[string]any{
			{"path": "/console/logout", "fields": map[string]string{}},
			{"path": event + "/edit/title", "fields": map[string]string{"title": "planted", "subtitle": ""}},
		},
	})
	j.Origins = []string{strings.TrimSuffix(c.foreign, "/"), "http://elsewhere.test"}
	if value := string(c.run(t, j).Value); value != "[]" {
		t.Errorf("other sites get through with %s", value)
	}
	if after := owner.Show(t, "/event/"+c.scene.draft); !reflect.DeepEqual(after, before) {
		t.Errorf("another site has changed an event: %v was %v", after, before)
	}
}

// trick is a file that a person may be handed to upload. Content is in base64.
type trick struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // as the browser says
	Content string `json:"content"`
	Refused string `json:"refused"` // words of the reason; "" for a file that is taken
}

const active = `<script>planted=1</script>`

// tricks are files that lie about their type or size, or that hide more than an image.
func tricks(t *testing.T) (all []trick) {
	t.Helper()
	picture := imagingtest.JPEG(t, imagingtest.Corners(300, 200), 0)
	add := func(name, kind string, content []byte, refused string) {
		all = append(all, trick{name, kind, base64.StdEncoding.EncodeToString(content), refused})
	}
	add("drawing.jpg", "image/jpeg", []byte(`<svg xmlns="http://www.w3.org/2000/svg">`+active+`</svg>`), "JPEG")
	add("page.png", "image/png", []byte("<!doctype html>"+active), "JPEG")
	add("nothing.png", "image/png", nil, "empty")
	add("bomb.png", "image/png", imagingtest.RawPNG{Width: 10_000, Height: 6_000, Depth: 8, Colour: imagingtest.TrueAlpha, Empty: true}.Bytes(), "pixels")
	add("large.gif", "image/gif", append(imagingtest.GIF(t, imagingtest.Corners(300, 200)), make([]byte, 7<<20)...), "MB")
	add("drawing.svg", "image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg">`+active+`</svg>`), "JPEG")
	add(`"><script>planted=1</script>.jpg`, "image/jpeg", imagingtest.WithSegment(picture, 0xfe, []byte(active)), "")
	add("../../../etc/planted.gif", "image/gif", append(imagingtest.GIF(t, imagingtest.Corners(300, 200)), "*/=1;planted=1//"+active...), "")
	add(strings.Repeat("ä", 300)+".png", "image/png", slices.Concat(imagingtest.PNG(t, imagingtest.Corners(300, 200)), []byte(active)), "")
	return all
}

// testUploads: files that are no valid images are refused with a reason, and the console serves the
// others as images only.
func (c *consoleTest) testUploads(t *testing.T) {
	owner := c.scene.editors["owner"]
	for _, scripts := range []bool{true, false} {
		event := made(owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{
			"org_uuid": c.scene.org, "venue_uuid": c.scene.venue, "title": "Bilder", "dates": []harness.Line{{"start_date": harness.Day(10), "start_time": "19:00"}},
		})))
		j := c.journey("console-uploads", scripts, map[string]any{"path": "/console/event/" + event, "files": tricks(t)})
		j.Context["storageState"] = c.states["owner"]
		c.run(t, j)
		if scripts {
			owner.Write(t, http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "released"}`)
			c.wantBarePictures(t, event)
		}
	}
}

// wantBarePictures requests the images of an event as visitors see them, also as other types.
func (c *consoleTest) wantBarePictures(t *testing.T, event string) {
	t.Helper()
	harness.Await(t, "the event is public", func() error {
		answer, err := c.Client.Get(t.Context(), "/api/event/"+event)
		if err == nil && answer.Status != http.StatusOK {
			err = fmt.Errorf("status %d", answer.Status)
		}
		return err
	})
	paths := c.ImagePaths(t, event)
	if len(paths) != 3 {
		t.Errorf("visitors see %v", paths)
	}
	for _, path := range paths {
		for _, more := range []string{"", "?width=320", "?type=text/html&format=svg"} {
			response := c.Image(t, path+more, "Accept", "text/html,image/svg+xml")
			content, err := io.ReadAll(response.Body)
			kind := response.Header.Get("Content-Type")
			if err != nil || response.StatusCode == http.StatusOK && !slices.Contains([]string{"image/jpeg", "image/png", "image/webp"}, kind) {
				t.Errorf("%s%s: %s as %s, %v", path, more, response.Status, kind, err)
			}
			if response.Header.Get("X-Content-Type-Options") != "nosniff" || bytes.Contains(content, []byte("planted")) {
				t.Errorf("%s%s: %v with %.200s", path, more, response.Header, content)
			}
		}
	}
}

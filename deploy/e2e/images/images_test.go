package images

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
	"litfass/pkg/media/imaging/imagingtest"
)

// testImages: an image goes from an organizer's upload to visitors, is replaced, and leaves with
// its event. The demo has images from the start.
func testImages(s *harness.System, t *testing.T) {
	s.AwaitReady(t)
	token := demoOwner(s, t)
	event := releasedEvent(s, t, token)

	main := s.ImagePaths(t, event)["main"]
	s.WantImage(t, main+"?width=480&ratio=3:2&type=webp&quality=80&mode=cover", image.Pt(480, 320))

	upload := imagingtest.JPEG(t, imagingtest.Corners(900, 1200), 6) // 1,200 × 900 as it was taken
	first := uploadImage(s, t, token, "/event/"+event+"/image/2", upload)
	path := s.ImagePath(t, event, "gallery_1", first)
	s.WantImage(t, path, image.Pt(1200, 900))
	s.WantImage(t, path+"?width=320&height=320", image.Pt(320, 320))

	second := uploadImage(s, t, token, "/event/"+event+"/image/2", imagingtest.JPEG(t, imagingtest.Corners(640, 480), 0))
	next := s.ImagePath(t, event, "gallery_1", second)
	s.WantImage(t, next, image.Pt(640, 480))
	if answer := s.Image(t, path); answer.StatusCode != http.StatusNotFound {
		t.Errorf("the replaced picture: %s", answer.Status)
	}

	takeBack(s, t, event)
	s.AwaitReady(t)
	for _, path := range []string{main, next} {
		if answer := s.Image(t, path); answer.StatusCode != http.StatusNotFound {
			t.Errorf("a picture of an event that was taken back: %s", answer.Status)
		}
	}
}

// demoOwner logs in as the owner whom the launcher names.
func demoOwner(s *harness.System, t *testing.T) (token string) {
	t.Helper()
	password := regexp.MustCompile(`\n  password of all +(\S+)\n`).FindStringSubmatch(s.Welcome())
	owner := regexp.MustCompile(`\n  (\S+@\S+) +owner`).FindStringSubmatch(s.Welcome())
	if password == nil || owner == nil {
		t.Fatalf("the launcher says\n%s", s.Welcome())
	}
	body := fmt.Sprintf(`{"email": %q, "password": %q}`, owner[1], password[1])
	answer, err := s.Client.Post(t.Context(), "/api/login", "application/json", []byte(body))
	var login struct {
		AccessToken string `json:"access_token"`
	}
	if err == nil {
		err = json.Unmarshal(answer.Body, &login)
	}
	if err != nil || login.AccessToken == "" {
		t.Fatalf("login: %d %s, %v", answer.Status, answer.Body, err)
	}
	return login.AccessToken
}

// releasedEvent returns a released event with an image of the organization that the owner runs.
func releasedEvent(s *harness.System, t *testing.T, token string) (uuid string) {
	t.Helper()
	list := s.Admin(t, token, http.MethodGet, "/user/choosable-organizations", "", nil)
	for _, entity := range harness.Entities(t, s.Export(t)) {
		images, _ := entity["images"].([]any)
		if entity["kind"] == "event" && entity["release_status"] == "released" && len(images) > 0 &&
			strings.Contains(list, fmt.Sprint(entity["org_uuid"])) {
			return fmt.Sprint(entity["uuid"])
		}
	}
	t.Fatal("the demo's owner has no released event with an image")
	return ""
}

// uploadImage stores a file by an operation and returns its uuid.
func uploadImage(s *harness.System, t *testing.T, token, path string, file []byte) (uuid string) {
	t.Helper()
	form, contentType := harness.ImageForm(t, file, nil)
	answer := s.Admin(t, token, http.MethodPost, path, contentType, bytes.NewReader(form))
	var stored struct {
		ImageUUID string `json:"image_uuid"`
	}
	if err := json.Unmarshal([]byte(answer), &stored); err != nil || stored.ImageUUID == "" {
		t.Fatalf("%s, %v", answer, err)
	}
	return stored.ImageUUID
}

// takeBack makes an event a draft again.
func takeBack(s *harness.System, t *testing.T, event string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSpace(string(s.Export(t))), "\n") {
		if !strings.Contains(line, `"kind":"event"`) || !strings.Contains(line, `"uuid":"`+event+`"`) {
			continue
		}
		path := filepath.Join(t.TempDir(), "draft.jsonl")
		draft := strings.Replace(line, `"release_status":"released"`, `"release_status":"draft"`, 1)
		if err := os.WriteFile(path, []byte(draft+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.MustRun(t, stack.Admin, "import", path)
		return
	}
	t.Fatalf("the export lacks event %s", event)
}

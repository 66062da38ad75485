package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // decoded by what it is
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"litfass/deploy/local/stack"
	"litfass/pkg/media/imaging/imagingtest"
)

// testImages: a picture goes from an organizer's upload to visitors, is replaced, and leaves with
// its event. The demo has pictures from the start.
func (s *system) testImages(t *testing.T) {
	s.awaitReady(t)
	token := s.demoOwner(t)
	event := s.releasedEvent(t, token)

	main := s.imagePaths(t, event)["main"]
	s.wantImage(t, main+"?width=480&ratio=3:2&type=webp&quality=80&mode=cover", image.Pt(480, 320))

	upload := imagingtest.JPEG(t, imagingtest.Corners(900, 1200), 6) // 1,200 × 900 as it was taken
	first := s.upload(t, token, "/event/"+event+"/image/2", upload)
	path := s.imagePath(t, event, "gallery_1", first)
	s.wantImage(t, path, image.Pt(1200, 900))
	s.wantImage(t, path+"?width=320&height=320", image.Pt(320, 320))

	second := s.upload(t, token, "/event/"+event+"/image/2", imagingtest.JPEG(t, imagingtest.Corners(640, 480), 0))
	next := s.imagePath(t, event, "gallery_1", second)
	s.wantImage(t, next, image.Pt(640, 480))
	if answer := s.image(t, path); answer.StatusCode != http.StatusNotFound {
		t.Errorf("the replaced picture: %s", answer.Status)
	}

	s.takeBack(t, event)
	s.awaitReady(t)
	for _, path := range []string{main, next} {
		if answer := s.image(t, path); answer.StatusCode != http.StatusNotFound {
			t.Errorf("a picture of an event that was taken back: %s", answer.Status)
		}
	}
}

// demoOwner logs in as the owner whom the launcher names.
func (s *system) demoOwner(t *testing.T) (token string) {
	t.Helper()
	password := regexp.MustCompile(`\n  password of all +(\S+)\n`).FindStringSubmatch(s.Welcome())
	owner := regexp.MustCompile(`\n  (\S+@\S+) +owner`).FindStringSubmatch(s.Welcome())
	if password == nil || owner == nil {
		t.Fatalf("the launcher says\n%s", s.Welcome())
	}
	body := fmt.Sprintf(`{"email": %q, "password": %q}`, owner[1], password[1])
	answer, err := s.client.Post(t.Context(), "/api/login", "application/json", []byte(body))
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
func (s *system) releasedEvent(t *testing.T, token string) (uuid string) {
	t.Helper()
	list := s.admin(t, token, http.MethodGet, "/user/choosable-organizations", "", nil)
	for _, entity := range entities(t, s.export(t)) {
		images, _ := entity["images"].([]any)
		if entity["kind"] == "event" && entity["release_status"] == "released" && len(images) > 0 &&
			strings.Contains(list, fmt.Sprint(entity["org_uuid"])) {
			return fmt.Sprint(entity["uuid"])
		}
	}
	t.Fatal("the demo's owner has no released event with an image")
	return ""
}

// admin sends a request to an admin operation, which must succeed.
func (s *system) admin(t *testing.T, token, method, path, contentType string, body io.Reader) (answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL()+"/api/admin"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s, %v", method, path, response.Status, raw, err)
	}
	return string(raw)
}

// upload stores a file by an operation and returns its uuid.
func (s *system) upload(t *testing.T, token, path string, file []byte) (uuid string) {
	t.Helper()
	form, contentType := imageForm(t, file, nil)
	answer := s.admin(t, token, http.MethodPost, path, contentType, bytes.NewReader(form))
	var stored struct {
		ImageUUID string `json:"image_uuid"`
	}
	if err := json.Unmarshal([]byte(answer), &stored); err != nil || stored.ImageUUID == "" {
		t.Fatalf("%s, %v", answer, err)
	}
	return stored.ImageUUID
}

// imageForm returns a form with a file, nil for none, and further fields, and its type.
func imageForm(t *testing.T, file []byte, fields map[string]string) (form []byte, contentType string) {
	t.Helper()
	var packed bytes.Buffer
	writer := multipart.NewWriter(&packed)
	var err error
	if file != nil {
		var part io.Writer
		if part, err = writer.CreateFormFile("image", "photo.jpg"); err == nil {
			_, err = part.Write(file)
		}
	}
	for name, value := range fields {
		if err == nil {
			err = writer.WriteField(name, value)
		}
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return packed.Bytes(), writer.FormDataContentType()
}

// imagePaths returns the addresses of the images of a public event by their identifiers.
func (s *system) imagePaths(t *testing.T, event string) map[string]string {
	t.Helper()
	answer, err := s.client.Get(t.Context(), "/api/event/"+event)
	var found struct {
		Data struct {
			Images []struct{ Identifier, Path string }
		}
	}
	if err == nil {
		err = json.Unmarshal(answer.Body, &found)
	}
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("event %s: %d %s, %v", event, answer.Status, answer.Body, err)
	}
	paths := map[string]string{}
	for _, image := range found.Data.Images {
		paths[image.Identifier] = image.Path
	}
	return paths
}

// imagePath waits until an image is public and returns its address.
func (s *system) imagePath(t *testing.T, event, identifier, uuid string) (path string) {
	t.Helper()
	await(t, "the upload is public", func() error {
		if path = s.imagePaths(t, event)[identifier]; !strings.Contains(path, uuid) {
			return fmt.Errorf("%s is %q", identifier, path)
		}
		return nil
	})
	return path
}

func (s *system) image(t *testing.T, address string, headers ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// wantImage asks twice, once for a variant that is drawn and once for one that is stored: it has a
// size, may be kept for good, and holds nothing of the camera.
func (s *system) wantImage(t *testing.T, address string, size image.Point) {
	t.Helper()
	for range 2 {
		response := s.image(t, address)
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(body))
		if err != nil || response.StatusCode != http.StatusOK || image.Pt(config.Width, config.Height) != size {
			t.Fatalf("%s: %s, %d × %d, %v", address, response.Status, config.Width, config.Height, err)
		}
		if got := response.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %s", address, got)
		}
		if bytes.Contains(body, []byte(imagingtest.Camera)) || bytes.Contains(body, []byte("Exif")) {
			t.Errorf("%s: EXIF survived", address)
		}
	}
}

// takeBack makes an event a draft again.
func (s *system) takeBack(t *testing.T, event string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSpace(string(s.export(t))), "\n") {
		if !strings.Contains(line, `"kind":"event"`) || !strings.Contains(line, `"uuid":"`+event+`"`) {
			continue
		}
		path := filepath.Join(t.TempDir(), "draft.jsonl")
		draft := strings.Replace(line, `"release_status":"released"`, `"release_status":"draft"`, 1)
		if err := os.WriteFile(path, []byte(draft+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.mustRun(t, stack.Admin, "import", path)
		return
	}
	t.Fatalf("the export lacks event %s", event)
}

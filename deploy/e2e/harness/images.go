package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/media/imaging/imagingtest"
)

// Admin sends a request to an admin operation, which must succeed.
func (s *System) Admin(t *testing.T, token, method, path, contentType string, body io.Reader) (answer string) {
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

// ImageForm returns a form with a file, nil for none, and further fields, and its type.
func ImageForm(t *testing.T, file []byte, fields map[string]string) (form []byte, contentType string) {
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

// ImagePaths returns the addresses of the images of a public event by their identifiers.
func (s *System) ImagePaths(t *testing.T, event string) map[string]string {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), "/api/event/"+event)
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

// ImagePath waits until an image is public and returns its address.
func (s *System) ImagePath(t *testing.T, event, identifier, uuid string) (path string) {
	t.Helper()
	Await(t, "the upload is public", func() error {
		if path = s.ImagePaths(t, event)[identifier]; !strings.Contains(path, uuid) {
			return fmt.Errorf("%s is %q", identifier, path)
		}
		return nil
	})
	return path
}

// Image requests an image; the test closes its body.
func (s *System) Image(t *testing.T, address string, headers ...string) *http.Response {
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

// WantImage asks twice, once for a variant that is drawn and once for one that is stored: it has a
// size, may be kept for good, and holds nothing of the camera.
func (s *System) WantImage(t *testing.T, address string, size image.Point) {
	t.Helper()
	for range 2 {
		response := s.Image(t, address) //nolint:bodyclose // closed when the test ends
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

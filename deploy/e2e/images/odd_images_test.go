package images

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/pkg/media/imaging/imagingtest"
)

// imagesOfEvent is how many images an event has at most.
const imagesOfEvent = 8

// TestOddImages: unusual images reach visitors upright and without metadata, whichever operation
// uploaded them, and leave with their events, even for clients that have them cached.
func TestOddImages(t *testing.T) {
	s := harness.Start(t)
	e := s.LogIn(t)
	var events []string
	var uploads []oddUpload
	for odds := range slices.Chunk(imagingtest.Odds(t), imagesOfEvent) {
		event := event(e, t)
		events = append(events, event)
		for i, odd := range odds {
			operation, identifier := "/teaser/image", "main"
			if i > 0 {
				operation, identifier = fmt.Sprintf("/image/%d", i+1), fmt.Sprintf("gallery_%d", i)
			}
			uuid := uploadImage(s, t, e.Token, "/event/"+event+operation, odd.File)
			uploads = append(uploads, oddUpload{odd, event, identifier, uuid})
		}
	}
	s.AwaitReady(t)
	const square = "?width=160&height=160"
	tags := map[string]string{}
	for _, odd := range uploads {
		address := s.ImagePath(t, odd.event, odd.identifier, odd.uuid)
		for _, query := range []string{"", "?type=png", "?type=webp"} {
			tags[address+query] = wantOdd(s, t, address+query, odd.Odd, odd.Size)
		}
		edge := min(odd.Size.X, odd.Size.Y)
		tags[address+square] = wantOdd(s, t, address+square, odd.Odd, image.Pt(edge, edge))
	}
	wantBareStore(s, t, 4*len(uploads)) // there is no WebP: JPEG or PNG again

	for _, event := range events {
		e.Write(t, http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "draft"}`)
	}
	s.AwaitReady(t)
	for address, tag := range tags {
		if answer := s.Image(t, address, "If-None-Match", tag); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s of a draft: %s", address, answer.Status)
		}
	}
}

// oddUpload is an unusual image that is stored.
type oddUpload struct {
	imagingtest.Odd
	event, identifier, uuid string
}

// event adds an organization with a released event.
func event(o harness.Editor, t *testing.T) (uuid string) {
	t.Helper()
	org := o.Write(t, http.MethodPut, "/organization", `{"name": "Kulturhaus"}`)
	event := o.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "title": "Bilder", "online_link": "https://example.org",
		"release_status": "released", "dates": [{"start_date": "2036-01-01", "start_time": "20:00"}]}`, org["uuid"]))
	return fmt.Sprint(event["uuid"])
}

// wantOdd checks what visitors get at an address, and returns its tag.
func wantOdd(s *harness.System, t *testing.T, address string, odd imagingtest.Odd, size image.Point) (tag string) {
	t.Helper()
	response := s.Image(t, address)
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	shown, _, err := image.Decode(bytes.NewReader(body))
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s (%s): %s, %v", odd.Name, address, response.Status, err)
	}
	imagingtest.WantBare(t, odd.Name, body)
	if shown.Bounds().Size() != size {
		t.Errorf("%s (%s) is %v, want %v", odd.Name, address, shown.Bounds(), size)
	}
	if odd.Corners {
		imagingtest.WantCorners(t, odd.Name, shown, imagingtest.Upright)
	}
	return response.Header.Get("ETag")
}

// wantBareStore checks every file of the blob store, which are so many: originals and variants.
func wantBareStore(s *harness.System, t *testing.T, want int) {
	t.Helper()
	files := storedPictures(s, t)
	if len(files) != want {
		t.Errorf("the store keeps %d files, want %d", len(files), want)
	}
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		imagingtest.WantBare(t, path, file)
	}
}

// storedPictures returns the paths of all files in the blob store.
func storedPictures(s *harness.System, t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(filepath.Dir(s.LogFolder()), "pictures"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

package api_test

import (
	"bytes"
	"fmt"
	"image"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"litfass/pkg/media/imaging/imagingtest"
)

// uploadTeaser stores a file as the main image by the operation of its own.
func (g gallery) uploadTeaser(t *testing.T, file []byte) answer {
	t.Helper()
	body, kind := imageForm(t, file)
	return g.send(t, http.MethodPost, admin+g.path+"/teaser/image", body,
		"Authorization", "Bearer "+g.people["owner"].access, "Content-Type", kind)
}

// TestHostileImages uploads files that are no images, and images that must not be decoded.
func TestHostileImages(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	files := imagingtest.Refused(t)
	files["too many bytes"] = append(avatarFile(t), make([]byte, 5<<20)...)
	for name, file := range files {
		for operation, a := range map[string]answer{"image": g.upload(t, 1, file), "teaser": g.uploadTeaser(t, file)} {
			if a.status != http.StatusBadRequest && a.status != http.StatusRequestEntityTooLarge || a.fields() != "image" {
				t.Errorf("%s as %s: %d %.300s", name, operation, a.status, a.raw)
			}
		}
	}
	if got := g.kept(t); len(got) != 0 {
		t.Errorf("the store keeps %v", got)
	}
}

// TestUnsupportedImagesAreNamed: senders of images that other programs show learn why they are
// refused.
func TestUnsupportedImagesAreNamed(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	g.upload(t, 1, imagingtest.AnimatedWebP(30, 20)).want(t, "animated WebP", http.StatusBadRequest, "image_animated")
	for _, brand := range []string{"heic", "mif1", "avif"} {
		file := []byte("\x00\x00\x00\x1cftyp" + brand + "\x00\x00\x00\x00mif1heic")
		g.upload(t, 1, file).want(t, brand, http.StatusBadRequest, "image_heic")
	}
}

// TestOddImages uploads images of unusual kinds, under the name of a program: each is stored
// upright, as a JPEG or PNG without a byte of its metadata.
func TestOddImages(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	for _, odd := range imagingtest.Odds(t) {
		for operation, a := range map[string]answer{"image": g.upload(t, 1, odd.File), "teaser": g.uploadTeaser(t, odd.File)} {
			if a.status >= 300 || a.body["width"] != float64(odd.Size.X) || a.body["height"] != float64(odd.Size.Y) {
				t.Errorf("%s as %s: %d %.300s", odd.Name, operation, a.status, a.raw)
			}
		}
		g.wantStored(t, odd)
	}
}

// wantStored checks the one file that the store keeps.
func (g gallery) wantStored(t *testing.T, odd imagingtest.Odd) {
	t.Helper()
	meta := g.meta(t, 1)
	key := fmt.Sprintf("event/%s/original", meta.body["uuid"])
	if got := g.kept(t); !slices.Equal(got, []string{key}) {
		t.Fatalf("%s: the store keeps %v, not %s", odd.Name, got, key)
	}
	stored, err := os.ReadFile(filepath.Join(g.pictures, filepath.FromSlash(key)))
	if err != nil {
		t.Fatal(err)
	}
	imagingtest.WantBare(t, odd.Name, stored)
	decoded, format, err := image.Decode(bytes.NewReader(stored))
	if err != nil || "image/"+format != meta.body["mime_type"] || decoded.Bounds().Size() != odd.Size {
		t.Fatalf("%s: stored as %s, %v", odd.Name, format, err)
	}
	if odd.Corners {
		imagingtest.WantCorners(t, odd.Name, decoded, imagingtest.Upright)
	}
}

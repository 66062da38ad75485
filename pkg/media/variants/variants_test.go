package variants_test

import (
	"bytes"
	"context"
	"image"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
	"litfass/pkg/media/variants"
)

// gallery is a store with the original of one image.
type gallery struct {
	*variants.Service
	folder string
	image  variants.Image
}

func newGallery(t *testing.T, hotBytes int) gallery {
	t.Helper()
	g := gallery{folder: t.TempDir(), image: variants.Image{UUID: "1", MimeType: "image/jpeg", Width: 1200, Height: 800}}
	blobs, err := blob.Open(t.Context(), "file://"+filepath.ToSlash(g.folder))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	file := imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0)
	if err := blobs.Put(t.Context(), blob.OriginalKey("1"), "image/jpeg", file); err != nil {
		t.Fatal(err)
	}
	g.Service = variants.New(variants.Options{Blobs: blobs, Budget: imaging.NewBudget(64 << 20), HotBytes: hotBytes})
	return g
}

func (g gallery) shape(width int) variants.Variant {
	return variants.Of(g.image, imaging.Variant{Width: width, Fit: imaging.Contain, Type: imaging.JPEG, Quality: 80})
}

// read returns the bytes of an image, which must be so many and, if streamed, not in memory.
func read(t *testing.T, opened variants.Content, streamed bool) []byte {
	t.Helper()
	data := opened.Bytes
	if opened.Stream != nil {
		var err error
		if data, err = io.ReadAll(opened.Stream); err != nil || opened.Stream.Close() != nil {
			t.Error(err)
		}
	}
	if len(data) != opened.Size || (opened.Stream != nil) != streamed {
		t.Errorf("%d bytes of %d, streamed %t", len(data), opened.Size, opened.Stream != nil)
	}
	return data
}

// TestVariantsAreDrawnOnce: the first who asks has a variant drawn, and the store keeps it.
func TestVariantsAreDrawnOnce(t *testing.T) {
	for _, hotBytes := range []int{0, 1 << 20} {
		g := newGallery(t, hotBytes)
		var asking sync.WaitGroup
		for range 20 {
			asking.Go(func() {
				opened, err := g.Open(t.Context(), g.shape(320))
				if err != nil {
					t.Error(err)
					return
				}
				config, _, err := image.DecodeConfig(bytes.NewReader(read(t, opened, hotBytes == 0)))
				if err != nil || config.Width != 320 || config.Height != 213 {
					t.Errorf("%+v, %v", config, err)
				}
			})
		}
		asking.Wait()
		stored, err := filepath.Glob(filepath.Join(g.folder, "event", "1", "*", "*"))
		if err != nil || len(stored) != 1 {
			t.Fatalf("the store keeps %v, %v", stored, err)
		}
		if err := os.WriteFile(stored[0], []byte("as it is stored"), 0o600); err != nil {
			t.Fatal(err)
		}
		opened, err := g.Open(t.Context(), g.shape(320))
		if err != nil {
			t.Fatal(err)
		}
		if data := read(t, opened, hotBytes == 0); (string(data) == "as it is stored") != (hotBytes == 0) {
			t.Errorf("with %d bytes of memory it has %d bytes", hotBytes, len(data))
		}
	}
}

func TestVariantsThatCannotBeOpened(t *testing.T) {
	g := newGallery(t, 0)
	unknown := g.image
	unknown.UUID = "2"
	ended, end := context.WithCancel(t.Context())
	end()
	smaller := g.image
	smaller.Width, smaller.Height = 100, 100
	larger := g.image
	larger.Width, larger.Height = 100_000, 100_000
	for name, test := range map[string]struct {
		service *variants.Service
		ctx     context.Context
		image   variants.Image
		width   int // of a variant that no other case has drawn
		want    fault.Kind
	}{
		"no original":                      {g.Service, t.Context(), unknown, 160, fault.NotFound},
		"no store":                         {variants.New(variants.Options{}), t.Context(), g.image, 160, fault.Unavailable},
		"a request that has ended":         {g.Service, ended, g.image, 320, fault.Unavailable},
		"an original that is larger":       {g.Service, t.Context(), smaller, 480, fault.Internal},
		"a size that no original can have": {g.Service, t.Context(), larger, 640, fault.Internal},
	} {
		shape := imaging.Variant{Width: test.width, Fit: imaging.Contain, Type: imaging.JPEG, Quality: 80}
		if _, err := test.service.Open(test.ctx, variants.Of(test.image, shape)); err == nil || fault.Of(err).Kind != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := g.Open(t.Context(), g.shape(320)); err != nil { // ends when the drawing of the one that has ended does
		t.Error(err)
	}
}

package images

import (
	"testing"

	"litfass/pkg/contracts/document"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/variants"
)

// TestImagesAreKeptWhole: each size, focus point and type is drawn by as the index has it.
func TestImagesAreKeptWhole(t *testing.T) {
	const uuid = "01920000-0000-7000-8000-0000000000f1"
	shape := imaging.Variant{Width: 480, Fit: imaging.Contain, Type: imaging.JPEG, Quality: 80}
	const middle = 0.5
	for _, kind := range []string{"image/jpeg", "image/png"} {
		for n := range 101 {
			x, y := float64(n)/100, 1-float64(n)/100
			found := document.Image{UUID: uuid, MimeType: kind, Width: 1 + 20*n, Height: 2048 - n, FocusX: &x, FocusY: &y}
			kept := unpack(uuid, pack(found))
			got := variants.Of(kept, shape)
			want := variants.Of(variants.Image{
				UUID: uuid, MimeType: kind, Width: found.Width, Height: found.Height, FocusX: &x, FocusY: &y,
			}, shape)
			if got.Tag != want.Tag || got.Version != want.Version || kept.MimeType != kind ||
				kept.Width != found.Width || kept.Height != found.Height {
				t.Fatalf("%v becomes %v", found, kept)
			}
		}
	}
	kept := unpack(uuid, pack(document.Image{UUID: uuid, MimeType: "image/png", Width: 1, Height: 1}))
	if *kept.FocusX != middle || *kept.FocusY != middle {
		t.Errorf("without a focus point %v, %v", *kept.FocusX, *kept.FocusY)
	}
}

package picture_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/picture"
	"litfass/pkg/media/picture/picturetest"
)

// ingested returns a picture as an original, and what it is when it is read.
func ingested(t *testing.T, source image.Image) (picture.Original, []byte) {
	t.Helper()
	kept, err := picture.Ingest(t.Context(), picture.NewBudget(picture.DefaultBudget), picturetest.PNG(t, source))
	if err != nil {
		t.Fatal(err)
	}
	return picture.Original{
		Size: kept.Size, Bytes: int64(len(kept.Data)), Read: func(context.Context) ([]byte, error) { return kept.Data, nil },
	}, kept.Data
}

// TestDrawOriginal: every variant of an original is drawn, and is that of its file.
func TestDrawOriginal(t *testing.T) {
	budget := picture.NewBudget(picture.DefaultBudget)
	transparent := image.NewNRGBA(image.Rect(0, 0, 2048, 31))
	for _, source := range []image.Image{
		picturetest.Corners(1200, 800), picturetest.Corners(2048, 2048), picturetest.Corners(1, 1), picturetest.Corners(3, 2000), transparent,
	} {
		original, file := ingested(t, source)
		for _, variant := range []picture.Variant{
			{Width: 160, Fit: picture.Contain, Type: picture.JPEG, Quality: 80}, {Width: 1920, Fit: picture.Contain, Type: picture.PNG},
			{Width: 1920, Height: 1920, Fit: picture.Cover, Type: picture.Auto, Quality: 60},
		} {
			got, err := picture.DrawOriginal(t.Context(), budget, original, picture.Centre, variant)
			if err != nil {
				t.Errorf("%v as %+v: %v", original.Size, variant, err)
			}
			want, err := picture.Draw(t.Context(), budget, file, picture.Centre, variant)
			if err != nil || got.Size != want.Size || got.Type != want.Type || !bytes.Equal(got.Data, want.Data) {
				t.Errorf("%v as %+v: %v of %v, not %v of %v, %v", original.Size, variant, got.Type, got.Size, want.Type, want.Size, err)
			}
		}
	}
}

// TestOriginalsAreReadWithinTheBudget: no byte of one is read before there is memory for it, and
// none of one that is not what it is said to be is decoded.
func TestOriginalsAreReadWithinTheBudget(t *testing.T) {
	variant := picture.Variant{Width: 160, Fit: picture.Contain, Type: picture.JPEG, Quality: 80}
	original, file := ingested(t, picturetest.Corners(1000, 1000))
	whole := 6*int64(1016*1016) + original.Bytes // and the work
	unread := original
	unread.Read = func(context.Context) ([]byte, error) {
		t.Error("it is read")
		return nil, nil
	}
	if _, err := picture.DrawOriginal(t.Context(), picture.NewBudget(whole), unread, picture.Centre, variant); !fault.Is(err, fault.TooLarge) {
		t.Errorf("with too small a budget: %v", err)
	}

	budget := picture.NewBudget(2 * whole)
	ended, end := context.WithCancel(t.Context())
	first := original
	first.Read = func(context.Context) ([]byte, error) {
		end()
		if _, err := picture.DrawOriginal(ended, budget, unread, picture.Centre, variant); !fault.Is(err, fault.Unavailable) {
			t.Errorf("while another one is drawn: %v", err)
		}
		return file, nil
	}
	if _, err := picture.DrawOriginal(t.Context(), budget, first, picture.Centre, variant); err != nil {
		t.Error(err)
	}

	lost := errors.New("lost")
	unread.Read = func(context.Context) ([]byte, error) { return nil, lost }
	if _, err := picture.DrawOriginal(t.Context(), budget, unread, picture.Centre, variant); !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
	smaller := original
	smaller.Size = image.Pt(50, 50)
	if _, err := picture.DrawOriginal(t.Context(), budget, smaller, picture.Centre, variant); err == nil {
		t.Error("a larger picture than was reserved for is decoded")
	}
	if _, err := picture.DrawOriginal(t.Context(), budget, original, picture.Centre, variant); err != nil {
		t.Errorf("once the memory is free again: %v", err)
	}
}

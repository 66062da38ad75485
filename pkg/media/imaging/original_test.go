package imaging_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
)

// ingested returns an image as an original, and the bytes of its file.
func ingested(t *testing.T, source image.Image) (imaging.Original, []byte) {
	t.Helper()
	kept, err := imaging.Ingest(t.Context(), imaging.NewBudget(imaging.DefaultBudget), imagingtest.PNG(t, source))
	if err != nil {
		t.Fatal(err)
	}
	return imaging.Original{
		Size: kept.Size, Bytes: int64(len(kept.Data)), Read: func(context.Context) ([]byte, error) { return kept.Data, nil },
	}, kept.Data
}

// TestDrawOriginal: every variant of an original is drawn, and is that of its file.
func TestDrawOriginal(t *testing.T) {
	budget := imaging.NewBudget(imaging.DefaultBudget)
	transparent := image.NewNRGBA(image.Rect(0, 0, 2048, 31))
	for _, source := range []image.Image{
		imagingtest.Corners(1200, 800), imagingtest.Corners(2048, 2048), imagingtest.Corners(1, 1), imagingtest.Corners(3, 2000), transparent,
	} {
		original, file := ingested(t, source)
		for _, variant := range []imaging.Variant{
			{Width: 160, Fit: imaging.Contain, Type: imaging.JPEG, Quality: 80}, {Width: 1920, Fit: imaging.Contain, Type: imaging.PNG},
			{Width: 1920, Height: 1920, Fit: imaging.Cover, Type: imaging.Auto, Quality: 60},
		} {
			got, err := imaging.DrawOriginal(t.Context(), budget, original, imaging.Centre, variant)
			if err != nil {
				t.Errorf("%v as %+v: %v", original.Size, variant, err)
			}
			want, err := imaging.Draw(t.Context(), budget, file, imaging.Centre, variant)
			if err != nil || got.Size != want.Size || got.Type != want.Type || !bytes.Equal(got.Data, want.Data) {
				t.Errorf("%v as %+v: %v of %v, not %v of %v, %v", original.Size, variant, got.Type, got.Size, want.Type, want.Size, err)
			}
		}
	}
}

// TestOriginalsAreReadWithinTheBudget: no byte of an original is read before there is memory for
// it, and none of a file that is not of its declared size is decoded.
func TestOriginalsAreReadWithinTheBudget(t *testing.T) {
	variant := imaging.Variant{Width: 160, Fit: imaging.Contain, Type: imaging.JPEG, Quality: 80}
	original, file := ingested(t, imagingtest.Corners(1000, 1000))
	whole := 6*int64(1016*1016) + original.Bytes // and the work
	unread := original
	unread.Read = func(context.Context) ([]byte, error) {
		t.Error("it is read")
		return nil, nil
	}
	if _, err := imaging.DrawOriginal(t.Context(), imaging.NewBudget(whole), unread, imaging.Centre, variant); !fault.Is(err, fault.TooLarge) {
		t.Errorf("with too small a budget: %v", err)
	}

	budget := imaging.NewBudget(2 * whole)
	ended, end := context.WithCancel(t.Context())
	first := original
	first.Read = func(context.Context) ([]byte, error) {
		end()
		if _, err := imaging.DrawOriginal(ended, budget, unread, imaging.Centre, variant); !fault.Is(err, fault.Unavailable) {
			t.Errorf("while another one is drawn: %v", err)
		}
		return file, nil
	}
	if _, err := imaging.DrawOriginal(t.Context(), budget, first, imaging.Centre, variant); err != nil {
		t.Error(err)
	}

	lost := errors.New("lost")
	unread.Read = func(context.Context) ([]byte, error) { return nil, lost }
	if _, err := imaging.DrawOriginal(t.Context(), budget, unread, imaging.Centre, variant); !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
	smaller := original
	smaller.Size = image.Pt(50, 50)
	if _, err := imaging.DrawOriginal(t.Context(), budget, smaller, imaging.Centre, variant); err == nil {
		t.Error("a larger image than was reserved for is decoded")
	}
	if _, err := imaging.DrawOriginal(t.Context(), budget, original, imaging.Centre, variant); err != nil {
		t.Errorf("once the memory is free again: %v", err)
	}
}

package poster_test

import (
	"bytes"
	"crypto/sha256"
	"image/jpeg"
	"strconv"
	"testing"

	"litfass/services/admin/internal/app/demo/poster"
)

func draw(t testing.TB, seed string) poster.Poster {
	t.Helper()
	drawn, err := poster.Draw(seed)
	if err != nil {
		t.Fatal(err)
	}
	return drawn
}

func TestDrawIsTheSameEveryTime(t *testing.T) {
	for _, seed := range []string{"", "event 1", "event 2"} {
		if first, second := draw(t, seed), draw(t, seed); !bytes.Equal(first.JPEG, second.JPEG) || first.FocusX != second.FocusX {
			t.Errorf("%q: two pictures", seed)
		}
	}
}

func TestPostersDiffer(t *testing.T) {
	pictures, sizes := map[[32]byte]bool{}, map[[2]int]bool{}
	const posters = 24
	for i := range posters {
		drawn := draw(t, strconv.Itoa(i))
		decoded, err := jpeg.DecodeConfig(bytes.NewReader(drawn.JPEG))
		if err != nil || decoded.Width != drawn.Width || decoded.Height != drawn.Height {
			t.Fatalf("%d: %d × %d, %v", i, decoded.Width, decoded.Height, err)
		}
		if len(drawn.JPEG) > 120<<10 {
			t.Errorf("%d: %d bytes", i, len(drawn.JPEG))
		}
		if min(drawn.FocusX, drawn.FocusY) < 0.2 || max(drawn.FocusX, drawn.FocusY) > 0.8 {
			t.Errorf("%d: the focus is at %v, %v", i, drawn.FocusX, drawn.FocusY)
		}
		pictures[sha256.Sum256(drawn.JPEG)] = true
		sizes[[2]int{drawn.Width, drawn.Height}] = true
	}
	if len(pictures) != posters || len(sizes) != 6 {
		t.Errorf("%d pictures in %d sizes", len(pictures), len(sizes))
	}
}

func BenchmarkDraw(b *testing.B) {
	size := 0
	for i := 0; b.Loop(); i++ {
		size += len(draw(b, strconv.Itoa(i)).JPEG)
	}
	b.ReportMetric(float64(size)/float64(b.N), "bytes/poster")
}

package poster_test

import (
	"bytes"
	"crypto/sha256"
	"image/jpeg"
	"strconv"
	"testing"

	"litfass/services/admin/internal/app/demo/poster"
)

func draw(t testing.TB, composed poster.Poster) []byte {
	t.Helper()
	file, err := composed.Draw()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDrawIsTheSameEveryTime(t *testing.T) {
	for _, seed := range []string{"", "event 1", "event 2"} {
		first, second := poster.Compose(seed), poster.Compose(seed)
		if !bytes.Equal(draw(t, first), draw(t, second)) || first.FocusX != second.FocusX {
			t.Errorf("%q: two pictures", seed)
		}
	}
}

func TestPostersDiffer(t *testing.T) {
	pictures, sizes := map[[32]byte]bool{}, map[[2]int]bool{}
	const posters = 24
	for i := range posters {
		composed := poster.Compose(strconv.Itoa(i))
		file := draw(t, composed)
		decoded, err := jpeg.DecodeConfig(bytes.NewReader(file))
		if err != nil || decoded.Width != composed.Width || decoded.Height != composed.Height {
			t.Fatalf("%d: %d × %d, %v", i, decoded.Width, decoded.Height, err)
		}
		if len(file) > 120<<10 {
			t.Errorf("%d: %d bytes", i, len(file))
		}
		if min(composed.FocusX, composed.FocusY) < 0.2 || max(composed.FocusX, composed.FocusY) > 0.8 {
			t.Errorf("%d: the focus is at %v, %v", i, composed.FocusX, composed.FocusY)
		}
		pictures[sha256.Sum256(file)] = true
		sizes[[2]int{composed.Width, composed.Height}] = true
	}
	if len(pictures) != posters || len(sizes) != 6 {
		t.Errorf("%d pictures in %d sizes", len(pictures), len(sizes))
	}
}

func BenchmarkDraw(b *testing.B) {
	size := 0
	for i := 0; b.Loop(); i++ {
		size += len(draw(b, poster.Compose(strconv.Itoa(i))))
	}
	b.ReportMetric(float64(size)/float64(b.N), "bytes/poster")
}

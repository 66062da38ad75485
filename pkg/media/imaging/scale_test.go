package imaging_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"golang.org/x/image/draw"

	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
)

// waves is an image in which every band of the scaler would show its edges.
func waves(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	wave := func(x, period float64) uint8 { return uint8(127 + 120*math.Sin(x*2*math.Pi/period)) }
	for y := range height {
		for x := range width {
			fx, fy := float64(x), float64(y)
			picture.SetRGBA(x, y, color.RGBA{wave(fx, 17), wave(fy, 23), wave(fx+fy, 41), 255})
		}
	}
	return picture
}

// TestScaleIsThatOfTheLibrary: scaling by bands, one direction after the other, gives the same
// image as scaling at once.
func TestScaleIsThatOfTheLibrary(t *testing.T) {
	for _, test := range []struct{ from, to image.Point }{
		{image.Pt(300, 200), image.Pt(200, 133)}, {image.Pt(97, 131), image.Pt(96, 70)}, {image.Pt(64, 64), image.Pt(64, 64)},
		{image.Pt(50, 40), image.Pt(120, 100)}, {image.Pt(33, 1), image.Pt(20, 1)},
	} {
		source := waves(test.from.X, test.from.Y)
		want := image.NewRGBA(image.Rectangle{Max: test.to})
		draw.CatmullRom.Scale(want, want.Bounds(), source, source.Bounds(), draw.Src, nil)
		got := imaging.Scale(source, source.Bounds(), test.to)
		if got.Bounds() != want.Bounds() {
			t.Fatalf("%v to %v: %v", test.from, test.to, got.Bounds())
		}
		for i := range want.Pix {
			if difference := int(want.Pix[i]) - int(got.Pix[i]); difference < -2 || difference > 2 {
				t.Fatalf("%v to %v: %d instead of %d at %d", test.from, test.to, got.Pix[i], want.Pix[i], i)
			}
		}
	}
}

// TestScaleFar scales by more than two, where whole pixels are averaged first.
func TestScaleFar(t *testing.T) {
	for _, size := range []image.Point{{X: 320, Y: 200}, {X: 64, Y: 40}, {X: 7, Y: 4}, {X: 1, Y: 1}} {
		got := imaging.Scale(imagingtest.Corners(1600, 1000), image.Rect(0, 0, 1600, 1000), size)
		if got.Bounds().Size() != size {
			t.Fatalf("%v instead of %v", got.Bounds(), size)
		}
		if size.X > 1 {
			imagingtest.WantCorners(t, "far", got, imagingtest.Upright)
		}
	}
	right := imaging.Scale(imagingtest.Corners(1600, 1000), image.Rect(800, 0, 1600, 1000), image.Pt(80, 100))
	imagingtest.WantCorners(t, "right half", right, [4]color.RGBA{
		imagingtest.Green, imagingtest.Green, imagingtest.Yellow, imagingtest.Yellow,
	})
}

// TestScaleKeepsTransparency: invisible pixels do not tint visible ones.
func TestScaleKeepsTransparency(t *testing.T) {
	source := image.NewNRGBA(image.Rect(0, 0, 400, 400))
	for i := 0; i < len(source.Pix); i += 4 {
		copy(source.Pix[i:], []uint8{255, 0, 0, 0}) // red, and invisible
		if i/4%400 >= 200 {
			copy(source.Pix[i:], []uint8{0, 0, 255, 255})
		}
	}
	got := imaging.Scale(source, source.Bounds(), image.Pt(50, 50))
	for i := 0; i < len(got.Pix); i += 4 {
		if got.Pix[i] != 0 {
			t.Fatalf("red %d at %d", got.Pix[i], i)
		}
	}
}

func BenchmarkScale(b *testing.B) {
	decoded := image.NewYCbCr(image.Rect(0, 0, 4032, 3024), image.YCbCrSubsampleRatio420)
	for b.Loop() {
		imaging.Scale(decoded, decoded.Bounds(), image.Pt(2048, 1536))
	}
}

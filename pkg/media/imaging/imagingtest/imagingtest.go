// Package imagingtest makes image files for tests: honest ones, and ones that claim, hide and
// exaggerate.
package imagingtest

import (
	"bytes"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// The colours of Corners.
var (
	Red    = color.RGBA{200, 30, 30, 255}
	Green  = color.RGBA{30, 160, 30, 255}
	Blue   = color.RGBA{30, 30, 200, 255}
	Yellow = color.RGBA{220, 210, 40, 255}
)

// Upright is how Corners looks.
var Upright = [4]color.RGBA{Red, Green, Blue, Yellow}

// Corners returns an image whose quarters are red, green, blue and yellow: top left, top right,
// bottom left, bottom right.
func Corners(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetRGBA(x, y, Upright[x*2/width+y*2/height*2])
		}
	}
	return img
}

// Stored returns the image as a camera held in this EXIF orientation stores it.
func Stored(upright *image.RGBA, orientation int) *image.RGBA {
	width, height := upright.Bounds().Dx(), upright.Bounds().Dy()
	if orientation >= 5 {
		width, height = height, width
	}
	turned := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			// Where the stored pixel is seen, by the table of the EXIF standard: which edge is row
			// 0, which is column 0.
			seen := map[int]image.Point{
				1: {x, y}, 2: {width - 1 - x, y}, 3: {width - 1 - x, height - 1 - y}, 4: {x, height - 1 - y},
				5: {y, x}, 6: {height - 1 - y, x}, 7: {height - 1 - y, width - 1 - x}, 8: {y, width - 1 - x},
			}[orientation]
			turned.SetRGBA(x, y, upright.RGBAAt(seen.X, seen.Y))
		}
	}
	return turned
}

// JPEG returns the image as a file with this EXIF orientation, a place and a camera; without any
// EXIF for 0.
func JPEG(t testing.TB, img image.Image, orientation int) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	if orientation == 0 {
		return file.Bytes()
	}
	return WithSegment(file.Bytes(), 0xe1, append([]byte("Exif\x00\x00"), EXIF(orientation)...))
}

// PNG returns the image as a file.
func PNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// GIF returns an animation.
func GIF(t testing.TB, frames ...image.Image) []byte {
	t.Helper()
	animation := &gif.GIF{}
	for _, frame := range frames {
		paletted := image.NewPaletted(frame.Bounds(), palette.Plan9)
		for y := range frame.Bounds().Dy() {
			for x := range frame.Bounds().Dx() {
				paletted.Set(x, y, frame.At(x, y))
			}
		}
		animation.Image = append(animation.Image, paletted)
		animation.Delay = append(animation.Delay, 1)
	}
	var file bytes.Buffer
	if err := gif.EncodeAll(&file, animation); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// WantCorners fails the test unless the quarters of the image have these colours, as far as a
// lossy format keeps them.
func WantCorners(t testing.TB, what string, img image.Image, want [4]color.RGBA) {
	t.Helper()
	bounds := img.Bounds()
	for i, colour := range want {
		at := bounds.Min.Add(image.Pt(bounds.Dx()/4+i%2*bounds.Dx()/2, bounds.Dy()/4+i/2*bounds.Dy()/2))
		if got := img.At(at.X, at.Y); !near(got, colour) {
			t.Errorf("%s: %v at %v, want %v", what, got, at, colour)
		}
	}
}

// near reports whether two colours look the same.
func near(a, b color.Color) bool {
	r1, g1, b1, a1 := a.RGBA()
	r2, g2, b2, a2 := b.RGBA()
	for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}, {a1, a2}} {
		if max(pair[0], pair[1])-min(pair[0], pair[1]) > 0x2000 {
			return false
		}
	}
	return true
}

package avatar

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

var (
	red    = color.RGBA{200, 30, 30, 255}
	green  = color.RGBA{30, 160, 30, 255}
	blue   = color.RGBA{30, 30, 200, 255}
	yellow = color.RGBA{220, 210, 40, 255}
)

// corners returns a picture whose quarters are red, green, blue and yellow: top left, top right, bottom left, bottom right.
func corners(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			colour := []color.RGBA{red, green, blue, yellow}[x*2/width+y*2/height*2]
			picture.SetRGBA(x, y, colour)
		}
	}
	return picture
}

// stored returns the picture as a camera held in this orientation stores it: turning it by the EXIF rule gives it back.
func stored(upright *image.RGBA, orientation int) *image.RGBA {
	width, height := upright.Bounds().Dx(), upright.Bounds().Dy()
	if orientation >= 5 {
		width, height = height, width
	}
	turned := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			// Where the stored pixel is seen, by the table of the EXIF standard: which edge is row 0, which is column 0.
			seen := map[int]image.Point{
				1: {x, y}, 2: {width - 1 - x, y}, 3: {width - 1 - x, height - 1 - y}, 4: {x, height - 1 - y},
				5: {y, x}, 6: {height - 1 - y, x}, 7: {height - 1 - y, width - 1 - x}, 8: {y, width - 1 - x},
			}[orientation]
			turned.SetRGBA(x, y, upright.RGBAAt(seen.X, seen.Y))
		}
	}
	return turned
}

// exif returns the TIFF structure with an orientation, and a place and a camera that must not survive.
func exif(orientation int) []byte {
	const camera = "Secret Camera 3000\x00"
	var tiff bytes.Buffer
	tiff.WriteString("II*\x00\x08\x00\x00\x00")
	entry := func(tag, kind uint16, count, value uint32) {
		_ = binary.Write(&tiff, binary.LittleEndian, []uint16{tag, kind})
		_ = binary.Write(&tiff, binary.LittleEndian, []uint32{count, value})
	}
	_ = binary.Write(&tiff, binary.LittleEndian, uint16(2))
	entry(0x010f, 2, uint32(len(camera)), 8+2+2*12+4)
	entry(0x0112, 3, 1, uint32(orientation))
	_ = binary.Write(&tiff, binary.LittleEndian, uint32(0))
	tiff.WriteString(camera)
	return tiff.Bytes()
}

func asJPEG(t testing.TB, picture image.Image, orientation int) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, picture, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	if orientation == 0 {
		return file.Bytes()
	}
	payload := append([]byte("Exif\x00\x00"), exif(orientation)...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(payload)+2))
	return append(append(bytes.Clone(file.Bytes()[:2]), append(segment, payload...)...), file.Bytes()[2:]...)
}

func asPNG(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func asGIF(t testing.TB, frames ...image.Image) []byte {
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

// pngHeader returns the beginning of a PNG file that claims any size: a bomb, as far as its header goes.
func pngHeader(width, height uint32, depth, colour, interlace byte) []byte {
	header := []byte("IHDR")
	header = binary.BigEndian.AppendUint32(header, width)
	header = binary.BigEndian.AppendUint32(header, height)
	header = append(header, depth, colour, 0, 0, interlace)
	file := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	file = append(file, header...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(header))
}

// jpegHeader returns a JPEG file that claims any size and kind of frame, and ends where its data should begin.
func jpegHeader(frame byte, width, height uint16, components byte) []byte {
	file := []byte{0xff, 0xd8, 0xff, frame}
	file = binary.BigEndian.AppendUint16(file, 8+3*uint16(components))
	file = append(file, 8)
	file = binary.BigEndian.AppendUint16(file, height)
	file = binary.BigEndian.AppendUint16(file, width)
	file = append(file, components)
	for i := range components {
		file = append(file, i+1, 0x11, 0)
	}
	return append(file, 0xff, 0xda, 0, 8) // a scan begins, and is not there
}

// near reports whether two colours look the same, for a lossy format.
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

// wantCorners checks the quarters of a stored picture.
func wantCorners(t testing.TB, what string, file []byte, want [4]color.RGBA) {
	t.Helper()
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	wantCornersOf(t, what, picture, want)
}

func wantCornersOf(t testing.TB, what string, picture image.Image, want [4]color.RGBA) {
	t.Helper()
	edge := picture.Bounds().Dx()
	if picture.Bounds().Dy() != edge {
		t.Errorf("%s: %v is no square", what, picture.Bounds())
	}
	for i, colour := range want {
		at := image.Pt(edge/4+i%2*edge/2, edge/4+i/2*edge/2)
		if got := picture.At(at.X, at.Y); !near(got, colour) {
			t.Errorf("%s: %v at %v, want %v", what, got, at, colour)
		}
	}
}

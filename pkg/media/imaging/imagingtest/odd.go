package imagingtest

import (
	"bytes"
	"fmt"
	"image"
	"testing"
)

// Odd is an unusual file that can be read.
type Odd struct {
	Name    string
	File    []byte
	Size    image.Point // of the upright image
	Corners bool        // it shows Corners; else one colour
}

// Odds returns files of every orientation, and with metadata, with several frames, with unusual
// colours, and with junk.
func Odds(t testing.TB) []Odd {
	t.Helper()
	return append(append(turned(t), tagged(t)...), append(animated(t), coloured(t)...)...)
}

var oddSize = image.Pt(120, 80)

// turned are files of every orientation, with a camera and a place.
func turned(t testing.TB) (odds []Odd) {
	t.Helper()
	corners := Corners(oddSize.X, oddSize.Y)
	for orientation := 1; orientation <= 8; orientation++ {
		file := JPEG(t, Stored(corners, orientation), orientation)
		odds = append(odds, Odd{fmt.Sprintf("JPEG with orientation %d", orientation), file, oddSize, true})
	}
	png := RawPNG{Width: 20, Height: 10, Depth: 8, Colour: Grey, Chunks: Chunk("eXIf", EXIF(6))}
	return append(odds,
		Odd{"PNG with orientation", png.Bytes(), image.Pt(10, 20), false},
		Odd{"WebP with orientation", TaggedWebP(20, 10, 8), image.Pt(10, 20), false},
	)
}

// tagged are files with metadata of other kinds, and with text after their ends.
func tagged(t testing.TB) []Odd {
	t.Helper()
	jpeg := JPEG(t, Corners(oddSize.X, oddSize.Y), 1)
	for marker, payload := range map[byte]string{
		0xe1: "http://ns.adobe.com/xap/1.0/\x00" + Camera, 0xe2: "ICC_PROFILE\x00\x01\x01" + Camera,
		0xed: "Photoshop 3.0\x00" + Camera, 0xfe: Camera,
	} {
		jpeg = WithSegment(jpeg, marker, []byte(payload))
	}
	png := RawPNG{Width: 20, Height: 10, Depth: 8, Colour: TrueAlpha}
	png.Chunks = append(Chunk("tEXt", []byte("Comment\x00"+Camera)), Chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+Camera))...)
	return []Odd{
		{"JPEG with everything", append(jpeg, Camera...), oddSize, true},
		{"PNG with texts", append(png.Bytes(), Camera...), image.Pt(20, 10), false},
	}
}

// animated are files with several frames, of which the first is shown.
func animated(t testing.TB) []Odd {
	t.Helper()
	first, second := Corners(oddSize.X, oddSize.Y), image.NewRGBA(image.Rectangle{Max: oddSize})
	return []Odd{
		{"animated GIF", GIF(t, first, second), oddSize, true},
		{"animated PNG", APNG(t, first, second), oddSize, true},
	}
}

// coloured are files with four colours, with 16 bits or one, and with junk before every marker.
func coloured(t testing.TB) []Odd {
	t.Helper()
	corners := Corners(oddSize.X, oddSize.Y)
	deep := image.NewNRGBA64(corners.Bounds())
	for y := range oddSize.Y {
		for x := range oddSize.X {
			deep.Set(x, y, corners.At(x, y))
		}
	}
	three, four := []byte{0x22, 0x11, 0x11}, []byte{0x22, 0x11, 0x11, 0x22}
	raw := func(frame byte, factors []byte, adobe int, before string) []byte {
		return RawJPEG{Frame: frame, Width: 30, Height: 20, Factors: factors, Adobe: adobe, Before: before}.Bytes()
	}
	const junk = "\xff\x00\x01junk\xff\x00\xff\xff\xff"
	size := image.Pt(30, 20)
	plain := JPEG(t, corners, 0)
	return []Odd{
		{"16 bits", PNG(t, deep), oddSize, true},
		{"16 bits, interlaced", RawPNG{Width: 30, Height: 20, Depth: 16, Colour: TrueAlpha, Interlaced: true}.Bytes(), size, false},
		{"1 bit", RawPNG{Width: 30, Height: 20, Depth: 1, Colour: Grey}.Bytes(), size, false},
		{"CMYK", raw(Baseline, four, 0, ""), size, false},
		{"YCCK, progressive", raw(Progressive, four, 2, ""), size, false},
		{"junk before every marker", raw(Baseline, three, -1, junk), size, false},
		{"junk before every marker, progressive", raw(Progressive, three, -1, junk), size, false},
		{"junk before the frame", bytes.ReplaceAll(plain, []byte("\xff\xc0\x00\x11"), []byte(junk+"\xff\xc0\x00\x11")), oddSize, true},
	}
}

// Refused returns files that cannot be read, or must not be.
func Refused(t testing.TB) map[string][]byte {
	t.Helper()
	jpeg, png, gif := JPEG(t, Corners(300, 200), 6), PNG(t, Corners(300, 200)), GIF(t, Corners(300, 200))
	damaged := bytes.Clone(png)
	copy(damaged[len(png)/2:], bytes.Repeat([]byte{7}, 50))
	huge := func(size image.Point) []byte {
		return RawPNG{Width: size.X, Height: size.Y, Depth: 8, Colour: TrueAlpha, Empty: true}.Bytes()
	}
	return map[string][]byte{
		"nothing": {}, "a page": []byte("<html><script>alert(1)</script>"), "a drawing": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"a document": []byte("%PDF-1.7\n"), "another format": []byte("II*\x00\x08\x00\x00\x00"),
		"truncated JPEG": jpeg[:len(jpeg)/2], "truncated PNG": png[:len(png)/2], "truncated GIF": gif[:len(gif)/2],
		"truncated WebP": RawWebP(300, 200)[:30], "damaged PNG": damaged, "no pixels": huge(image.Pt(0, 10)),
		"huge PNG": huge(image.Pt(100_000, 100_000)), "wide PNG": huge(image.Pt(1<<31-1, 1)), "huge WebP": RawWebP(16_000, 16_000),
		"huge GIF":         append([]byte("GIF89a\xff\xff\xff\xff\x80\x00\x00"), 0, 0, 0, 255, 255, 255),
		"huge progressive": RawJPEG{Frame: Progressive, Width: 5000, Height: 5000, Factors: []byte{0x11, 0x11, 0x11}, Adobe: -1}.Bytes(),
		"animated WebP":    AnimatedWebP(30, 20),
	}
}

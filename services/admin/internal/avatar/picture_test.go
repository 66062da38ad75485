package avatar

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"litfass/pkg/fault"
)

var upright = [4]color.RGBA{red, green, blue, yellow}

func TestReadEveryFormat(t *testing.T) {
	// A WebP file of 2 × 2 pixels, lossless: there is no encoder among our libraries.
	webpFile, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	square := corners(300, 300)
	for name, data := range map[string][]byte{
		"jpeg": asJPEG(t, square, 0), "png": asPNG(t, square), "gif": asGIF(t, square), "small": asPNG(t, corners(10, 10)),
		"large": asPNG(t, corners(2101, 2099)), "16 bits": asPNG(t, deep(square)), "webp": webpFile, "one pixel": asPNG(t, corners(1, 1)),
	} {
		square, err := read(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name != "webp" && name != "one pixel" {
			wantCornersOf(t, name, square, upright)
		}
	}
}

func TestDrawEverySize(t *testing.T) {
	picture, err := Draw(asJPEG(t, corners(300, 300), 0))
	if err != nil || picture.Type != "image/jpeg" {
		t.Fatalf("%s, %v", picture.Type, err)
	}
	for _, size := range Sizes {
		config, format, err := image.DecodeConfig(bytes.NewReader(picture.Sizes[size]))
		if err != nil || config.Width != size || config.Height != size || format != "jpeg" {
			t.Errorf("%d: %s of %d × %d, %v", size, format, config.Width, config.Height, err)
		}
		wantCorners(t, "JPEG", picture.Sizes[size], upright)
	}
}

func deep(square *image.RGBA) image.Image {
	deep := image.NewNRGBA64(square.Bounds())
	for y := range square.Bounds().Dy() {
		for x := range square.Bounds().Dx() {
			deep.Set(x, y, square.At(x, y))
		}
	}
	return deep
}

func TestReadTheMiddle(t *testing.T) {
	// Thirds of red, green and blue side by side, or one above the other: only the middle stays.
	wide, tall := image.NewRGBA(image.Rect(0, 0, 300, 100)), image.NewRGBA(image.Rect(0, 0, 100, 300))
	for long := range 300 {
		for short := range 100 {
			colour := []color.RGBA{red, green, blue}[long/100]
			wide.SetRGBA(long, short, colour)
			tall.SetRGBA(short, long, colour)
		}
	}
	for name, picture := range map[string]image.Image{"wide": wide, "tall": tall} {
		square, err := read(asPNG(t, picture))
		if err != nil {
			t.Fatal(err)
		}
		wantCornersOf(t, name, square, [4]color.RGBA{green, green, green, green})
	}
}

func TestReadUpright(t *testing.T) {
	for orientation := 1; orientation <= 8; orientation++ {
		for _, picture := range []*image.RGBA{corners(128, 128), corners(200, 128), corners(128, 200)} {
			square, err := read(asJPEG(t, stored(picture, orientation), orientation))
			if err != nil {
				t.Fatalf("orientation %d: %v", orientation, err)
			}
			wantCornersOf(t, "orientation "+strconv.Itoa(orientation), square, upright)
		}
	}
	for _, nonsense := range []int{9, 77, 65535} {
		square, err := read(asJPEG(t, corners(100, 100), nonsense))
		if err != nil {
			t.Fatal(err)
		}
		wantCornersOf(t, "an orientation that there is not", square, upright)
	}
}

func TestMetadataIsDropped(t *testing.T) {
	data := asJPEG(t, corners(100, 100), 6)
	drawn, err := Draw(data)
	if err != nil || !bytes.Contains(data, []byte("Secret Camera")) {
		t.Fatalf("the upload lacks what must not survive; %v", err)
	}
	for size, file := range drawn.Sizes {
		if bytes.Contains(file, []byte("Secret Camera")) || bytes.Contains(file, []byte("Exif")) {
			t.Errorf("size %d: EXIF survived", size)
		}
	}
}

func TestDamagedEXIFIsNoReasonToRefuse(t *testing.T) {
	whole := asJPEG(t, corners(100, 100), 6)
	source := rand.New(rand.NewPCG(1, 2))
	for range 3_000 {
		data := bytes.Clone(whole)
		for range 5 {
			data[12+source.IntN(50)] = byte(source.Uint32()) // inside the EXIF segment
		}
		if got := orientation(data, formats[0]); got < 1 || got > 8 {
			t.Fatalf("%x: orientation %d", data[:70], got)
		}
	}
	if _, err := Draw(append(bytes.Clone(whole[:14]), append([]byte("\xff\xff\xff\xff"), whole[18:]...)...)); err != nil {
		t.Errorf("a picture with damaged EXIF: %v", err)
	}
}

func TestTransparencyStays(t *testing.T) {
	picture := corners(100, 100)
	picture.SetRGBA(50, 50, color.RGBA{})
	for y := range 50 {
		for x := range 50 {
			picture.SetRGBA(x, y, color.RGBA{})
		}
	}
	drawn, err := Draw(asPNG(t, picture))
	if err != nil || drawn.Type != "image/png" {
		t.Fatalf("%s, %v", drawn.Type, err)
	}
	wantCorners(t, "transparent", drawn.Sizes[64], [4]color.RGBA{{}, green, blue, yellow})
}

// TestPolyglot hides a page in a picture in every way there is; what is stored holds nothing of it.
func TestPolyglot(t *testing.T) {
	const page = "<html><script>alert(document.cookie)</script></html>"
	picture := asJPEG(t, corners(100, 100), 0)
	comment := append([]byte{0xff, 0xfe, 0, byte(len(page) + 2)}, page...)
	inside := append(append(bytes.Clone(picture[:2]), comment...), picture[2:]...)
	files := map[string][]byte{
		"comment":  inside,
		"appended": append(bytes.Clone(picture), page...),
		"PNG":      append(asPNG(t, corners(100, 100)), page...),
		"GIF":      append(asGIF(t, corners(100, 100)), page...),
	}
	for name, data := range files {
		drawn, err := Draw(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for size, file := range drawn.Sizes {
			if bytes.Contains(file, []byte("script")) || bytes.Contains(file, []byte("cookie")) {
				t.Errorf("%s: the page survives in size %d", name, size)
			}
		}
	}
	for name, data := range map[string][]byte{
		"a page": []byte(page), "a page with a picture behind": append([]byte(page), picture...),
		"SVG":    []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`),
		"GIF/JS": []byte("GIF89a\x2f\x2a\x01\x00*" + strings.Repeat("x", 100) + "*/=1;alert(1)"),
		"PDF":    []byte("%PDF-1.7\n"), "BMP": []byte("BM" + strings.Repeat("\x00", 100)), "nothing": nil, "one byte": {0xff},
	} {
		if _, err := Draw(data); !fault.Is(err, fault.Invalid) || fault.Of(err).Code != "image_invalid" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTruncatedFiles(t *testing.T) {
	for name, data := range map[string][]byte{
		"jpeg": asJPEG(t, corners(200, 200), 6), "png": asPNG(t, corners(200, 200)), "gif": asGIF(t, corners(200, 200)),
	} {
		for length := 0; length < len(data)-2; length += max(len(data)/97, 1) {
			_, err := read(data[:length])
			if err != nil && !fault.Is(err, fault.Invalid) {
				t.Errorf("%s cut to %d bytes: %v", name, length, err)
			}
			if err == nil && length < len(data)*9/10 {
				t.Errorf("%s cut to %d of %d bytes was drawn", name, length, len(data))
			}
		}
	}
}

func TestRandomDamage(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	files := [][]byte{asJPEG(t, corners(60, 60), 3), asPNG(t, corners(60, 60)), asGIF(t, corners(60, 60), corners(60, 60))}
	for range 200 {
		data := bytes.Clone(files[source.IntN(len(files))])
		for range 1 + source.IntN(8) {
			data[source.IntN(len(data))] = byte(source.Uint32())
		}
		if _, err := read(data); err != nil && !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.TooLarge) {
			t.Errorf("%v", err)
		}
	}
}

// TestBombs claims sizes that must be refused from the header alone: none of these files has the pixels that it speaks of,
// so decoding one would end as an image that is damaged, not as one that is too large.
func TestBombs(t *testing.T) {
	for name, data := range map[string][]byte{
		"huge PNG":                      pngHeader(60_000, 60_000, 8, 2, 0),
		"wide PNG":                      pngHeader(1<<31-1, 1, 8, 0, 0),
		"a little more than is allowed": pngHeader(5_001, 5_000, 8, 6, 0),
		"interlaced and deep PNG":       pngHeader(5_000, 5_000, 16, 6, 1),
		"huge JPEG":                     jpegHeader(0xc0, 65_000, 65_000, 3),
		"progressive JPEG":              jpegHeader(0xc2, 5_000, 5_000, 3),
		"progressive JPEG in grey":      jpegHeader(0xc2, 5_000, 5_000, 1),
		"huge GIF":                      append([]byte("GIF89a\xff\xff\xff\xff\x80\x00\x00"), 0, 0, 0, 255, 255, 255),
	} {
		if _, err := Draw(data); !fault.Is(err, fault.TooLarge) || fault.Of(err).Code != "image_too_many_pixels" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string][]byte{
		"no width": pngHeader(0, 10, 8, 2, 0), "PNG of an allowed size without data": pngHeader(5_000, 5_000, 8, 6, 0),
		"JPEG of an allowed size without data":              jpegHeader(0xc0, 5_000, 5_000, 3),
		"progressive JPEG of an allowed size, without data": jpegHeader(0xc2, 3_000, 3_000, 3),
	} {
		if _, err := Draw(data); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Draw(append(asPNG(t, corners(10, 10)), make([]byte, MaxBytes)...)); fault.Of(err).Code != "image_too_large" {
		t.Errorf("many bytes: %v", err)
	}
}

// TestManyFrames draws the first frame of an animation; the thousands behind it are not even read.
func TestManyFrames(t *testing.T) {
	whole := asGIF(t, corners(100, 100), image.NewRGBA(image.Rect(0, 0, 100, 100)))
	single := asGIF(t, corners(100, 100))
	frame := whole[len(single)-1 : len(whole)-1]
	data := bytes.Clone(whole[:len(whole)-1])
	for range 5_000 {
		data = append(data, frame...)
	}
	data = append(data, "no frame at all"...)
	drawn, err := Draw(data)
	if err != nil {
		t.Fatal(err)
	}
	wantCorners(t, "the first frame", drawn.Sizes[128], upright)
}

func FuzzRead(f *testing.F) {
	f.Add(asJPEG(f, corners(20, 20), 6))
	f.Add(asPNG(f, corners(20, 20)))
	f.Add(asGIF(f, corners(20, 20)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := read(data); err != nil && !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.TooLarge) {
			t.Error(err)
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	data := asJPEG(b, corners(4032, 3024), 6)
	for b.Loop() {
		if _, err := Draw(data); err != nil {
			b.Fatal(err)
		}
	}
}

package avatar

import (
	"bytes"
	"image"
	"image/color"
	"strconv"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
)

func budget() *imaging.Budget { return imaging.NewBudget(imaging.DefaultBudget) }

// wantCorners checks the quarters of a stored image.
func wantCorners(t testing.TB, what string, file []byte, want [4]color.RGBA) {
	t.Helper()
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	wantSquare(t, what, decoded, want)
}

func wantSquare(t testing.TB, what string, decoded image.Image, want [4]color.RGBA) {
	t.Helper()
	if size := decoded.Bounds().Size(); size.X != size.Y {
		t.Errorf("%s: %v is no square", what, size)
	}
	imagingtest.WantCorners(t, what, decoded, want)
}

func TestReadEverySize(t *testing.T) {
	for name, data := range map[string][]byte{
		"small": imagingtest.PNG(t, imagingtest.Corners(10, 10)), "large": imagingtest.PNG(t, imagingtest.Corners(2101, 2099)),
	} {
		square, err := read(t.Context(), budget(), data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wantSquare(t, name, square, imagingtest.Upright)
	}
	if _, err := read(t.Context(), budget(), imagingtest.PNG(t, imagingtest.Corners(1, 1))); err != nil {
		t.Errorf("one pixel: %v", err)
	}
}

func TestDrawEverySize(t *testing.T) {
	picture, err := Draw(t.Context(), budget(), imagingtest.JPEG(t, imagingtest.Corners(300, 300), 0))
	if err != nil || picture.Type != "image/jpeg" {
		t.Fatalf("%s, %v", picture.Type, err)
	}
	for _, size := range Sizes {
		config, format, err := image.DecodeConfig(bytes.NewReader(picture.Sizes[size]))
		if err != nil || config.Width != size || config.Height != size || format != "jpeg" {
			t.Errorf("%d: %s of %d × %d, %v", size, format, config.Width, config.Height, err)
		}
		wantCorners(t, "JPEG", picture.Sizes[size], imagingtest.Upright)
	}
}

func TestReadTheMiddle(t *testing.T) {
	// Thirds of red, green and blue side by side, or one above the other: only the middle stays.
	wide, tall := image.NewRGBA(image.Rect(0, 0, 300, 100)), image.NewRGBA(image.Rect(0, 0, 100, 300))
	for long := range 300 {
		for short := range 100 {
			colour := []color.RGBA{imagingtest.Red, imagingtest.Green, imagingtest.Blue}[long/100]
			wide.SetRGBA(long, short, colour)
			tall.SetRGBA(short, long, colour)
		}
	}
	for name, picture := range map[string]image.Image{"wide": wide, "tall": tall} {
		square, err := read(t.Context(), budget(), imagingtest.PNG(t, picture))
		if err != nil {
			t.Fatal(err)
		}
		wantSquare(t, name, square, [4]color.RGBA{imagingtest.Green, imagingtest.Green, imagingtest.Green, imagingtest.Green})
	}
}

func TestReadUpright(t *testing.T) {
	for orientation := 1; orientation <= 8; orientation++ {
		for _, picture := range []*image.RGBA{imagingtest.Corners(128, 128), imagingtest.Corners(200, 128), imagingtest.Corners(128, 200)} {
			square, err := read(t.Context(), budget(), imagingtest.JPEG(t, imagingtest.Stored(picture, orientation), orientation))
			if err != nil {
				t.Fatalf("orientation %d: %v", orientation, err)
			}
			wantSquare(t, "orientation "+strconv.Itoa(orientation), square, imagingtest.Upright)
		}
	}
	for _, nonsense := range []int{9, 77, 65535} {
		square, err := read(t.Context(), budget(), imagingtest.JPEG(t, imagingtest.Corners(100, 100), nonsense))
		if err != nil {
			t.Fatal(err)
		}
		wantSquare(t, "an orientation that there is not", square, imagingtest.Upright)
	}
}

func TestMetadataIsDropped(t *testing.T) {
	data := imagingtest.JPEG(t, imagingtest.Corners(100, 100), 6)
	drawn, err := Draw(t.Context(), budget(), data)
	if err != nil || !bytes.Contains(data, []byte(imagingtest.Camera)) {
		t.Fatalf("the upload lacks what must not survive; %v", err)
	}
	for size, file := range drawn.Sizes {
		if bytes.Contains(file, []byte(imagingtest.Camera)) || bytes.Contains(file, []byte("Exif")) {
			t.Errorf("size %d: EXIF survived", size)
		}
	}
}

func TestTransparencyStays(t *testing.T) {
	picture := imagingtest.Corners(100, 100)
	for y := range 50 {
		for x := range 50 {
			picture.SetRGBA(x, y, color.RGBA{})
		}
	}
	drawn, err := Draw(t.Context(), budget(), imagingtest.PNG(t, picture))
	if err != nil || drawn.Type != "image/png" {
		t.Fatalf("%s, %v", drawn.Type, err)
	}
	wantCorners(t, "transparent", drawn.Sizes[64], [4]color.RGBA{{}, imagingtest.Green, imagingtest.Blue, imagingtest.Yellow})
}

// TestPolyglot hides a page in an image in every known way; the stored image contains none of it.
func TestPolyglot(t *testing.T) {
	const page = "<html><script>alert(document.cookie)</script></html>"
	picture := imagingtest.JPEG(t, imagingtest.Corners(100, 100), 0)
	comment := append([]byte{0xff, 0xfe, 0, byte(len(page) + 2)}, page...)
	inside := append(append(bytes.Clone(picture[:2]), comment...), picture[2:]...)
	files := map[string][]byte{
		"comment":  inside,
		"appended": append(bytes.Clone(picture), page...),
		"PNG":      append(imagingtest.PNG(t, imagingtest.Corners(100, 100)), page...),
		"GIF":      append(imagingtest.GIF(t, imagingtest.Corners(100, 100)), page...),
	}
	for name, data := range files {
		drawn, err := Draw(t.Context(), budget(), data)
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
		if _, err := Draw(t.Context(), budget(), data); !fault.Is(err, fault.Invalid) || fault.Of(err).Code != "image_invalid" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTooManyBytes(t *testing.T) {
	data := append(imagingtest.PNG(t, imagingtest.Corners(10, 10)), make([]byte, MaxBytes)...)
	if _, err := Draw(t.Context(), budget(), data); fault.Of(err).Code != "image_too_large" {
		t.Errorf("many bytes: %v", err)
	}
}

// TestManyFrames draws the first frame of an animation; the thousands after it are not even read.
func TestManyFrames(t *testing.T) {
	whole := imagingtest.GIF(t, imagingtest.Corners(100, 100), image.NewRGBA(image.Rect(0, 0, 100, 100)))
	single := imagingtest.GIF(t, imagingtest.Corners(100, 100))
	frame := whole[len(single)-1 : len(whole)-1]
	data := bytes.Clone(whole[:len(whole)-1])
	for range 5_000 {
		data = append(data, frame...)
	}
	data = append(data, "no frame at all"...)
	drawn, err := Draw(t.Context(), budget(), data)
	if err != nil {
		t.Fatal(err)
	}
	wantCorners(t, "the first frame", drawn.Sizes[128], imagingtest.Upright)
}

func BenchmarkDraw(b *testing.B) {
	data := imagingtest.JPEG(b, imagingtest.Corners(4032, 3024), 6)
	for b.Loop() {
		if _, err := Draw(b.Context(), budget(), data); err != nil {
			b.Fatal(err)
		}
	}
}

package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"testing"

	"litfass/pkg/media/picture"
	"litfass/pkg/media/picture/picturetest"
)

func drawn(t testing.TB, result picture.Drawn, err error) image.Image {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	decoded, format, err := image.Decode(bytes.NewReader(result.Data))
	if err != nil || format != string(result.Type) || decoded.Bounds().Size() != result.Size {
		t.Fatalf("%s of %v as %s of %v, %v", format, decoded.Bounds(), result.Type, result.Size, err)
	}
	return decoded
}

func TestIngest(t *testing.T) {
	budget := picture.NewBudget(picture.DefaultBudget)
	for orientation := 1; orientation <= 8; orientation++ {
		upload := picturetest.JPEG(t, picturetest.Stored(picturetest.Corners(300, 200), orientation), orientation)
		result, err := picture.Ingest(t.Context(), budget, upload)
		got := drawn(t, result, err)
		if got.Bounds().Size() != image.Pt(300, 200) || result.Type != picture.JPEG {
			t.Errorf("orientation %d: %s of %v", orientation, result.Type, got.Bounds())
		}
		picturetest.WantCorners(t, "original", got, picturetest.Upright)
	}
	large, err := picture.Ingest(t.Context(), budget, picturetest.PNG(t, picturetest.Corners(1500, 3000)))
	picturetest.WantCorners(t, "large", drawn(t, large, err), picturetest.Upright)
	if large.Size != image.Pt(1024, 2048) || large.Type != picture.JPEG {
		t.Errorf("a large one became %s of %v", large.Type, large.Size)
	}
	hole := picturetest.Corners(100, 100)
	hole.SetRGBA(3, 3, color.RGBA{})
	transparent, err := picture.Ingest(t.Context(), budget, picturetest.PNG(t, hole))
	if drawn(t, transparent, err); transparent.Type != picture.PNG {
		t.Errorf("a transparent one became %s", transparent.Type)
	}
}

// TestIngestDropsWhatIsNoPicture hides text in every part of a file that can hold some.
func TestIngestDropsWhatIsNoPicture(t *testing.T) {
	const secret = "alert(document.cookie)"
	jpeg := picturetest.JPEG(t, picturetest.Corners(100, 100), 6) // with camera and place
	for marker, payload := range map[byte]string{
		0xe1: "http://ns.adobe.com/xap/1.0/\x00" + secret, 0xe2: "ICC_PROFILE\x00\x01\x01" + secret, 0xed: "Photoshop 3.0\x00" + secret, 0xfe: secret,
	} {
		jpeg = picturetest.WithSegment(jpeg, marker, []byte(payload))
	}
	png := picturetest.RawPNG{Width: 10, Height: 10, Depth: 8, Colour: picturetest.TrueAlpha}
	for kind, content := range map[string]string{
		"tEXt": "Comment\x00" + secret, "iTXt": "XML:com.adobe.xmp\x00\x00\x00\x00\x00" + secret, "eXIf": string(picturetest.EXIF(1)),
	} {
		png.Chunks = append(png.Chunks, picturetest.Chunk(kind, []byte(content))...)
	}
	for name, upload := range map[string][]byte{
		"JPEG": append(jpeg, secret...), "PNG": append(png.Bytes(), secret...), "GIF": append(picturetest.GIF(t, picturetest.Corners(9, 9)), secret...),
	} {
		result, err := picture.Ingest(t.Context(), picture.NewBudget(picture.DefaultBudget), upload)
		drawn(t, result, err)
		for _, hidden := range []string{secret, picturetest.Camera, "Exif", "ICC", "xap", "Photoshop"} {
			if bytes.Contains(result.Data, []byte(hidden)) {
				t.Errorf("%s: %q survived", name, hidden)
			}
		}
	}
}

func TestDrawVariants(t *testing.T) {
	budget := picture.NewBudget(picture.DefaultBudget)
	original := picturetest.JPEG(t, picturetest.Corners(1200, 800), 0)
	cover := func(focus picture.Focus, want [4]color.RGBA) {
		t.Helper()
		variant := picture.Variant{Width: 160, Height: 160, Fit: picture.Cover, Type: picture.JPEG, Quality: 90}
		result, err := picture.Draw(t.Context(), budget, original, focus, variant)
		picturetest.WantCorners(t, "cover", drawn(t, result, err), want)
	}
	cover(picture.Centre, picturetest.Upright)
	whole := picturetest.Corners(1200, 800)
	left, err := picture.Draw(t.Context(), budget, picturetest.PNG(t, whole), picture.Focus{X: 0, Y: 0.5},
		picture.Variant{Width: 160, Height: 320, Fit: picture.Cover, Type: picture.PNG})
	picturetest.WantCorners(t, "left", drawn(t, left, err), [4]color.RGBA{
		picturetest.Red, picturetest.Red, picturetest.Blue, picturetest.Blue,
	})
	// The same part of an upload that lies on its side.
	for orientation := 1; orientation <= 8; orientation++ {
		turned := picturetest.JPEG(t, picturetest.Stored(whole, orientation), orientation)
		result, err := picture.Draw(t.Context(), budget, turned, picture.Focus{X: 1, Y: 0.5},
			picture.Variant{Width: 160, Height: 320, Fit: picture.Cover, Type: picture.JPEG, Quality: 90})
		picturetest.WantCorners(t, "right", drawn(t, result, err), [4]color.RGBA{
			picturetest.Green, picturetest.Green, picturetest.Yellow, picturetest.Yellow,
		})
	}
	invisible := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	for kind, want := range map[picture.Type]color.RGBA{picture.JPEG: {255, 255, 255, 255}, picture.PNG: {}, picture.Auto: {}} {
		result, err := picture.Draw(t.Context(), budget, picturetest.PNG(t, invisible), picture.Centre,
			picture.Variant{Width: 20, Fit: picture.Contain, Type: kind, Quality: 80})
		picturetest.WantCorners(t, string(kind), drawn(t, result, err), [4]color.RGBA{want, want, want, want})
	}
}

// TestFrameSmallerThanItsScreen: around the first frame of an animation nothing is seen.
func TestFrameSmallerThanItsScreen(t *testing.T) {
	frame := image.NewPaletted(image.Rect(100, 100, 200, 200), color.Palette{picturetest.Red})
	var file bytes.Buffer
	animation := &gif.GIF{
		Image: []*image.Paletted{frame}, Delay: []int{0}, Config: image.Config{ColorModel: frame.Palette, Width: 200, Height: 200},
	}
	if err := gif.EncodeAll(&file, animation); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{200, 40} { // with and without reduction
		result, err := picture.Draw(t.Context(), picture.NewBudget(picture.DefaultBudget), file.Bytes(), picture.Centre,
			picture.Variant{Width: width, Fit: picture.Contain, Type: picture.PNG})
		picturetest.WantCorners(t, "frame", drawn(t, result, err), [4]color.RGBA{{}, {}, {}, picturetest.Red})
	}
}

func BenchmarkIngest(b *testing.B) {
	uploads := map[string][]byte{
		"12 megapixels":      picturetest.JPEG(b, picturetest.Corners(4032, 3024), 6),
		"8 megapixels PNG":   picturetest.PNG(b, picturetest.Corners(3840, 2160)),
		"progressive 2048px": rawJPEG(picturetest.Progressive, 2048, 1536, halved).Bytes(),
	}
	for name, upload := range uploads {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := picture.Ingest(b.Context(), picture.NewBudget(picture.DefaultBudget), upload); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkVariant(b *testing.B) {
	original := picturetest.JPEG(b, waves(2048, 1365), 0)
	for name, variant := range map[string]picture.Variant{
		"480 cover":  {Width: 480, Height: 320, Fit: picture.Cover, Type: picture.JPEG, Quality: 80},
		"1280 whole": {Width: 1280, Fit: picture.Contain, Type: picture.JPEG, Quality: 80},
		"1920 cover": {Width: 1920, Height: 1080, Fit: picture.Cover, Type: picture.JPEG, Quality: 80},
		"480 PNG":    {Width: 480, Height: 320, Fit: picture.Cover, Type: picture.PNG},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := picture.Draw(b.Context(), picture.NewBudget(picture.DefaultBudget), original, picture.Centre, variant); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package imaging_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"testing"

	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
)

func drawn(t testing.TB, result imaging.Drawn, err error) image.Image {
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
	budget := imaging.NewBudget(imaging.DefaultBudget)
	for orientation := 1; orientation <= 8; orientation++ {
		upload := imagingtest.JPEG(t, imagingtest.Stored(imagingtest.Corners(300, 200), orientation), orientation)
		result, err := imaging.Ingest(t.Context(), budget, upload)
		got := drawn(t, result, err)
		if got.Bounds().Size() != image.Pt(300, 200) || result.Type != imaging.JPEG {
			t.Errorf("orientation %d: %s of %v", orientation, result.Type, got.Bounds())
		}
		imagingtest.WantCorners(t, "original", got, imagingtest.Upright)
	}
	large, err := imaging.Ingest(t.Context(), budget, imagingtest.PNG(t, imagingtest.Corners(1500, 3000)))
	imagingtest.WantCorners(t, "large", drawn(t, large, err), imagingtest.Upright)
	if large.Size != image.Pt(1024, 2048) || large.Type != imaging.JPEG {
		t.Errorf("a large one became %s of %v", large.Type, large.Size)
	}
	hole := imagingtest.Corners(100, 100)
	hole.SetRGBA(3, 3, color.RGBA{})
	transparent, err := imaging.Ingest(t.Context(), budget, imagingtest.PNG(t, hole))
	if drawn(t, transparent, err); transparent.Type != imaging.PNG {
		t.Errorf("a transparent one became %s", transparent.Type)
	}
}

// TestIngestDropsEverythingButTheImage hides text in every part of a file that can hold some.
func TestIngestDropsEverythingButTheImage(t *testing.T) {
	const secret = "alert(document.cookie)"
	jpeg := imagingtest.JPEG(t, imagingtest.Corners(100, 100), 6) // with camera and place
	for marker, payload := range map[byte]string{
		0xe1: "http://ns.adobe.com/xap/1.0/\x00" + secret, 0xe2: "ICC_PROFILE\x00\x01\x01" + secret, 0xed: "Photoshop 3.0\x00" + secret, 0xfe: secret,
	} {
		jpeg = imagingtest.WithSegment(jpeg, marker, []byte(payload))
	}
	png := imagingtest.RawPNG{Width: 10, Height: 10, Depth: 8, Colour: imagingtest.TrueAlpha}
	for kind, content := range map[string]string{
		"tEXt": "Comment\x00" + secret, "iTXt": "XML:com.adobe.xmp\x00\x00\x00\x00\x00" + secret, "eXIf": string(imagingtest.EXIF(1)),
	} {
		png.Chunks = append(png.Chunks, imagingtest.Chunk(kind, []byte(content))...)
	}
	for name, upload := range map[string][]byte{
		"JPEG": append(jpeg, secret...), "PNG": append(png.Bytes(), secret...), "GIF": append(imagingtest.GIF(t, imagingtest.Corners(9, 9)), secret...),
	} {
		result, err := imaging.Ingest(t.Context(), imaging.NewBudget(imaging.DefaultBudget), upload)
		drawn(t, result, err)
		for _, hidden := range []string{secret, imagingtest.Camera, "Exif", "ICC", "xap", "Photoshop"} {
			if bytes.Contains(result.Data, []byte(hidden)) {
				t.Errorf("%s: %q survived", name, hidden)
			}
		}
	}
}

func TestDrawVariants(t *testing.T) {
	budget := imaging.NewBudget(imaging.DefaultBudget)
	original := imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0)
	cover := func(focus imaging.Focus, want [4]color.RGBA) {
		t.Helper()
		variant := imaging.Variant{Width: 160, Height: 160, Fit: imaging.Cover, Type: imaging.JPEG, Quality: 90}
		result, err := imaging.Draw(t.Context(), budget, original, focus, variant)
		imagingtest.WantCorners(t, "cover", drawn(t, result, err), want)
	}
	cover(imaging.Centre, imagingtest.Upright)
	whole := imagingtest.Corners(1200, 800)
	left, err := imaging.Draw(t.Context(), budget, imagingtest.PNG(t, whole), imaging.Focus{X: 0, Y: 0.5},
		imaging.Variant{Width: 160, Height: 320, Fit: imaging.Cover, Type: imaging.PNG})
	imagingtest.WantCorners(t, "left", drawn(t, left, err), [4]color.RGBA{
		imagingtest.Red, imagingtest.Red, imagingtest.Blue, imagingtest.Blue,
	})
	// The same part of an upload that lies on its side.
	for orientation := 1; orientation <= 8; orientation++ {
		turned := imagingtest.JPEG(t, imagingtest.Stored(whole, orientation), orientation)
		result, err := imaging.Draw(t.Context(), budget, turned, imaging.Focus{X: 1, Y: 0.5},
			imaging.Variant{Width: 160, Height: 320, Fit: imaging.Cover, Type: imaging.JPEG, Quality: 90})
		imagingtest.WantCorners(t, "right", drawn(t, result, err), [4]color.RGBA{
			imagingtest.Green, imagingtest.Green, imagingtest.Yellow, imagingtest.Yellow,
		})
	}
	invisible := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	for kind, want := range map[imaging.Type]color.RGBA{imaging.JPEG: {255, 255, 255, 255}, imaging.PNG: {}, imaging.Auto: {}} {
		result, err := imaging.Draw(t.Context(), budget, imagingtest.PNG(t, invisible), imaging.Centre,
			imaging.Variant{Width: 20, Fit: imaging.Contain, Type: kind, Quality: 80})
		imagingtest.WantCorners(t, string(kind), drawn(t, result, err), [4]color.RGBA{want, want, want, want})
	}
}

// TestFrameSmallerThanItsScreen: around the first frame of an animation nothing is seen.
func TestFrameSmallerThanItsScreen(t *testing.T) {
	frame := image.NewPaletted(image.Rect(100, 100, 200, 200), color.Palette{imagingtest.Red})
	var file bytes.Buffer
	animation := &gif.GIF{
		Image: []*image.Paletted{frame}, Delay: []int{0}, Config: image.Config{ColorModel: frame.Palette, Width: 200, Height: 200},
	}
	if err := gif.EncodeAll(&file, animation); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{200, 40} { // with and without reduction
		result, err := imaging.Draw(t.Context(), imaging.NewBudget(imaging.DefaultBudget), file.Bytes(), imaging.Centre,
			imaging.Variant{Width: width, Fit: imaging.Contain, Type: imaging.PNG})
		imagingtest.WantCorners(t, "frame", drawn(t, result, err), [4]color.RGBA{{}, {}, {}, imagingtest.Red})
	}
}

func BenchmarkIngest(b *testing.B) {
	uploads := map[string][]byte{
		"12 megapixels":      imagingtest.JPEG(b, imagingtest.Corners(4032, 3024), 6),
		"8 megapixels PNG":   imagingtest.PNG(b, imagingtest.Corners(3840, 2160)),
		"progressive 2048px": rawJPEG(imagingtest.Progressive, 2048, 1536, halved).Bytes(),
	}
	for name, upload := range uploads {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := imaging.Ingest(b.Context(), imaging.NewBudget(imaging.DefaultBudget), upload); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkVariant(b *testing.B) {
	original := imagingtest.JPEG(b, waves(2048, 1365), 0)
	for name, variant := range map[string]imaging.Variant{
		"480 cover":  {Width: 480, Height: 320, Fit: imaging.Cover, Type: imaging.JPEG, Quality: 80},
		"1280 whole": {Width: 1280, Fit: imaging.Contain, Type: imaging.JPEG, Quality: 80},
		"1920 cover": {Width: 1920, Height: 1080, Fit: imaging.Cover, Type: imaging.JPEG, Quality: 80},
		"480 PNG":    {Width: 480, Height: 320, Fit: imaging.Cover, Type: imaging.PNG},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := imaging.Draw(b.Context(), imaging.NewBudget(imaging.DefaultBudget), original, imaging.Centre, variant); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

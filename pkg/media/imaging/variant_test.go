package imaging_test

import (
	"crypto/sha256"
	"encoding/hex"
	"image"
	"math"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
)

func TestCut(t *testing.T) {
	cover := imaging.Variant{Width: 300, Height: 200, Fit: imaging.Cover}
	for name, test := range map[string]struct {
		variant imaging.Variant
		of      image.Point
		focus   imaging.Focus
		part    image.Rectangle
		size    image.Point
	}{
		"the same shape":      {cover, image.Pt(900, 600), imaging.Centre, image.Rect(0, 0, 900, 600), image.Pt(300, 200)},
		"a wide one":          {cover, image.Pt(1200, 400), imaging.Centre, image.Rect(300, 0, 900, 400), image.Pt(300, 200)},
		"to the left":         {cover, image.Pt(1200, 400), imaging.Focus{}, image.Rect(0, 0, 600, 400), image.Pt(300, 200)},
		"to the right":        {cover, image.Pt(1200, 400), imaging.Focus{X: 1, Y: 1}, image.Rect(600, 0, 1200, 400), image.Pt(300, 200)},
		"left of the middle":  {cover, image.Pt(1200, 400), imaging.Focus{X: 0.4, Y: 0.9}, image.Rect(180, 0, 780, 400), image.Pt(300, 200)},
		"a tall one":          {cover, image.Pt(600, 1200), imaging.Focus{X: 0.5, Y: 0.25}, image.Rect(0, 100, 600, 500), image.Pt(300, 200)},
		"no number":           {cover, image.Pt(1200, 400), imaging.Focus{X: math.NaN(), Y: math.Inf(1)}, image.Rect(0, 0, 600, 400), image.Pt(300, 200)},
		"smaller than asked":  {cover, image.Pt(120, 90), imaging.Centre, image.Rect(0, 5, 120, 85), image.Pt(120, 80)},
		"one line":            {cover, image.Pt(5000, 1), imaging.Centre, image.Rect(2499, 0, 2501, 1), image.Pt(2, 1)},
		"one pixel":           {cover, image.Pt(1, 1), imaging.Centre, image.Rect(0, 0, 1, 1), image.Pt(1, 1)},
		"whole, by width":     {imaging.Variant{Width: 320, Fit: imaging.Contain}, image.Pt(640, 400), imaging.Centre, image.Rect(0, 0, 640, 400), image.Pt(320, 200)},
		"whole, by height":    {imaging.Variant{Height: 320, Fit: imaging.Contain}, image.Pt(640, 480), imaging.Centre, image.Rect(0, 0, 640, 480), image.Pt(427, 320)},
		"whole, in a box":     {imaging.Variant{Width: 320, Height: 320, Fit: imaging.Contain}, image.Pt(640, 1280), imaging.Centre, image.Rect(0, 0, 640, 1280), image.Pt(160, 320)},
		"whole, small enough": {imaging.Variant{Width: 320, Fit: imaging.Contain}, image.Pt(64, 40), imaging.Centre, image.Rect(0, 0, 64, 40), image.Pt(64, 40)},
		"whole, one line":     {imaging.Variant{Width: 320, Height: 320, Fit: imaging.Contain}, image.Pt(9000, 1), imaging.Centre, image.Rect(0, 0, 9000, 1), image.Pt(320, 1)},
	} {
		part, size := test.variant.Cut(test.of, test.focus)
		if part != test.part || size != test.size {
			t.Errorf("%s: %v as %v, want %v as %v", name, part, size, test.part, test.size)
		}
	}
}

// TestVersionsFollowTheBytes: the version in the address of an image changes with its file, its
// focus point, and how variants are drawn: where the bytes below change, by a new encoder or
// another way to scale, so must the edition.
func TestVersionsFollowTheBytes(t *testing.T) {
	const file, other = "01920000-0000-7000-8000-0000000000f1", "01920000-0000-7000-8000-0000000000f2"
	version := imaging.Version(file, imaging.Focus{X: 0.5, Y: 0.25})
	if same := imaging.Version(file, imaging.Focus{X: 0.504, Y: 0.246}); same != version {
		t.Errorf("a focus that is drawn alike has %s, not %s", same, version)
	}
	for what, changed := range map[string]string{
		"another file": imaging.Version(other, imaging.Focus{X: 0.5, Y: 0.25}), "another focus": imaging.Version(file, imaging.Centre),
	} {
		if changed == version {
			t.Errorf("%s has the same version", what)
		}
	}
	original := imagingtest.PNG(t, imagingtest.Corners(1200, 900))
	drawn := sha256.New()
	for _, query := range []string{"width=480&ratio=3:2", "width=320", "width=160&ratio=1:1&quality=60", "width=160&type=png"} {
		parameters, _ := url.ParseQuery(query)
		variant, err := imaging.Parse(parameters)
		if err != nil {
			t.Fatal(err)
		}
		image, err := imaging.Draw(t.Context(), imaging.NewBudget(1<<30), original, imaging.Focus{X: 0.5, Y: 0.25}, variant)
		if err != nil {
			t.Fatal(err)
		}
		drawn.Write(image.Data)
	}
	// The bytes and the version belong together: change both, or neither.
	if got := hex.EncodeToString(drawn.Sum(nil))[:12] + " " + version; runtime.GOARCH == "amd64" && got != "6a84525bef0c 75e5d67fdcde" {
		t.Errorf("variants have the bytes, and the version, %s", got)
	}
}

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		"": "whole/contain-1280x0-q80.jpeg",
		"mode=cover&width=480&ratio=3:2&type=webp&quality=80": "50-20/cover-480x320-q80.auto",
		"width=300":                         "whole/contain-320x0-q80.jpeg",
		"width=1&quality=0":                 "whole/contain-160x0-q60.jpeg",
		"width=10000&quality=100":           "whole/contain-1920x0-q90.jpeg",
		"height=200":                        "whole/contain-0x320-q80.jpeg",
		"width=300&height=200":              "50-20/cover-320x213-q80.jpeg",
		"width=300&height=200&fit=contain":  "whole/contain-320x213-q80.jpeg",
		"width=640&fit=cover":               "whole/contain-640x0-q80.jpeg",
		"ratio=16:9":                        "50-20/cover-1280x720-q80.jpeg",
		"ratio=160:91&height=300&type=png":  "50-20/cover-640x360-q0.png",
		"ratio=1:1000&width=160&quality=71": "50-20/cover-160x320-q80.jpeg",
		"type=jpg&quality=70":               "whole/contain-1280x0-q60.jpeg",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		variant, err := imaging.Parse(values)
		if err != nil || variant.Key(imaging.Focus{X: 0.5, Y: 0.204}) != want {
			t.Errorf("%s: %s, %v, want %s", query, variant.Key(imaging.Focus{X: 0.5, Y: 0.204}), err, want)
		}
	}
}

func TestParseNamesEveryBadParameter(t *testing.T) {
	for query, want := range map[string]string{
		"width=0": "width", "width=-5": "width", "width=%2B5": "width", "width=10001": "width", "width=9.5": "width",
		"height=x&quality=101&ratio=3x2&fit=stretch&type=gif": "height ratio fit type quality",
		"ratio=0:1": "ratio", "ratio=:": "ratio", "ratio=3:": "ratio", "ratio=1:2:3": "ratio", "ratio=1001:1": "ratio", "ratio=-1:1": "ratio",
		"fit=Cover": "fit",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		_, err = imaging.Parse(values)
		var fields []string
		for _, violation := range fault.Of(err).Violations {
			fields = append(fields, violation.Field)
		}
		if !fault.Is(err, fault.Invalid) || strings.Join(fields, " ") != want {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestVariantsAreFew requests sizes, shapes and qualities of all kinds: the number of stored
// variants of one image stays small.
func TestVariantsAreFew(t *testing.T) {
	keys := map[string]bool{}
	for width := 0; width <= 4000; width += 40 {
		for height := 0; height <= 4000; height += 40 {
			for _, rest := range []string{"", "&fit=contain", "&type=webp&quality=65", "&type=png", "&quality=100"} {
				values, err := url.ParseQuery("width=" + number(width) + "&height=" + number(height) + rest)
				if err != nil {
					t.Fatal(err)
				}
				variant, err := imaging.Parse(values)
				if err != nil {
					t.Fatal(err)
				}
				keys[variant.Key(imaging.Centre)] = true
			}
		}
	}
	if len(keys) > 600 {
		t.Errorf("%d variants of one picture", len(keys))
	}
	t.Logf("%d variants", len(keys))
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strings.TrimLeft(string([]byte{byte('0' + n/1000), byte('0' + n/100%10), byte('0' + n/10%10), byte('0' + n%10)}), "0")
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"width=480&ratio=3:2&type=webp", "width=1&height=9999", "ratio=1:1000", "fit=cover&quality=0", "width=&x"} {
		f.Add(seed, 0.5, 0.5, 640, 480)
	}
	f.Fuzz(func(t *testing.T, query string, x, y float64, width, height int) {
		values, err := url.ParseQuery(query)
		if err != nil || width < 1 || height < 1 || width > 1<<20 || height > 1<<20 {
			return
		}
		variant, err := imaging.Parse(values)
		if err != nil {
			if !fault.Is(err, fault.Invalid) || len(fault.Of(err).Violations) == 0 {
				t.Fatal(err)
			}
			return
		}
		part, size := variant.Cut(image.Pt(width, height), imaging.Focus{X: x, Y: y})
		if part.Empty() || !part.In(image.Rect(0, 0, width, height)) || size.X < 1 || size.Y < 1 || size.X > part.Dx() || size.Y > part.Dy() {
			t.Errorf("%s of %d × %d: %v as %v", query, width, height, part, size)
		}
		if variant.Width > 1920 || variant.Height > 5760 {
			t.Errorf("%s: %v", query, variant)
		}
	})
}

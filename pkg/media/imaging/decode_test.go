package imaging_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
)

const junk = "\xff\x00\x01junk\xff\x00\xff\xff\xff"

// decode returns the image made upright, as large as it is.
func decode(t testing.TB, data []byte) (upright *image.RGBA, err error) {
	t.Helper()
	file, err := imaging.Open(data)
	if err != nil {
		return nil, err
	}
	err = imaging.NewBudget(imaging.DefaultBudget).Decode(t.Context(), file, 0, func(decoded image.Image) error {
		upright = file.Orientation.Turn(imaging.Scale(decoded, decoded.Bounds(), decoded.Bounds().Size()))
		return nil
	})
	return upright, err
}

// plain decodes a file within a budget and does nothing with it.
func plain(ctx context.Context, budget *imaging.Budget, data []byte) error {
	file, err := imaging.Open(data)
	if err != nil {
		return err
	}
	return budget.Decode(ctx, file, 0, func(image.Image) error { return nil })
}

var (
	one, three, four = []byte{0x11}, []byte{0x11, 0x11, 0x11}, []byte{0x11, 0x11, 0x11, 0x11}
	halved           = []byte{0x22, 0x11, 0x11}
)

func rawJPEG(frame byte, width, height int, factors []byte) imagingtest.RawJPEG {
	return imagingtest.RawJPEG{Frame: frame, Width: width, Height: height, Factors: factors, Adobe: -1}
}

func TestDecodeEveryFormat(t *testing.T) {
	corners := imagingtest.Corners(300, 200)
	deep := image.NewNRGBA64(corners.Bounds())
	for y := range 200 {
		for x := range 300 {
			deep.Set(x, y, corners.At(x, y))
		}
	}
	jpeg := imagingtest.JPEG(t, corners, 0)
	for name, data := range map[string][]byte{
		"junk in front": append([]byte("\xff\xd8junk\x00"), jpeg[2:]...),
		"jpeg":          jpeg, "png": imagingtest.PNG(t, corners), "gif": imagingtest.GIF(t, corners),
		"16 bits": imagingtest.PNG(t, deep), "animated": imagingtest.GIF(t, corners, image.NewRGBA(corners.Bounds())),
		"junk before the frame": bytes.ReplaceAll(jpeg, []byte("\xff\xc0\x00\x11"), []byte(junk+"\xff\xc0\x00\x11")),
	} {
		got, err := decode(t, data)
		if err != nil || got.Bounds() != corners.Bounds() {
			t.Errorf("%s: %v", name, err)
			continue
		}
		imagingtest.WantCorners(t, name, got, imagingtest.Upright)
	}
}

// TestDecodeEveryKind decodes files of every kind of frame and pixel, of one colour.
func TestDecodeEveryKind(t *testing.T) {
	grey := color.RGBA{128, 128, 128, 255}
	adobe := func(raw imagingtest.RawJPEG, transform int) []byte {
		raw.Adobe, raw.Before = transform, junk
		return raw.Bytes()
	}
	png := func(depth, colour byte, interlaced bool) []byte {
		return imagingtest.RawPNG{Width: 19, Height: 13, Depth: depth, Colour: colour, Interlaced: interlaced}.Bytes()
	}
	for name, test := range map[string]struct {
		data []byte
		want color.RGBA
	}{
		"baseline":          {rawJPEG(imagingtest.Baseline, 19, 13, three).Bytes(), grey},
		"progressive":       {rawJPEG(imagingtest.Progressive, 19, 13, halved).Bytes(), grey},
		"grey":              {rawJPEG(imagingtest.Progressive, 19, 13, []byte{0x22}).Bytes(), grey},
		"junk":              {adobe(rawJPEG(imagingtest.Progressive, 19, 13, three), 1), grey},
		"RGB":               {adobe(rawJPEG(imagingtest.Baseline, 19, 13, three), 0), grey},
		"CMYK":              {adobe(rawJPEG(imagingtest.Baseline, 19, 13, four), 0), color.RGBA{64, 64, 64, 255}},
		"progressive YCCK":  {adobe(rawJPEG(imagingtest.Progressive, 19, 13, []byte{0x22, 0x11, 0x11, 0x22}), 2), color.RGBA{64, 64, 64, 255}},
		"1 bit":             {png(1, imagingtest.Grey, false), color.RGBA{A: 255}},
		"palette":           {png(4, imagingtest.Paletted, true), imagingtest.Red},
		"16 bit interlaced": {png(16, imagingtest.TrueColor, true), color.RGBA{A: 255}},
		"transparent":       {png(8, imagingtest.TrueAlpha, false), color.RGBA{}},
		"WebP":              {imagingtest.RawWebP(19, 13), color.RGBA{200, 30, 30, 255}},
	} {
		got, err := decode(t, test.data)
		if err != nil || got.Bounds().Size() != image.Pt(19, 13) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		imagingtest.WantCorners(t, name, got, [4]color.RGBA{test.want, test.want, test.want, test.want})
	}
}

func TestDecodeUpright(t *testing.T) {
	corners := imagingtest.Corners(120, 80)
	for orientation := 1; orientation <= 8; orientation++ {
		got, err := decode(t, imagingtest.JPEG(t, imagingtest.Stored(corners, orientation), orientation))
		if err != nil || got.Bounds() != corners.Bounds() {
			t.Fatalf("orientation %d: %v", orientation, err)
		}
		imagingtest.WantCorners(t, "orientation", got, imagingtest.Upright)
	}
	tagged := imagingtest.RawPNG{
		Width: 20, Height: 10, Depth: 8, Colour: imagingtest.Grey, Chunks: imagingtest.Chunk("eXIf", imagingtest.EXIF(6)),
	}
	if got, err := decode(t, tagged.Bytes()); err != nil || got.Bounds().Size() != image.Pt(10, 20) {
		t.Errorf("PNG with EXIF: %v", err)
	}
}

// TestRefusedFromTheHeader: none of these files has the pixels that it speaks of, so decoding one
// would end as an image that is damaged, not as one that is too large.
func TestRefusedFromTheHeader(t *testing.T) {
	png := func(width, height int, depth, colour byte, interlaced bool) []byte {
		return imagingtest.RawPNG{Width: width, Height: height, Depth: depth, Colour: colour, Interlaced: interlaced, Empty: true}.Bytes()
	}
	jpeg := func(frame byte, width, height int, factors []byte) []byte {
		whole := rawJPEG(frame, 8, 8, factors).Bytes()
		size := []byte{byte(height >> 8), byte(height), byte(width >> 8), byte(width)}
		whole = bytes.Replace(whole, []byte{8, 0, 8, 0, 8}, append([]byte{8}, size...), 1)
		return whole[:bytes.Index(whole, []byte{0xff, 0xda})+12]
	}
	for name, data := range map[string][]byte{
		"huge PNG":                      png(60_000, 60_000, 8, imagingtest.TrueColor, false),
		"wide PNG":                      png(1<<31-1, 1, 8, imagingtest.Grey, false),
		"a little more than is allowed": png(5_001, 5_000, 8, imagingtest.TrueAlpha, false),
		"interlaced and deep PNG":       png(5_000, 5_000, 16, imagingtest.TrueAlpha, true),
		"huge JPEG":                     jpeg(imagingtest.Baseline, 65_000, 65_000, three),
		"progressive JPEG":              jpeg(imagingtest.Progressive, 5_000, 5_000, three),
		"progressive JPEG in grey":      jpeg(imagingtest.Progressive, 5_000, 5_000, one),
		"huge GIF":                      append([]byte("GIF89a\xff\xff\xff\xff\x80\x00\x00"), 0, 0, 0, 255, 255, 255),
		"huge WebP":                     imagingtest.RawWebP(16_000, 16_000),
	} {
		want := "image_too_many_pixels"
		if strings.HasPrefix(name, "progressive") {
			want = "image_progressive" // a baseline one of this size is decoded
		}
		if _, err := decode(t, data); !fault.Is(err, fault.TooLarge) || fault.Of(err).Code != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := rawJPEG(imagingtest.Progressive, 8, 8, three)
	many.Scans = 60
	precise := rawJPEG(imagingtest.Baseline, 8, 8, three)
	precise.Precision = 12
	for name, data := range map[string][]byte{
		"no width": png(0, 10, 8, imagingtest.TrueColor, false), "PNG without data": png(5_000, 5_000, 8, imagingtest.TrueAlpha, false),
		"JPEG without data":             jpeg(imagingtest.Baseline, 5_000, 5_000, three),
		"progressive JPEG without data": jpeg(imagingtest.Progressive, 2_500, 2_500, three),
		"too many scans":                many.Bytes(), "12 bits": precise.Bytes(),
		"arithmetic coding": rawJPEG(0xc9, 8, 8, three).Bytes(), "CMYK without its sign": rawJPEG(imagingtest.Baseline, 8, 8, four).Bytes(),
		"two frames": bytes.Replace(rawJPEG(imagingtest.Baseline, 8, 8, three).Bytes(), []byte("\xff\xda"),
			append([]byte("\xff\xc2\x00\x11"), "\x08\x00\x08\x00\x08\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00\xff\xda"...), 1),
		"WebP longer than the file": imagingtest.RawWebP(20, 20)[:30],
		"a page":                    []byte("<html>"), "nothing": nil, "one byte": {0xff}, "two bytes": {0xff, 0xd8},
	} {
		if _, err := decode(t, data); !fault.Is(err, fault.Invalid) || fault.Of(err).Code != "image_invalid" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTruncatedFiles(t *testing.T) {
	for name, data := range map[string][]byte{
		"jpeg": imagingtest.JPEG(t, imagingtest.Corners(200, 200), 6), "png": imagingtest.PNG(t, imagingtest.Corners(200, 200)),
		"gif": imagingtest.GIF(t, imagingtest.Corners(200, 200)), "webp": imagingtest.RawWebP(100, 100),
		"progressive": rawJPEG(imagingtest.Progressive, 200, 200, halved).Bytes(),
	} {
		for length := 0; length < len(data)-2; length += max(len(data)/97, 1) {
			_, err := decode(t, data[:length])
			if err != nil && !fault.Is(err, fault.Invalid) {
				t.Errorf("%s cut to %d bytes: %v", name, length, err)
			}
			if err == nil && length < len(data)*9/10 {
				t.Errorf("%s cut to %d of %d bytes was decoded", name, length, len(data))
			}
		}
	}
}

func TestRandomDamage(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	files := seeds(t)
	for range 400 {
		data := bytes.Clone(files[source.IntN(len(files))])
		for range 1 + source.IntN(8) {
			data[source.IntN(len(data))] = byte(source.Uint32())
		}
		wantHarmless(t, data)
	}
}

// TestDamagedEXIFIsNoReasonToRefuse damages the EXIF, of which only the orientation is of interest,
// and that not much.
func TestDamagedEXIFIsNoReasonToRefuse(t *testing.T) {
	whole := imagingtest.JPEG(t, imagingtest.Corners(16, 16), 6)
	source := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		data := bytes.Clone(whole)
		for range 5 {
			data[12+source.IntN(105)] = byte(source.Uint32())
		}
		if _, err := decode(t, data); err != nil {
			t.Fatalf("%x: %v", data[:130], err)
		}
	}
}

func seeds(t testing.TB) [][]byte {
	corners := imagingtest.Corners(60, 60)
	return [][]byte{
		imagingtest.JPEG(t, corners, 3), imagingtest.PNG(t, corners), imagingtest.GIF(t, corners, corners), imagingtest.RawWebP(40, 40),
		rawJPEG(imagingtest.Progressive, 60, 60, halved).Bytes(), rawJPEG(imagingtest.Baseline, 60, 60, one).Bytes(),
		imagingtest.RawPNG{Width: 20, Height: 20, Depth: 16, Colour: imagingtest.TrueAlpha, Interlaced: true}.Bytes(),
	}
}

func wantHarmless(t testing.TB, data []byte) {
	t.Helper()
	if _, err := decode(t, data); err != nil && !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.TooLarge) {
		t.Errorf("%v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { wantHarmless(t, data) })
}

// impatient is a context that ends when it has been asked so many times whether it has.
type impatient struct {
	context.Context
	left int
}

func (c *impatient) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestDecoderEndsWithItsRequest: a file that keeps the decoder busy does not outlive the request
// that brought it.
func TestDecoderEndsWithItsRequest(t *testing.T) {
	data := rawJPEG(imagingtest.Baseline, 1000, 1000, three).Bytes()
	err := plain(&impatient{t.Context(), 5}, imaging.NewBudget(imaging.DefaultBudget), data)
	if !fault.Is(err, fault.Unavailable) || fault.Of(err).Code != "busy" {
		t.Errorf("got %v", err)
	}
}

// TestBudgetIsWaitedFor: a request that gets no memory in time is asked to come back.
func TestBudgetIsWaitedFor(t *testing.T) {
	budget := imaging.NewBudget(1 << 20)
	data := rawJPEG(imagingtest.Progressive, 200, 200, three).Bytes() // more than half of the budget
	ended, end := context.WithCancel(t.Context())
	file, err := imaging.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	err = budget.Decode(t.Context(), file, 0, func(image.Image) error {
		waits := make(chan error)
		go func() { waits <- plain(ended, budget, data) }()
		end()
		if err := <-waits; !fault.Is(err, fault.Unavailable) || fault.Of(err).Code != "busy" {
			t.Errorf("while another image is being used: %v", err)
		}
		return fault.New(fault.Conflict, "mine", "")
	})
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("the fault of its use: %v", err)
	}
	if err := plain(t.Context(), budget, data); err != nil {
		t.Errorf("once the memory is free again: %v", err)
	}
	if err := budget.Decode(t.Context(), file, 1<<20, nil); !fault.Is(err, fault.TooLarge) {
		t.Errorf("with more work than the budget has room for: %v", err)
	}
	err = plain(t.Context(), budget, rawJPEG(imagingtest.Progressive, 300, 300, three).Bytes())
	if !fault.Is(err, fault.TooLarge) || !strings.Contains(err.Error(), "may have 260 × 260") {
		t.Errorf("more than the whole budget: %v", err)
	}
}

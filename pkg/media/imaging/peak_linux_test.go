//go:build !race

// The race detector multiplies the memory of a process, so these tests run without it: make check
// does, as every test of a package without engines.

package imaging_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/imaging/imagingtest"
)

// filesVariable names the files that this program decodes instead of running tests, as a process of
// its own whose memory is all theirs.
const filesVariable = "LITFASS_IMAGE_FILES"

// useVariable names the operation.
const useVariable = "LITFASS_IMAGE_USE"

func TestMain(m *testing.M) {
	if files := os.Getenv(filesVariable); files != "" {
		if err := decodeInProcess(strings.Split(files, ":")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// measured is the report of a process that only decoded images.
type measured struct {
	Grown int64 // bytes by which it grew at most
	Codes map[string]int
}

// decodeInProcess decodes all files concurrently, under the memory limit that the admin service
// sets for itself, and prints its measurements.
func decodeInProcess(paths []string) error {
	debug.SetMemoryLimit(112 << 20)
	result := measured{Codes: map[string]int{}}
	var data [][]byte
	for _, path := range paths {
		file, err := os.ReadFile(path) //nolint:gosec // written by the test
		if err != nil {
			return err
		}
		data = append(data, file)
	}
	before, err := memory("VmRSS:")
	if err != nil {
		return err
	}
	budget := imaging.NewBudget(imaging.DefaultBudget)
	var lock sync.Mutex
	var all sync.WaitGroup
	for _, file := range data {
		all.Go(func() {
			err := uses[os.Getenv(useVariable)](context.Background(), budget, file)
			lock.Lock()
			defer lock.Unlock()
			result.Codes[code(err)]++
		})
	}
	all.Wait()
	after, err := memory("VmHWM:")
	result.Grown = after - before
	return errors.Join(err, json.NewEncoder(os.Stdout).Encode(result))
}

// avatar decodes a file and makes it as small as an avatar.
func avatar(ctx context.Context, budget *imaging.Budget, data []byte) error {
	file, err := imaging.Open(data)
	if err != nil {
		return err
	}
	return budget.Decode(ctx, file, 0, func(decoded image.Image) error {
		imaging.Scale(decoded, decoded.Bounds(), image.Pt(512, 512))
		return nil
	})
}

// original makes a file an original.
func original(ctx context.Context, budget *imaging.Budget, data []byte) error {
	_, err := imaging.Ingest(ctx, budget, data)
	return err
}

// uses are the operations on a file, by name.
var uses = map[string]func(context.Context, *imaging.Budget, []byte) error{"avatar": avatar, "original": original}

func code(err error) string {
	if err == nil {
		return "decoded"
	}
	return fault.Of(err).Code
}

// memory returns a figure of the kernel for this process.
func memory(what string) (bytes int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), what)
	_, err = fmt.Sscanf(rest, "%d kB", &bytes)
	return bytes << 10, err
}

// measure uses the files, all at once, in a process of their own.
func measure(t *testing.T, use string, files ...[]byte) measured {
	t.Helper()
	var paths []string
	for i, file := range files {
		path := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this program
	child.Env = append(os.Environ(), filesVariable+"="+strings.Join(paths, ":"), useVariable+"="+use)
	var failure bytes.Buffer
	child.Stderr = &failure
	output, err := child.Output()
	var result measured
	if err == nil {
		err = json.Unmarshal(output, &result)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, failure.Bytes())
	}
	return result
}

// overhead is the growth of a process that is allowed on top of the budget: for the scaled images,
// and for the collector.
const overhead = 24 << 20

// TestPeakOfEveryFile: the growth of a process is bounded for any file.
func TestPeakOfEveryFile(t *testing.T) {
	colour, halved := []byte{0x11, 0x11, 0x11}, []byte{0x22, 0x11, 0x11}
	jpeg := func(frame byte, width, height int, factors []byte, before string) []byte {
		return imagingtest.RawJPEG{Frame: frame, Width: width, Height: height, Factors: factors, Before: before, Adobe: -1}.Bytes()
	}
	png := func(width, height int, depth, colour byte, interlaced bool) []byte {
		return imagingtest.RawPNG{Width: width, Height: height, Depth: depth, Colour: colour, Interlaced: interlaced}.Bytes()
	}
	fake := imagingtest.WithSegment(imagingtest.WithSegment(jpeg(imagingtest.Progressive, 4300, 3300, colour, ""), 0xe1,
		imagingtest.RawJPEG{Frame: imagingtest.Baseline, Width: 8, Height: 8, Factors: colour, Adobe: -1}.Bytes()), 0xfe, []byte("\xff\xc0"))
	late := imagingtest.RawJPEG{
		Frame: imagingtest.Baseline, Width: 4900, Height: 4900, Factors: colour, Adobe: -1,
		Late: "\xff\xee\x00\x0eAdobe\x00d\x00\x00\x00\x00\x00",
	}.Bytes()
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"progressive JPEG behind junk", jpeg(imagingtest.Progressive, 5000, 5000, colour, junk), "image_progressive"},
		{"progressive JPEG of 14 megapixels", jpeg(imagingtest.Progressive, 4320, 3240, colour, ""), "image_progressive"},
		{"progressive JPEG behind a smaller one", fake, "image_progressive"},
		{"largest progressive JPEG", jpeg(imagingtest.Progressive, 2790, 2790, colour, junk), "decoded"},
		{"largest halved progressive JPEG", jpeg(imagingtest.Progressive, 4480, 3488, halved, ""), "decoded"},
		{"largest JPEG", jpeg(imagingtest.Baseline, 5000, 5000, colour, junk), "decoded"},
		{"JPEG that is RGB after all", late, "image_too_many_pixels"},
		{"CMYK", imagingtest.RawJPEG{Frame: imagingtest.Baseline, Width: 3800, Height: 3800, Factors: []byte{0x11, 0x11, 0x11, 0x11}}.Bytes(), "decoded"},
		{"progressive YCCK", imagingtest.RawJPEG{
			Frame: imagingtest.Progressive, Width: 2400, Height: 2400, Factors: []byte{0x22, 0x11, 0x11, 0x22}, Adobe: 2,
		}.Bytes(), "decoded"},
		{"largest PNG", png(5000, 5000, 8, imagingtest.TrueAlpha, false), "decoded"},
		{"PNG of one line", png(25_000_000, 1, 16, imagingtest.TrueAlpha, false), "image_too_many_pixels"},
		{"deep PNG", png(3820, 3820, 16, imagingtest.TrueColor, false), "decoded"},
		{"deep interlaced PNG", png(2690, 2690, 16, imagingtest.TrueAlpha, true), "decoded"},
		{"deep interlaced PNG, too large", png(3500, 3500, 16, imagingtest.TrueAlpha, true), "image_too_many_pixels"},
		{"PNG with a packed text of 256 MiB", imagingtest.RawPNG{
			Width: 9, Height: 9, Depth: 8, Colour: imagingtest.Grey,
			Chunks: append(imagingtest.Chunk("zTXt", append([]byte("Raw profile type exif\x00\x00"), imagingtest.Packed(256<<20)...)),
				imagingtest.Chunk("iCCP", append([]byte("p\x00\x00"), imagingtest.Packed(256<<20)...))...),
		}.Bytes(), "decoded"},
		{"lossless WebP", imagingtest.WoodedWebP(132, 132), "decoded"},
		{"lossless WebP of many trees", imagingtest.WoodedWebP(200, 200), "image_too_many_pixels"},
		{"flat lossless WebP of 12 megapixels", imagingtest.RawWebP(4000, 3000), "decoded"},
		{"lossless WebP, large", imagingtest.RawWebP(5000, 5000), "image_too_many_pixels"},
		{"WebP that claims two gigabytes", hugeWebP(), "image_invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := measure(t, "avatar", test.file)
			t.Logf("%d bytes: grown by %d MiB", len(test.file), got.Grown>>20)
			if got.Codes[test.want] != 1 || got.Grown > imaging.DefaultBudget+overhead {
				t.Errorf("got %v, grown by %d MiB", got.Codes, got.Grown>>20)
			}
		})
	}
}

// TestPeakOfOriginals: operations on a decoded image are bounded together with it.
func TestPeakOfOriginals(t *testing.T) {
	turned := imagingtest.WithSegment(rawJPEG(imagingtest.Baseline, 4096, 3072, halved).Bytes(), 0xe1,
		append([]byte("Exif\x00\x00"), imagingtest.EXIF(6)...))
	for name, file := range map[string][]byte{
		"camera":           rawJPEG(imagingtest.Baseline, 6000, 4000, three).Bytes(),
		"telephone":        turned,
		"nearly too large": rawJPEG(imagingtest.Baseline, 4095, 4095, halved).Bytes(),
		"progressive":      rawJPEG(imagingtest.Progressive, 4032, 3024, halved).Bytes(),
		"flat":             imagingtest.RawWebP(4000, 3000),
		"screen":           imagingtest.RawPNG{Width: 3840, Height: 2160, Depth: 8, Colour: imagingtest.TrueAlpha}.Bytes(),
		"wide":             imagingtest.RawPNG{Width: 1_000_000, Height: 8, Depth: 8, Colour: imagingtest.Grey}.Bytes(),
	} {
		got := measure(t, "original", file)
		t.Logf("%s: %d bytes: grown by %d MiB", name, len(file), got.Grown>>20)
		if got.Codes["decoded"] != 1 || got.Grown > imaging.DefaultBudget+overhead {
			t.Errorf("%s: got %v, grown by %d MiB", name, got.Codes, got.Grown>>20)
		}
	}
}

// hugeWebP is a lossy file with a wrong length, which golang.org/x/image/vp8 believes.
func hugeWebP() []byte {
	return []byte("RIFF\xf0\xff\xff\x7fWEBPVP8 \xe0\xff\xff\x7f\x10\x00\x00\x9d\x01\x2a\x40\x00\x40\x00" + strings.Repeat("\x00", 100))
}

// TestPeakOfFiftyUploads decodes files concurrently of which only a few, or one, fit into the
// budget: together they stay within it.
func TestPeakOfFiftyUploads(t *testing.T) {
	jpeg := func(edge int) []byte {
		return imagingtest.RawJPEG{Frame: imagingtest.Progressive, Width: edge, Height: edge, Factors: []byte{0x11, 0x11, 0x11}, Adobe: -1}.Bytes()
	}
	largest := [][]byte{
		jpeg(2200), imagingtest.RawPNG{Width: 3800, Height: 3800, Depth: 8, Colour: imagingtest.TrueAlpha}.Bytes(),
	}
	var files [][]byte
	for i := range 50 {
		file := jpeg(500 + 8*i)
		if i%10 == 0 {
			file = largest[i/10%2]
		}
		files = append(files, file)
	}
	got := measure(t, "original", files...)
	t.Logf("grown by %d MiB", got.Grown>>20)
	if got.Codes["decoded"] != len(files) || got.Grown > imaging.DefaultBudget+overhead {
		t.Errorf("got %v, grown by %d MiB", got.Codes, got.Grown>>20)
	}
}

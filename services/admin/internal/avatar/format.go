package avatar

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/bep/imagemeta"
	"golang.org/x/image/webp"
)

// format is one kind of file that is understood. It is known by its first bytes; its name and what the client calls it do
// not matter.
type format struct {
	magic  string // '?' stands for any byte
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error) // of an animation: the first frame
	// perPixel is how many bytes decoding takes for each pixel at most.
	perPixel func(data []byte, config image.Config) int
	metadata imagemeta.ImageFormat // where EXIF is looked for; 0: nowhere
}

var formats = []format{
	{"\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode, jpegBytes, imagemeta.JPEG},
	{"\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode, pngBytes, imagemeta.PNG},
	{"GIF87a", gif.DecodeConfig, gif.Decode, gifBytes, 0},
	{"GIF89a", gif.DecodeConfig, gif.Decode, gifBytes, 0},
	{"RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode, webpBytes, imagemeta.WebP},
}

// formatOf returns the format that the data begins like.
func formatOf(data []byte) (format, bool) {
	for _, f := range formats {
		if begins(data, f.magic) {
			return f, true
		}
	}
	return format{}, false
}

func begins(data []byte, magic string) bool {
	if len(data) < len(magic) {
		return false
	}
	for i := range len(magic) {
		if magic[i] != '?' && magic[i] != data[i] {
			return false
		}
	}
	return true
}

// jpegBytes: the planes and what they are turned into. A progressive file keeps all coefficients, at four bytes, until
// its last scan.
func jpegBytes(data []byte, config image.Config) int {
	planes := 3
	if config.ColorModel == color.CMYKModel {
		planes = 4
	}
	if progressive(data) {
		return planes*(4+1) + 4
	}
	return planes + 4
}

// progressive reports whether the frame of a JPEG file is a progressive one. It walks the segments up to the frame.
func progressive(data []byte) bool {
	for at := 2; at+4 <= len(data); {
		if data[at] != 0xff {
			return false
		}
		marker := data[at+1]
		switch marker {
		case 0xff: // fill byte
			at++
			continue
		case 0xc2:
			return true
		case 0xc0, 0xc1, 0xda:
			return false
		}
		at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
	}
	return false
}

// pngBytes: four or eight bytes a pixel, and as much again for the passes of an interlaced file.
func pngBytes(data []byte, _ image.Config) int {
	const depthAt, interlaceAt = 24, 28 // in the header, which a config has proved to be there
	perPixel := 4
	if data[depthAt] == 16 {
		perPixel = 8
	}
	if data[interlaceAt] != 0 {
		perPixel *= 2
	}
	return perPixel
}

func gifBytes([]byte, image.Config) int { return 2 }

// webpBytes: lossless files are decoded into four bytes a pixel, with transforms of the same size.
func webpBytes([]byte, image.Config) int { return 9 }

// orientation returns the EXIF orientation, 1 to 8; 1, upright, when the file says nothing that can be understood.
func orientation(data []byte, f format) int {
	found := 1
	if f.metadata == 0 {
		return found
	}
	_, err := imagemeta.Decode(imagemeta.Options{
		R:           bytes.NewReader(data),
		ImageFormat: f.metadata,
		Sources:     imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			return tag.Tag == "Orientation" && tag.Namespace == "IFD0"
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			if value, ok := tag.Value.(uint16); ok && value >= 1 && value <= 8 {
				found = int(value)
			}
			return imagemeta.ErrStopWalking
		},
	})
	if err != nil {
		return 1
	}
	return found
}

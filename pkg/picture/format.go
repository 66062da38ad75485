package picture

import (
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/bep/imagemeta"
	"golang.org/x/image/webp"
)

// format is one kind of file that is understood. It is known by its first bytes; its name and what
// the client calls it do not matter.
type format struct {
	magic  string // '?' stands for any byte
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error) // of an animation: the first frame
	// cost returns the bytes that decode allocates at most, garbage included.
	cost     func(data []byte, config image.Config) (int64, error)
	metadata imagemeta.ImageFormat // where EXIF is looked for; 0: nowhere
}

const pngMagic = "\x89PNG\r\n\x1a\n"

var formats = []format{
	{"\xff\xd8", jpeg.DecodeConfig, jpeg.Decode, jpegCost, imagemeta.JPEG},
	{pngMagic, png.DecodeConfig, png.Decode, pngCost, imagemeta.PNG},
	{"GIF87a", gif.DecodeConfig, gif.Decode, gifCost, 0},
	{"GIF89a", gif.DecodeConfig, gif.Decode, gifCost, 0},
	{"RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode, webpCost, imagemeta.WebP},
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

package imaging

import (
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/bep/imagemeta"
	"golang.org/x/image/webp"
)

// format is one supported kind of file. It is recognised by its first bytes; file name and content
// type do not matter.
type format struct {
	magic    string // '?' stands for any byte
	config   func(io.Reader) (image.Config, error)
	decode   func(io.Reader) (image.Image, error) // of an animation: the first frame
	cost     func(data []byte, config image.Config) (cost, error)
	metadata imagemeta.ImageFormat // where EXIF is read; 0: nowhere
}

const pngMagic = "\x89PNG\r\n\x1a\n"

var formats = []format{
	{"\xff\xd8", jpeg.DecodeConfig, jpeg.Decode, jpegCost, imagemeta.JPEG},
	{pngMagic, png.DecodeConfig, png.Decode, pngCost, imagemeta.PNG},
	{"GIF87a", gif.DecodeConfig, gif.Decode, gifCost, 0},
	{"GIF89a", gif.DecodeConfig, gif.Decode, gifCost, 0},
	{"RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode, webpCost, imagemeta.WebP},
}

// formatOf returns the format whose magic bytes the data begins with.
func formatOf(data []byte) (format, bool) {
	for _, f := range formats {
		if begins(data, f.magic) {
			return f, true
		}
	}
	return format{}, false
}

// isHEIF reports whether the data is an HEIC or AVIF image: an ISO media file of one of the brands.
func isHEIF(data []byte) bool {
	for _, brand := range []string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"} {
		if begins(data, "????ftyp"+brand) {
			return true
		}
	}
	return false
}

// isAnimatedWebP reports whether the header of an extended WebP file announces an animation.
func isAnimatedWebP(data []byte) bool {
	const features, animation = 20, 1 << 1
	return begins(data, "RIFF????WEBPVP8X") && len(data) > features && data[features]&animation != 0
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

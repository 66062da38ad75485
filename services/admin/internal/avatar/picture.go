// Package avatar turns what people upload into square pictures of fixed sizes, and keeps them in a blob store.
//
// What is stored is drawn anew: no byte of the upload survives, so neither does a script that it hid or the place that it
// was taken at.
package avatar

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"slices"

	scale "golang.org/x/image/draw"

	"litfass/pkg/fault"
)

// Sizes are the edges of the stored pictures, in pixels; DefaultSize is shown when none is asked for.
var Sizes = []int{64, 128, 256, 512}

// DefaultSize is the size that is shown when none is asked for.
const DefaultSize = 256

// What an upload may be.
const (
	MaxBytes  = 5 << 20
	maxPixels = 25_000_000 // more than today's telephones take
	maxMemory = 256 << 20  // bytes that decoding may take
	workEdge  = 1024       // larger pictures are first brought down to between this and twice this
	quality   = 85         // of JPEG
)

// Picture is an avatar in every size.
type Picture struct {
	Type  string // image/png when it is transparent somewhere, else image/jpeg
	Sizes map[int][]byte
}

// Draw returns the picture of an uploaded JPEG, PNG, GIF or WebP file: its middle square, upright. The faults: TooLarge
// when the file has too many bytes or pixels, Invalid when it is none of these or damaged. How large the picture is, is
// read before any of it is decoded.
func Draw(data []byte) (Picture, error) {
	square, err := read(data)
	if err != nil {
		return Picture{}, err
	}
	return encode(square)
}

// read returns the upright middle square of a file, somewhat shrunk.
func read(data []byte) (*image.RGBA, error) {
	if len(data) > MaxBytes {
		return nil, fault.New(fault.TooLarge, "image_too_large", "the image has more than %d MiB", MaxBytes>>20)
	}
	f, known := formatOf(data)
	if !known {
		return nil, errNoImage(errors.New("unknown first bytes"))
	}
	config, err := f.config(bytes.NewReader(data))
	if err != nil {
		return nil, errNoImage(err)
	}
	if err := affordable(data, f, config); err != nil {
		return nil, err
	}
	decoded, err := f.decode(bytes.NewReader(data))
	if err != nil {
		return nil, errNoImage(err)
	}
	return turn(shrink(decoded, middle(decoded.Bounds())), orientation(data, f)), nil
}

func errNoImage(cause error) error {
	return fault.Wrap(cause, fault.Invalid, "image_invalid", "the file is not a JPEG, PNG, GIF or WebP image that can be read")
}

func affordable(data []byte, f format, config image.Config) error {
	if config.Width <= 0 || config.Height <= 0 {
		return errNoImage(errors.New("no pixels"))
	}
	most := min(maxPixels, maxMemory/f.perPixel(data, config))
	if config.Width > most/config.Height {
		return fault.New(fault.TooLarge, "image_too_many_pixels",
			"the image has %d × %d pixels; at most %d million are taken of such a file", config.Width, config.Height, most/1_000_000)
	}
	return nil
}

// middle returns the largest square in the middle of the bounds.
func middle(bounds image.Rectangle) image.Rectangle {
	edge := min(bounds.Dx(), bounds.Dy())
	corner := bounds.Min.Add(image.Pt((bounds.Dx()-edge)/2, (bounds.Dy()-edge)/2))
	return image.Rectangle{Min: corner, Max: corner.Add(image.Pt(edge, edge))}
}

// shrink returns the square of the source, its edge divided by a whole number so that little memory is needed for the
// rest. It works in bands of a few lines: the source is never copied as a whole.
func shrink(source image.Image, square image.Rectangle) *image.RGBA {
	factor := max(square.Dx()/workEdge, 1)
	edge := square.Dx() / factor
	small := image.NewRGBA(image.Rect(0, 0, edge, edge))
	band := image.NewRGBA(image.Rect(0, 0, edge*factor, factor))
	for y := range edge {
		draw.Draw(band, band.Bounds(), source, square.Min.Add(image.Pt(0, y*factor)), draw.Src)
		for x := range edge {
			average(band, x*factor, factor, small.Pix[small.PixOffset(x, y):])
		}
	}
	return small
}

// average writes the mean of the factor × factor pixels from x on. Colours are premultiplied, so transparent pixels do not
// tint it.
func average(band *image.RGBA, x, factor int, pixel []uint8) {
	var sum [4]int
	for line := range factor {
		at := band.PixOffset(x, line)
		for i := range 4 * factor {
			sum[i%4] += int(band.Pix[at+i])
		}
	}
	for channel := range sum {
		pixel[channel] = uint8(sum[channel] / (factor * factor)) // a mean of bytes is a byte
	}
}

// turn returns the square as it is to be seen, by its EXIF orientation.
func turn(square *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 || orientation > 8 {
		return square
	}
	last := square.Bounds().Dx() - 1
	turned := image.NewRGBA(square.Bounds())
	for y := range last + 1 {
		for x := range last + 1 {
			fromX, fromY := x, y
			if orientation >= 5 { // rows and columns change places
				fromX, fromY = y, x
			}
			switch orientation {
			case 2, 8:
				fromX = last - fromX
			case 3, 7:
				fromX, fromY = last-fromX, last-fromY
			case 4, 6:
				fromY = last - fromY
			}
			copy(turned.Pix[turned.PixOffset(x, y):][:4], square.Pix[square.PixOffset(fromX, fromY):][:4])
		}
	}
	return turned
}

func encode(square *image.RGBA) (Picture, error) {
	picture := Picture{Type: "image/jpeg", Sizes: make(map[int][]byte, len(Sizes))}
	if !square.Opaque() {
		picture.Type = "image/png"
	}
	for _, size := range slices.Backward(Sizes) {
		scaled := image.NewRGBA(image.Rect(0, 0, size, size))
		scale.CatmullRom.Scale(scaled, scaled.Bounds(), square, square.Bounds(), scale.Src, nil)
		square = scaled // the next is half of it
		var file bytes.Buffer
		var err error
		if picture.Type == "image/png" {
			err = png.Encode(&file, scaled)
		} else {
			err = jpeg.Encode(&file, scaled, &jpeg.Options{Quality: quality})
		}
		if err != nil {
			return Picture{}, fmt.Errorf("encode avatar: %w", err)
		}
		picture.Sizes[size] = file.Bytes()
	}
	return picture, nil
}

// Package avatar converts uploaded images to squares of fixed sizes and stores them in a blob
// store.
//
// The stored images are re-encoded: no byte of the upload is stored, and so neither hidden scripts
// nor metadata such as the location.
package avatar

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/imaging"
)

// Sizes are the edge lengths of the stored images, in pixels.
var Sizes = []int{64, 128, 256, 512}

// DefaultSize is the size of a request without one.
const DefaultSize = 256

// MaxBytes is the maximum size of an uploaded file.
const MaxBytes = 5 << 20

const quality = 85 // of JPEG

// Images are an avatar in every size.
type Images struct {
	Type  string // image/png when a pixel is transparent, else image/jpeg
	Sizes map[int][]byte
}

// Draw returns the avatar of an uploaded JPEG, PNG, GIF or WebP file: its middle square, upright.
// It returns TooLarge when the file has too many bytes, and the faults of imaging.Budget.Decode.
func Draw(ctx context.Context, budget *imaging.Budget, data []byte) (Images, error) {
	square, err := read(ctx, budget, data)
	if err != nil {
		return Images{}, err
	}
	return encode(square)
}

// read returns the upright middle square of a file, in the largest size.
func read(ctx context.Context, budget *imaging.Budget, data []byte) (square *image.RGBA, err error) {
	if len(data) > MaxBytes {
		return nil, fault.New(fault.TooLarge, "image_too_large", "the image has more than %d MiB", MaxBytes>>20)
	}
	file, err := imaging.Open(data)
	if err != nil {
		return nil, err
	}
	err = budget.Decode(ctx, file, 0, func(decoded image.Image) error {
		largest := image.Pt(Sizes[len(Sizes)-1], Sizes[len(Sizes)-1])
		square = file.Orientation.Turn(imaging.Scale(decoded, middle(decoded.Bounds()), largest))
		return nil
	})
	return square, err
}

// middle returns the largest square in the middle of the bounds.
func middle(bounds image.Rectangle) image.Rectangle {
	edge := min(bounds.Dx(), bounds.Dy())
	corner := bounds.Min.Add(image.Pt((bounds.Dx()-edge)/2, (bounds.Dy()-edge)/2))
	return image.Rectangle{Min: corner, Max: corner.Add(image.Pt(edge, edge))}
}

func encode(square *image.RGBA) (Images, error) {
	drawn := Images{Type: "image/jpeg", Sizes: make(map[int][]byte, len(Sizes))}
	if !square.Opaque() {
		drawn.Type = "image/png"
	}
	for _, size := range slices.Backward(Sizes) {
		scaled := imaging.Scale(square, square.Bounds(), image.Pt(size, size))
		square = scaled // the next is half of it
		var file bytes.Buffer
		var err error
		if drawn.Type == "image/png" {
			err = png.Encode(&file, scaled)
		} else {
			err = jpeg.Encode(&file, scaled, &jpeg.Options{Quality: quality})
		}
		if err != nil {
			return Images{}, fmt.Errorf("encode avatar: %w", err)
		}
		drawn.Sizes[size] = file.Bytes()
	}
	return drawn, nil
}

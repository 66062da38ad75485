package picture

import (
	"bytes"
	"image"

	"github.com/bep/imagemeta"
)

// Orientation is how a camera was held: the EXIF values 1 to 8; 1 is upright.
type Orientation int

// orientationOf returns the orientation in the EXIF data of a file; upright when there is none or
// it is invalid.
func orientationOf(data []byte, f format) Orientation {
	found := Orientation(1)
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
				found = Orientation(value)
			}
			return imagemeta.ErrStopWalking
		},
	})
	if err != nil {
		return 1
	}
	return found
}

// sideways reports whether rows and columns are swapped.
func (o Orientation) sideways() bool { return o >= 5 }

// Turn returns a stored picture upright.
func (o Orientation) Turn(stored *image.RGBA) *image.RGBA {
	if o <= 1 || o > 8 {
		return stored
	}
	width, height := stored.Bounds().Dx(), stored.Bounds().Dy()
	if o.sideways() {
		width, height = height, width
	}
	turned := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			from := o.storedAt(image.Pt(x, y), stored.Bounds().Size())
			copy(turned.Pix[turned.PixOffset(x, y):][:4], stored.Pix[stored.PixOffset(from.X, from.Y):][:4])
		}
	}
	return turned
}

// storedAt returns the point in a stored picture, of the given size, of a pixel of the upright
// picture.
func (o Orientation) storedAt(seen, size image.Point) image.Point {
	if o.sideways() {
		seen.X, seen.Y = seen.Y, seen.X
	}
	right, bottom := size.X-1-seen.X, size.Y-1-seen.Y
	switch o {
	case 2, 8:
		return image.Pt(right, seen.Y)
	case 3, 7:
		return image.Pt(right, bottom)
	case 4, 6:
		return image.Pt(seen.X, bottom)
	}
	return seen
}

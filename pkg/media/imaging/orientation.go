package imaging

import (
	"bytes"
	"image"

	"github.com/bep/imagemeta"
)

// Orientation is how a camera was held: the EXIF values 1 to 8; 1 is upright.
type Orientation int

const upright = Orientation(1)

// orientationOf returns the orientation in the EXIF data of a file; upright when there is none or
// it is invalid.
func orientationOf(data []byte, f format) Orientation {
	found := upright
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
		return upright
	}
	return found
}

// sideways reports whether rows and columns are swapped.
func (o Orientation) sideways() bool { return o >= 5 }

// seen returns the size of a stored image once it is upright, and of an upright one as it is
// stored.
func (o Orientation) seen(size image.Point) image.Point {
	if o.sideways() {
		return image.Pt(size.Y, size.X)
	}
	return size
}

// stored returns where a part of the upright image lies in the stored one, which has this size.
func (o Orientation) stored(seen image.Rectangle, size image.Point) image.Rectangle {
	first, last := o.storedAt(seen.Min, size), o.storedAt(seen.Max.Sub(image.Pt(1, 1)), size)
	part := image.Rectangle{Min: first, Max: last}.Canon()
	part.Max = part.Max.Add(image.Pt(1, 1))
	return part
}

// Turn returns a stored image upright.
func (o Orientation) Turn(stored *image.RGBA) *image.RGBA {
	if o == upright {
		return stored
	}
	turned := image.NewRGBA(image.Rectangle{Max: o.seen(stored.Bounds().Size())})
	for y := range turned.Bounds().Dy() {
		for x := range turned.Bounds().Dx() {
			from := o.storedAt(image.Pt(x, y), stored.Bounds().Size())
			copy(turned.Pix[turned.PixOffset(x, y):][:4], stored.Pix[stored.PixOffset(from.X, from.Y):][:4])
		}
	}
	return turned
}

// storedAt returns the point in a stored image, of the given size, of a pixel of the upright
// image.
func (o Orientation) storedAt(seen, size image.Point) image.Point {
	if o.sideways() {
		seen.X, seen.Y = seen.Y, seen.X
	}
	right, bottom := size.X-1-seen.X, size.Y-1-seen.Y
	switch int(o) {
	case 2, 8:
		return image.Pt(right, seen.Y)
	case 3, 7:
		return image.Pt(right, bottom)
	case 4, 6:
		return image.Pt(seen.X, bottom)
	}
	return seen
}

package imaging

import (
	"crypto/sha256"
	"encoding/hex"
	"image"
	"math"
	"strconv"
)

// Fit is how an image fills the box that is asked for.
type Fit string

// The two ways to fit.
const (
	Cover   Fit = "cover"   // fills the box, cropped around the focus point
	Contain Fit = "contain" // fits into the box as a whole
)

// Type is a format that images are drawn in.
type Type string

// The types. There is no WebP, whose encoders in Go save too little for their time (decision 035).
const (
	JPEG Type = "jpeg" // transparent pixels become white
	PNG  Type = "png"
	Auto Type = "auto" // PNG for an image with transparent pixels, else JPEG
)

// Variant is one of the images that can be requested of an original. Parse returns only a few
// different ones, so that strangers cannot fill the store with them.
type Variant struct {
	Width, Height int // of the box in pixels; 0, in one direction of Contain: any
	Fit           Fit
	Type          Type
	Quality       int // of JPEG, 1 to 100; 0 for PNG
}

// TypeOf returns the type of a stored original by its media type, JPEG unless that is PNG.
func TypeOf(contentType string) Type {
	if contentType == PNG.ContentType() {
		return PNG
	}
	return JPEG
}

// Of returns the variant of an original of a type: Auto becomes the type of the original.
func (v Variant) Of(original Type) Variant {
	if v.Type == Auto {
		v.Type = original
	}
	if v.Type == PNG {
		v.Quality = 0
	}
	return v
}

// ContentType returns the media type of JPEG or PNG.
func (t Type) ContentType() string { return "image/" + string(t) }

// Key names the variant in a blob store, below the key of the focus point that it is cut around.
func (v Variant) Key(focus Focus) string {
	around := "whole"
	if v.Fit == Cover {
		around = focus.Key()
	}
	size := strconv.Itoa(v.Width) + "x" + strconv.Itoa(v.Height)
	return around + "/" + string(v.Fit) + "-" + size + "-q" + strconv.Itoa(v.Quality) + edition + "." + string(v.Type)
}

// edition names how variants are drawn. Where the same variant of the same original gets other
// bytes, by another encoder or another way to scale, it becomes "-e2", then "-e3": variants that
// were stored before are not used any more, and addresses change.
const edition = ""

// Version names in a URL what the bytes of an image's variants depend on besides their parameters:
// the original, which its uuid stands for, the focus point, and how they are drawn. It is a hash in
// hexadecimal digits; a URL with it never gets other bytes.
func Version(uuid string, focus Focus) string {
	sum := sha256.Sum256([]byte(uuid + " " + focus.Key() + edition))
	return hex.EncodeToString(sum[:6])
}

// Focus is the point of an image that stays in view when it is cut: 0, 0 is the upper left corner,
// 1, 1 the lower right one.
type Focus struct{ X, Y float64 }

// Centre is the focus point of an image that has none.
var Centre = Focus{0.5, 0.5}

// FocusAt returns the focus point of stored coordinates, in hundredths, as its key names it; Centre
// when there are none.
func FocusAt(x, y *float64) Focus {
	if x == nil || y == nil {
		return Centre
	}
	return Focus{float64(hundredths(*x)) / 100, float64(hundredths(*y)) / 100}
}

// Key names the focus point in a blob store, in hundredths.
func (f Focus) Key() string {
	return strconv.Itoa(hundredths(f.X)) + "-" + strconv.Itoa(hundredths(f.Y))
}

func hundredths(share float64) int { return int(math.Round(100 * within(share))) }

func within(share float64) float64 {
	if !(share > 0) { // not a number, too
		return 0
	}
	return min(share, 1)
}

// Cut returns which part of an image of a size the variant shows, and how large. An image is
// never enlarged: of a small one, a cover keeps its shape, not its size.
func (v Variant) Cut(picture image.Point, focus Focus) (part image.Rectangle, size image.Point) {
	whole := image.Rectangle{Max: picture}
	if v.Fit == Cover {
		part = around(whole, v.Width, v.Height, focus)
		return part, shrink(part.Size(), v.Width, v.Height)
	}
	return whole, shrink(picture, v.Width, v.Height)
}

// around returns the largest part of the whole that has the shape of width to height, with the
// focus as near to its middle as possible.
func around(whole image.Rectangle, width, height int, focus Focus) image.Rectangle {
	size := whole.Size()
	if size.X*height > size.Y*width {
		size.X = max(rounded(size.Y, width, height), 1)
	} else {
		size.Y = max(rounded(size.X, height, width), 1)
	}
	left := offset(whole.Dx(), size.X, within(focus.X))
	top := offset(whole.Dy(), size.Y, within(focus.Y))
	return image.Rectangle{Min: image.Pt(left, top), Max: image.Pt(left, top).Add(size)}
}

// offset returns where a part of a length begins in a whole of a length.
func offset(whole, part int, focus float64) int {
	begin := int(math.Round(focus*float64(whole) - float64(part)/2))
	return max(0, min(begin, whole-part))
}

// shrink returns the largest size, at most the given one and of its shape, that fits into the box.
func shrink(size image.Point, width, height int) image.Point {
	if width > 0 && size.X > width {
		size = image.Pt(width, max(rounded(size.Y, width, size.X), 1))
	}
	if height > 0 && size.Y > height {
		size = image.Pt(max(rounded(size.X, height, size.Y), 1), height)
	}
	return size
}

// rounded returns number × over / under.
func rounded(number, over, under int) int { return (number*over + under/2) / under }

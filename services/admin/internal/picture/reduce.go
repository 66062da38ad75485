package picture

import (
	"image"
	"image/draw"
)

// Reduce returns a part of the source, its edges divided by the largest whole number that leaves it
// at least as large as size, so that further scaling needs little memory. It works in bands of a
// few lines: the source is never copied as a whole. The remainder of the division is cut off on the
// right and at the bottom.
func Reduce(source image.Image, part image.Rectangle, size image.Point) *image.RGBA {
	factor := max(min(part.Dx()/size.X, part.Dy()/size.Y), 1)
	small := image.NewRGBA(image.Rect(0, 0, part.Dx()/factor, part.Dy()/factor))
	band := image.NewRGBA(image.Rect(0, 0, small.Bounds().Dx()*factor, factor))
	for y := range small.Bounds().Dy() {
		draw.Draw(band, band.Bounds(), source, part.Min.Add(image.Pt(0, y*factor)), draw.Src)
		for x := range small.Bounds().Dx() {
			average(band, x*factor, factor, small.Pix[small.PixOffset(x, y):])
		}
	}
	return small
}

// average writes the mean of the factor × factor pixels from x on. Colours are premultiplied, so
// transparent pixels do not tint it.
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

package imaging

import (
	"image"

	"golang.org/x/image/draw"
)

// chunk is how many lines, then columns, are scaled at once. The library keeps 32 bytes for each
// pixel between its two directions, too many for a whole image.
const chunk = 32

// Scale returns a part of the source in another size, cubically interpolated. Where the part is
// several times as large, it is first reduced by a whole number, which leaves out less than that
// many lines and columns at the edges.
func Scale(source image.Image, part image.Rectangle, size image.Point) *image.RGBA {
	factor := factorOf(part.Size(), size)
	reduced := part.Size().Div(factor)
	narrow := image.NewRGBA(image.Rect(0, 0, size.X, reduced.Y))
	scaler := draw.CatmullRom.NewScaler(size.X, chunk, reduced.X, chunk)
	reduce := newReducer(source, reduced.X, factor)
	for top := 0; top < reduced.Y; top += chunk {
		lines := min(chunk, reduced.Y-top)
		small := reduce.lines(part.Min.Add(image.Pt(0, top*factor)), lines)
		scaler.Scale(narrow, image.Rect(0, top, size.X, top+lines), small, small.Bounds(), draw.Src, nil)
	}
	return shorten(narrow, size.Y)
}

// shorten returns the image with another height. Its width stays, so columns do not mix.
func shorten(narrow *image.RGBA, height int) *image.RGBA {
	size := narrow.Bounds().Size()
	scaled := image.NewRGBA(image.Rect(0, 0, size.X, height))
	scaler := draw.CatmullRom.NewScaler(chunk, height, chunk, size.Y)
	for left := 0; left < size.X; left += chunk {
		right := min(left+chunk, size.X)
		scaler.Scale(scaled, image.Rect(left, 0, right, height), narrow, image.Rect(left, 0, right, size.Y), draw.Src, nil)
	}
	return scaled
}

// factorOf returns the largest integer by which the edges of a part can be divided without becoming
// smaller than the size.
func factorOf(part, size image.Point) int {
	return max(min(part.X/size.X, part.Y/size.Y), 1)
}

// scaleCost returns the bytes that Scale allocates at most, its result included.
func scaleCost(part, size image.Point) int64 {
	factor := factorOf(part, size)
	reduced := part.Div(factor)
	images := size.X*reduced.Y + size.X*size.Y
	bands := chunk*reduced.X + part.X*factor
	const between = 32
	return int64(4*(images+bands) + between*chunk*(size.X+reduced.Y))
}

// reducer divides the edges of a source by a whole number, a chunk of lines at a time.
type reducer struct {
	source image.Image
	factor int
	band   *image.RGBA // lines of the source that become one
	small  *image.RGBA // a chunk of them
}

func newReducer(source image.Image, width, factor int) *reducer {
	return &reducer{
		source: source, factor: factor,
		band: image.NewRGBA(image.Rect(0, 0, width*factor, factor)), small: image.NewRGBA(image.Rect(0, 0, width, chunk)),
	}
}

// lines returns so many lines, of which the first begins at a point of the source. They last until
// the next call.
func (r *reducer) lines(from image.Point, count int) image.Image {
	clear(r.small.Pix)
	small := r.small.SubImage(image.Rect(0, 0, r.small.Bounds().Dx(), count))
	if r.factor == 1 {
		draw.Draw(r.small, small.Bounds(), r.source, from, draw.Src)
		return small
	}
	for y := range count {
		clear(r.band.Pix)
		draw.Draw(r.band, r.band.Bounds(), r.source, from.Add(image.Pt(0, y*r.factor)), draw.Src)
		for x := range r.small.Bounds().Dx() {
			average(r.band, x*r.factor, r.factor, r.small.Pix[r.small.PixOffset(x, y):])
		}
	}
	return small
}

// average writes the mean of the factor × factor pixels from x on. Colours are premultiplied, so
// transparent pixels do not tint it.
func average(band *image.RGBA, x, factor int, pixel []uint8) {
	var red, green, blue, alpha int
	for line := range factor {
		at := band.PixOffset(x, line)
		for line := band.Pix[at : at+4*factor]; len(line) > 0; line = line[4:] {
			red, green, blue, alpha = red+int(line[0]), green+int(line[1]), blue+int(line[2]), alpha+int(line[3])
		}
	}
	count := factor * factor
	for channel, sum := range [4]int{red, green, blue, alpha} {
		pixel[channel] = uint8(sum / count) //nolint:gosec // a mean of bytes is a byte
	}
}

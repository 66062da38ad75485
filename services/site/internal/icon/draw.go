package icon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
)

// point is a place on the field of the sign, 40 by 40 with the column in its middle.
type point struct{ x, y float64 }

// shape is a filled polygon.
type shape struct {
	fill    color.RGBA
	corners []point
}

var (
	paper = color.RGBA{0xfa, 0xf6, 0xec, 0xff}
	ink   = color.RGBA{0x1d, 0x1b, 0x16, 0xff}
	red   = color.RGBA{0xb3, 0x26, 0x1e, 0xff}
	blue  = color.RGBA{0x1f, 0x4e, 0x5f, 0xff}
	gold  = color.RGBA{0xd9, 0x9a, 0x1c, 0xff}
)

// sign is the advertising column of the pages' header, from the back to the front.
var sign = []shape{
	{ink, []point{{20, 1}, {21, 4}, {26, 5.2}, {29.5, 7}, {31, 10}, {9, 10}, {10.5, 7}, {14, 5.2}, {19, 4}}},
	box(ink, 10, 10, 20, 26), box(paper, 11.5, 11.5, 17, 23),
	box(red, 12.5, 14, 7, 9), box(blue, 21, 13, 7, 6), box(blue, 21, 21, 7, 10), box(gold, 12.5, 25, 7, 7),
	box(ink, 8, 35, 24, 4),
}

func box(fill color.RGBA, x, y, width, height float64) shape {
	return shape{fill, []point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}}
}

// field is the width and height of what sign is drawn on.
const field = 40

// contains reports whether a point is in the polygon.
func (s shape) contains(p point) (inside bool) {
	last := s.corners[len(s.corners)-1]
	for _, corner := range s.corners {
		if (corner.y > p.y) != (last.y > p.y) && p.x < (last.x-corner.x)*(p.y-corner.y)/(last.y-corner.y)+corner.x {
			inside = !inside
		}
		last = corner
	}
	return inside
}

// samples are how many points of a pixel are looked at in each direction, for smooth edges.
const samples = 4

// drawn returns the sign as a PNG of size × size pixels on a ground. A ground without opacity
// stays transparent.
func drawn(size int, ground color.RGBA) []byte {
	picture := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			picture.SetRGBA(x, y, pixel(x, y, size, ground))
		}
	}
	var content bytes.Buffer
	_ = png.Encode(&content, picture) // a buffer takes everything
	return content.Bytes()
}

// pixel returns the mean colour of the points of a pixel.
func pixel(x, y, size int, ground color.RGBA) color.RGBA {
	var sum [4]int
	scale := field / float64(size)
	for i := range samples * samples {
		at := point{
			(float64(x) + (float64(i%samples)+0.5)/samples) * scale, (float64(y) + (float64(i/samples)+0.5)/samples) * scale,
		}
		fill := ground
		for _, s := range sign {
			if s.contains(at) {
				fill = s.fill
			}
		}
		for n, part := range [4]uint8{fill.R, fill.G, fill.B, fill.A} {
			sum[n] += int(part)
		}
	}
	mean := func(n int) uint8 { return uint8(sum[n] / (samples * samples)) }
	return color.RGBA{mean(0), mean(1), mean(2), mean(3)}
}

// inICO returns a PNG as a Windows icon, which browsers ask for without a link.
func inICO(picture []byte, size uint8) []byte {
	var b bytes.Buffer
	const header = 22
	_ = binary.Write(&b, binary.LittleEndian, struct { // a buffer takes everything
		Reserved, Type, Count         uint16
		Width, Height, Colours, Blank uint8
		Planes, Bits                  uint16
		Bytes, Offset                 uint32
	}{0, 1, 1, size, size, 0, 0, 1, 32, uint32(len(picture)), header})
	b.Write(picture)
	return b.Bytes()
}

// vector returns the sign as SVG.
func vector() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">`, field, field)
	for _, s := range sign {
		fmt.Fprintf(&b, `<path fill="#%02x%02x%02x" d="M`, s.fill.R, s.fill.G, s.fill.B)
		for _, corner := range s.corners {
			fmt.Fprintf(&b, "%g %g ", corner.x, corner.y)
		}
		b.WriteString(`Z"/>`)
	}
	b.WriteString("</svg>")
	return []byte(b.String())
}

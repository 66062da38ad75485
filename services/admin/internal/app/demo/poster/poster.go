// Package poster draws the images of the demo catalogue: gradients and a few shapes, in several
// ratios. The same seed gives the same image.
package poster

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"golang.org/x/image/vector"
)

// Poster is an image that is composed, but not drawn yet.
type Poster struct {
	Width, Height  int     // pixels
	FocusX, FocusY float64 // where its largest shape is: 0 to 1 from the left and from the top

	colours []color.RGBA
	shapes  []shape // the ones behind first
}

// shape is a polygon in a colour, with an opacity from 0 to 1.
type shape struct {
	outline []point
	colour  color.RGBA
	opacity float64
}

type point struct{ x, y float64 }

// sizes are typical of organizers' images: cards, squares, posters, telephone screens, banners.
var sizes = []image.Point{
	{X: 1200, Y: 800}, {X: 1000, Y: 1000}, {X: 800, Y: 1200}, {X: 1200, Y: 675}, {X: 720, Y: 1280}, {X: 1200, Y: 500},
}

// palettes are two colours of the background each, followed by the colours of the shapes.
var palettes = [][]color.RGBA{
	{rgb(0x0b1f3a), rgb(0x274c77), rgb(0xf4a259), rgb(0xf9dc5c), rgb(0xe7ecef)},
	{rgb(0x2d1e2f), rgb(0x8c2f39), rgb(0xf7b32b), rgb(0xfcf6b1), rgb(0xa9e5bb)},
	{rgb(0x073b3a), rgb(0x0b6e4f), rgb(0x6bbf59), rgb(0xf2e86d), rgb(0xfffffa)},
	{rgb(0xf6f1e9), rgb(0xf3d9b1), rgb(0xc29979), rgb(0xa22522), rgb(0x1f2421)},
	{rgb(0x1a1a2e), rgb(0x533483), rgb(0xe94560), rgb(0x0f9bb3), rgb(0xf5f5f5)},
	{rgb(0xe8f1f2), rgb(0x9ad1d4), rgb(0x003249), rgb(0xee6c4d), rgb(0xffffff)},
}

func rgb(code uint32) color.RGBA {
	return color.RGBA{uint8(code >> 16), uint8(code >> 8), uint8(code), 255} //nolint:gosec // the lowest eight bits are meant
}

const quality = 78 // of JPEG

// Compose returns the poster of a seed.
func Compose(seed string) Poster {
	hash := sha256.Sum256([]byte(seed))
	chance := rand.New(rand.NewPCG(binary.BigEndian.Uint64(hash[:]), binary.BigEndian.Uint64(hash[8:]))) //nolint:gosec // no secret
	size := sizes[chance.IntN(len(sizes))]
	c := composer{
		width: float64(size.X), height: float64(size.Y), edge: float64(min(size.X, size.Y)),
		colours: palettes[chance.IntN(len(palettes))], chance: chance,
	}
	motifs := []func(){c.stripes, c.rays, c.confetti, c.hills}
	motifs[chance.IntN(len(motifs))]()
	x, y := c.disc()
	return Poster{
		Width: size.X, Height: size.Y, FocusX: x / c.width, FocusY: y / c.height, colours: c.colours, shapes: c.shapes,
	}
}

// Draw returns the image as JPEG, of 20 to 120 kB.
func (p Poster) Draw() ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, p.Width, p.Height))
	p.drawGround(canvas)
	for _, s := range p.shapes {
		s.draw(canvas)
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, canvas, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("encode poster: %w", err)
	}
	return file.Bytes(), nil
}

// drawGround fills the canvas with a gradient from one corner to the other.
func (p Poster) drawGround(canvas *image.RGBA) {
	from, to := p.colours[0], p.colours[1]
	steps := p.Width + p.Height
	for y := range p.Height {
		for x := range p.Width {
			at := x + y
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(steps-at) + int(b)*at) / steps) } //nolint:gosec // between a and b
			canvas.SetRGBA(x, y, color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 255})
		}
	}
}

func (s shape) draw(canvas *image.RGBA) {
	box := bounds(s.outline).Intersect(canvas.Bounds())
	outline := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, corner := range s.outline {
		x, y := float32(corner.x)-float32(box.Min.X), float32(corner.y)-float32(box.Min.Y)
		if i == 0 {
			outline.MoveTo(x, y)
		} else {
			outline.LineTo(x, y)
		}
	}
	outline.ClosePath()
	paint := color.NRGBA{s.colour.R, s.colour.G, s.colour.B, uint8(255 * s.opacity)}
	outline.Draw(canvas, box, image.NewUniform(paint), image.Point{})
}

// bounds returns the bounding box of a shape.
func bounds(shape []point) image.Rectangle {
	least, most := shape[0], shape[0]
	for _, corner := range shape {
		least = point{min(least.x, corner.x), min(least.y, corner.y)}
		most = point{max(most.x, corner.x), max(most.y, corner.y)}
	}
	return image.Rect(int(math.Floor(least.x)), int(math.Floor(least.y)), int(math.Ceil(most.x)), int(math.Ceil(most.y)))
}

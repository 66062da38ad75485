package poster

import (
	"image/color"
	"math"
	"math/rand/v2"
)

// composer composes one poster.
type composer struct {
	width, height, edge float64 // edge is the shorter one
	colours             []color.RGBA
	shapes              []shape
	chance              *rand.Rand
}

func (c *composer) between(least, most float64) float64 {
	return least + c.chance.Float64()*(most-least)
}

// shade returns a colour of the shapes.
func (c *composer) shade() color.RGBA { return c.colours[2+c.chance.IntN(len(c.colours)-2)] }

func (c *composer) add(outline []point, colour color.RGBA, opacity float64) {
	c.shapes = append(c.shapes, shape{outline, colour, opacity})
}

// round returns the outline of a circle, or of a shape of that many corners.
func round(centre point, radius, turned float64, corners int) []point {
	shape := make([]point, corners)
	for i := range shape {
		angle := turned + 2*math.Pi*float64(i)/float64(corners)
		shape[i] = point{centre.x + radius*math.Cos(angle), centre.y + radius*math.Sin(angle)}
	}
	return shape
}

const circle = 120 // corners that look like none

// stripes are slanted bands over the whole canvas.
func (c *composer) stripes() {
	width, height := c.width, c.height
	step := c.edge * c.between(0.12, 0.25)
	slant := height * c.between(-0.6, 0.6)
	for x := -height; x < width+height; x += 2 * step {
		c.add([]point{{x, 0}, {x + step, 0}, {x + step + slant, height}, {x + slant, height}},
			c.shade(), c.between(0.15, 0.5))
	}
}

// rays go out from a point below the canvas.
func (c *composer) rays() {
	width, height := c.width, c.height
	from := point{width * c.between(0.2, 0.8), height * c.between(0.9, 1.3)}
	const rays = 11
	reach := 2 * (width + height)
	for i := range rays {
		angle := math.Pi + math.Pi*(float64(i)+0.25)/rays
		next := angle + math.Pi/rays/2
		c.add([]point{
			from, {from.x + reach*math.Cos(angle), from.y + reach*math.Sin(angle)},
			{from.x + reach*math.Cos(next), from.y + reach*math.Sin(next)},
		}, c.shade(), 0.35)
	}
}

// confetti are small shapes all over the canvas.
func (c *composer) confetti() {
	width, height := c.width, c.height
	for range 40 {
		corners := []int{3, 4, 6, circle}[c.chance.IntN(4)]
		at := point{c.between(0, width), c.between(0, height)}
		c.add(round(at, c.edge*c.between(0.015, 0.07), c.between(0, math.Pi), corners), c.shade(), c.between(0.5, 0.95))
	}
}

// hills are waves, one before the other.
func (c *composer) hills() {
	width, height := c.width, c.height
	for i := range 4 {
		level, swing := height*(0.45+0.14*float64(i)), height*c.between(0.03, 0.09)
		period, shift := width*c.between(0.4, 0.9), c.between(0, math.Pi)
		shape := []point{{width, height}, {0, height}}
		for x := 0.0; x <= width; x += 8 {
			shape = append(shape, point{x, level + swing*math.Sin(shift+2*math.Pi*x/period)})
		}
		c.add(shape, c.shade(), 0.55)
	}
}

// disc draws the largest shape, with a smaller one on it, and returns its centre.
func (c *composer) disc() (x, y float64) {
	width, height := c.width, c.height
	centre := point{width * c.between(0.25, 0.75), height * c.between(0.25, 0.7)}
	radius := c.edge * c.between(0.16, 0.26)
	c.add(round(centre, radius, 0, circle), c.shade(), 1)
	corners := []int{3, 4, 5, circle}[c.chance.IntN(4)]
	c.add(round(centre, radius*0.6, c.between(0, math.Pi), corners), c.shade(), 0.9)
	return centre.x, centre.y
}

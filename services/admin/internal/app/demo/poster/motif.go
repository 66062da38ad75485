package poster

import "math"

// stripes are slanted bands over the whole canvas.
func (p *painter) stripes() {
	width, height := p.size()
	step := p.edge * p.between(0.12, 0.25)
	slant := height * p.between(-0.6, 0.6)
	for x := -height; x < width+height; x += 2 * step {
		p.fill([]point{{x, 0}, {x + step, 0}, {x + step + slant, height}, {x + slant, height}},
			p.shade(), p.between(0.15, 0.5))
	}
}

// rays go out from a point below the canvas.
func (p *painter) rays() {
	width, height := p.size()
	from := point{width * p.between(0.2, 0.8), height * p.between(0.9, 1.3)}
	const rays = 11
	reach := 2 * (width + height)
	for i := range rays {
		angle := math.Pi + math.Pi*(float64(i)+0.25)/rays
		next := angle + math.Pi/rays/2
		p.fill([]point{
			from, {from.x + reach*math.Cos(angle), from.y + reach*math.Sin(angle)},
			{from.x + reach*math.Cos(next), from.y + reach*math.Sin(next)},
		}, p.shade(), 0.35)
	}
}

// confetti are small shapes all over the canvas.
func (p *painter) confetti() {
	width, height := p.size()
	for range 40 {
		corners := []int{3, 4, 6, circle}[p.chance.IntN(4)]
		at := point{p.between(0, width), p.between(0, height)}
		p.fill(round(at, p.edge*p.between(0.015, 0.07), p.between(0, math.Pi), corners), p.shade(), p.between(0.5, 0.95))
	}
}

// hills are waves, one before the other.
func (p *painter) hills() {
	width, height := p.size()
	for i := range 4 {
		level, swing := height*(0.45+0.14*float64(i)), height*p.between(0.03, 0.09)
		period, shift := width*p.between(0.4, 0.9), p.between(0, math.Pi)
		shape := []point{{width, height}, {0, height}}
		for x := 0.0; x <= width; x += 8 {
			shape = append(shape, point{x, level + swing*math.Sin(shift+2*math.Pi*x/period)})
		}
		p.fill(shape, p.shade(), 0.55)
	}
}

// disc draws the largest shape, with a smaller one on it, and returns its centre.
func (p *painter) disc() (x, y float64) {
	width, height := p.size()
	centre := point{width * p.between(0.25, 0.75), height * p.between(0.25, 0.7)}
	radius := p.edge * p.between(0.16, 0.26)
	p.fill(round(centre, radius, 0, circle), p.shade(), 1)
	corners := []int{3, 4, 5, circle}[p.chance.IntN(4)]
	p.fill(round(centre, radius*0.6, p.between(0, math.Pi), corners), p.shade(), 0.9)
	return centre.x, centre.y
}

package rules

import (
	"fmt"
	"math"
	"regexp"
	"strconv"

	"litfass/pkg/chassis/fault/reason"
)

// The grounds on which the site shows the colour of a portal as text: of its light and its dark
// tokens (pkg/ui/css/tokens.css) the one with the least contrast. Its text on a ground of the
// colour is white or nearly black, which contrasts more.
const (
	lightGround = "#faf6ec"
	darkGround  = "#1d2327"
)

// minContrast is that of texts in WCAG 2.2, 1.4.3.
const minContrast = 4.5

var colourPattern = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// colour checks an optional colour that is shown on a ground.
func (c checker) colour(field, text, ground string) {
	if text == "" {
		return
	}
	if !colourPattern.MatchString(text) {
		c.bad(field, reason.NotColour)
		return
	}
	if have := contrast(text, ground); have < minContrast {
		c.bad(field, reason.TooLittleContrast(fmt.Sprintf("%.1f", math.Floor(have*10)/10), fmt.Sprint(minContrast)))
	}
}

// contrast returns the ratio of the luminances of two colours, from 1 to 21 (WCAG 2.2).
func contrast(a, b string) float64 {
	first, second := luminance(a), luminance(b)
	return (max(first, second) + 0.05) / (min(first, second) + 0.05)
}

// luminance returns the relative luminance of a colour #rrggbb, from 0 to 1.
func luminance(colour string) (sum float64) {
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8) // the pattern has been checked
		part := float64(n) / 255
		if part <= 0.04045 {
			sum += weight * part / 12.92
		} else {
			sum += weight * math.Pow((part+0.055)/1.055, 2.4)
		}
	}
	return sum
}

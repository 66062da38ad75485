package imaging

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// The sizes, shapes and qualities of variants. A request gets the next larger width or height, the
// nearest shape and the nearest quality.
var (
	rungs     = []int{160, 320, 480, 640, 960, 1280, 1920}
	shapes    = [][2]int{{1, 1}, {5, 4}, {4, 5}, {4, 3}, {3, 4}, {3, 2}, {2, 3}, {16, 9}, {9, 16}, {2, 1}, {1, 2}, {3, 1}}
	qualities = []int{60, 80, 90}
)

const (
	defaultWidth   = 1280 // when no size is asked for at all
	defaultQuality = 80
	maxAsked       = 10_000 // pixels
	maxShape       = 1_000  // the larger number of a ratio
)

// Parse returns the variant that the parameters of an image's URL request (RULES.md, Images): width
// and height in pixels, ratio as width:height, fit (cover, contain), type (jpg, jpeg, png, webp)
// and quality (0 to 100). With a ratio, or both width and height, an image is cropped to that shape
// unless fit is contain; otherwise it is shown whole. webp is answered in the closest type. Other
// parameters are left to the caller. The fault is Invalid and names every malformed one.
func Parse(parameters url.Values) (Variant, error) {
	p := parser{values: parameters}
	width, height := p.pixels("width"), p.pixels("height")
	across, down := p.ratio()
	fit, kind, quality := p.fit(), p.kind(), p.quality()
	if err := p.violations.Err("invalid_parameters", "the parameters of the image are not right"); err != nil {
		return Variant{}, err
	}
	if across == 0 && width > 0 && height > 0 {
		across, down = width, height
	}
	variant := box(width, height, across, down)
	if fit != "" && variant.Fit == Cover {
		variant.Fit = fit
	}
	variant.Type = kind
	if kind != PNG {
		variant.Quality = nearest(qualities, quality)
	}
	return variant, nil
}

// box returns the size and fit of a variant. Zeros were not asked for.
func box(width, height, across, down int) Variant {
	switch {
	case across == 0 && width == 0 && height > 0:
		return Variant{Height: rung(height), Fit: Contain}
	case across == 0 && width == 0:
		return Variant{Width: defaultWidth, Fit: Contain}
	case across == 0:
		return Variant{Width: rung(width), Fit: Contain}
	}
	across, down = shape(across, down)
	switch {
	case width == 0 && height == 0:
		width = defaultWidth
	case width == 0:
		width = rounded(height, across, down)
	}
	width = rung(width)
	return Variant{Width: width, Height: rounded(width, down, across), Fit: Cover}
}

// rung returns the smallest rung that is at least as large, or the largest one.
func rung(pixels int) int {
	for _, rung := range rungs {
		if rung >= pixels {
			return rung
		}
	}
	return rungs[len(rungs)-1]
}

// shape returns the shape that is nearest to a ratio, by the factor that lies between them.
func shape(across, down int) (nearestAcross, nearestDown int) {
	best, distance := shapes[0], math.Inf(1)
	for _, candidate := range shapes {
		factor := math.Log(float64(across) / float64(down) * float64(candidate[1]) / float64(candidate[0]))
		if math.Abs(factor) < distance {
			best, distance = candidate, math.Abs(factor)
		}
	}
	return best[0], best[1]
}

func nearest(numbers []int, target int) int {
	best := numbers[0]
	for _, number := range numbers {
		if abs(number-target) < abs(best-target) {
			best = number
		}
	}
	return best
}

func abs(number int) int { return max(number, -number) }

// parser reads parameters and collects their violations.
type parser struct {
	values     url.Values
	violations fault.Violations
}

// text returns the value of a parameter, "" without one.
func (p *parser) text(name string) string { return p.values.Get(name) }

func (p *parser) number(name string, least, most, otherwise int) int {
	text := p.text(name)
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < least || number > most || !isDigit(text[0]) {
		p.violations.Add(name, reason.NotIntegerBetween(least, most))
		return otherwise
	}
	return number
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *parser) pixels(name string) int { return p.number(name, 1, maxAsked, 0) }

func (p *parser) quality() int { return p.number("quality", 0, 100, defaultQuality) }

// ratio returns the two numbers of a ratio, or zeros.
func (p *parser) ratio() (across, down int) {
	text := p.text("ratio")
	if text == "" {
		return 0, 0
	}
	first, second, _ := strings.Cut(text, ":")
	across, wrong := strconv.Atoi(first)
	down, wrongToo := strconv.Atoi(second)
	if wrong != nil || wrongToo != nil || !isDigit(first[0]) || !isDigit(second[0]) ||
		min(across, down) < 1 || max(across, down) > maxShape {
		p.violations.Add("ratio", reason.NotRatio(maxShape))
		return 0, 0
	}
	return across, down
}

func (p *parser) fit() Fit {
	switch text := Fit(p.text("fit")); text {
	case "", Cover, Contain:
		return text
	}
	p.violations.Add("fit", reason.NotOneOf([]string{"cover", "contain"}))
	return ""
}

func (p *parser) kind() Type {
	switch p.text("type") {
	case "", "jpg", "jpeg":
		return JPEG
	case "png":
		return PNG
	case "webp":
		return Auto
	}
	p.violations.Add("type", reason.NotOneOf([]string{"jpg", "jpeg", "png", "webp"}))
	return ""
}

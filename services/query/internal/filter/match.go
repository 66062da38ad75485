package filter

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"litfass/services/query/internal/delta"
)

// What an expression finds is said here once more, for single documents: the engine, which says it
// for the whole index, is not asked about the answers that are kept. A test compares the two.

// Matches is true for every document.
func (all) Matches(*delta.Document) bool { return true }

// Matches is true for no document.
func (none) Matches(*delta.Document) bool { return false }

// Matches asks every part.
func (e and) Matches(d *delta.Document) bool {
	for _, part := range e {
		if !part.Matches(d) {
			return false
		}
	}
	return true
}

// Matches asks for one part.
func (e or) Matches(d *delta.Document) bool {
	for _, part := range e {
		if part.Matches(d) {
			return true
		}
	}
	return false
}

// Matches compares without regard to case, as the engine does. The values are in order.
func (e in) Matches(d *delta.Document) bool {
	value := d.Value(e.attribute)
	if value == nil {
		return false
	}
	for _, text := range value.Texts {
		if e.has(quoted(text)) || e.has(quoted(strings.ToLower(text))) || e.has(quoted(strings.ToUpper(text))) {
			return true
		}
	}
	for _, n := range value.Numbers {
		if e.has(float(n)) {
			return true
		}
	}
	return false
}

func (e in) has(l literal) bool {
	_, found := slices.BinarySearch(e.values, l)
	return found
}

// Matches asks for one value on this side of the expression's.
func (e compare) Matches(d *delta.Document) bool {
	value := d.Value(e.attribute)
	if value == nil {
		return false
	}
	if text, isText := e.value.text(); isText {
		return slices.ContainsFunc(value.Texts, func(v string) bool {
			return e.accepts(strings.Compare(strings.ToLower(v), strings.ToLower(text)))
		})
	}
	bound := e.value.number()
	return slices.ContainsFunc(value.Numbers, func(v float64) bool { return e.accepts(cmp.Compare(v, bound)) })
}

// accepts reports whether the order of a value and the expression's is the one asked for.
func (e compare) accepts(order int) bool {
	switch e.operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	default:
		return order >= 0
	}
}

// Matches asks for one value between both ends.
func (e between) Matches(d *delta.Document) bool {
	value := d.Value(e.attribute)
	low, high := e.low.number(), e.high.number()
	return value != nil && slices.ContainsFunc(value.Numbers, func(v float64) bool { return low <= v && v <= high })
}

// Matches asks for one key that begins with the expression's.
func (e startsWith) Matches(d *delta.Document) bool {
	value := d.Value(e.attribute)
	return value != nil && slices.ContainsFunc(value.Texts, func(v string) bool { return strings.HasPrefix(v, e.key) })
}

// Matches asks for one key that holds the expression's.
func (e contains) Matches(d *delta.Document) bool {
	value := d.Value(e.attribute)
	return value != nil && slices.ContainsFunc(value.Texts, func(v string) bool { return strings.Contains(v, e.key) })
}

// Matches asks for the attribute, also one that is null.
func (e exists) Matches(d *delta.Document) bool { return d.Value(e.attribute) != nil }

// text returns the text between a literal's quotes; ok is false for a number.
func (l literal) text() (text string, ok bool) {
	if !strings.HasPrefix(string(l), `"`) {
		return "", false
	}
	return strings.Trim(string(l), `"`), true
}

func (l literal) number() float64 {
	n, err := strconv.ParseFloat(string(l), 64)
	if err != nil {
		return 0 // cannot happen: it was written from a number
	}
	return n
}

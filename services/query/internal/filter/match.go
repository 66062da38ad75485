package filter

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Document is a document of the index, as an expression reads it.
type Document interface {
	// Values returns the texts and numbers of an attribute, none for null; exists is false when the
	// document lacks it.
	Values(attribute string) (texts []string, numbers []float64, exists bool)
}

// The methods below evaluate an expression on one document, as the engine evaluates its written
// form on the whole index. A test compares the two.

// Matches is true for every document.
func (all) Matches(Document) bool { return true }

// Matches is true for no document.
func (none) Matches(Document) bool { return false }

// Matches requires every part.
func (e and) Matches(d Document) bool {
	for _, part := range e {
		if !part.Matches(d) {
			return false
		}
	}
	return true
}

// Matches requires one part.
func (e or) Matches(d Document) bool {
	for _, part := range e {
		if part.Matches(d) {
			return true
		}
	}
	return false
}

// Matches ignores case, as the engine does. The values of the expression are sorted; only true and
// false are texts without quotes.
func (e in) Matches(d Document) bool {
	texts, numbers, _ := d.Values(e.attribute)
	for _, text := range texts {
		if e.has(literal(text)) || e.has(quoted(text)) || e.has(quoted(strings.ToLower(text))) || e.has(quoted(strings.ToUpper(text))) {
			return true
		}
	}
	for _, n := range numbers {
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

// Matches requires that no value is one of the expression's. A document without the attribute has
// none.
func (e notIn) Matches(d Document) bool { return !in(e).Matches(d) }

// Matches requires one value on this side of the expression's.
func (e compare) Matches(d Document) bool {
	texts, numbers, _ := d.Values(e.attribute)
	if text, isText := e.value.text(); isText {
		return slices.ContainsFunc(texts, func(v string) bool {
			return e.accepts(strings.Compare(strings.ToLower(v), strings.ToLower(text)))
		})
	}
	bound := e.value.number()
	return slices.ContainsFunc(numbers, func(v float64) bool { return e.accepts(cmp.Compare(v, bound)) })
}

// accepts reports whether the operator accepts a value that compares to the expression's like this.
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

// Matches requires one value from low to high.
func (e between) Matches(d Document) bool {
	_, numbers, _ := d.Values(e.attribute)
	low, high := e.low.number(), e.high.number()
	return slices.ContainsFunc(numbers, func(v float64) bool { return low <= v && v <= high })
}

// Matches requires one key with the expression's as a prefix.
func (e startsWith) Matches(d Document) bool {
	texts, _, _ := d.Values(e.attribute)
	return slices.ContainsFunc(texts, func(v string) bool { return strings.HasPrefix(v, e.key) })
}

// Matches requires one key that contains the expression's.
func (e contains) Matches(d Document) bool {
	texts, _, _ := d.Values(e.attribute)
	return slices.ContainsFunc(texts, func(v string) bool { return strings.Contains(v, e.key) })
}

// Matches requires the attribute, which may be null.
func (e exists) Matches(d Document) bool {
	_, _, found := d.Values(e.attribute)
	return found
}

// Matches requires that the document lacks the attribute.
func (e missing) Matches(d Document) bool {
	_, _, found := d.Values(e.attribute)
	return !found
}

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

package cache

import (
	"slices"

	"litfass/services/query/internal/filter"
)

// Criteria selects dates by an expression and by words.
type Criteria struct {
	expr       filter.Expr
	attributes []string // that expr reads
	words      words
	size       int
}

// expressionBytes is the memory that an expression takes per byte of its compiled form,
// approximately: each value is a string of its own.
const expressionBytes = 2

// NewCriteria returns the criteria of an expression, which compiles to a filter of the engine, and
// of words separated by spaces.
func NewCriteria(expr filter.Expr, compiled, search string) Criteria {
	words, attributes := parseWords(search), filter.Attributes(expr)
	slices.Sort(attributes)
	attributes = slices.Clip(slices.Compact(attributes))
	return Criteria{
		expr: expr, attributes: attributes, words: words, size: expressionBytes*len(compiled) + nameBytes*len(attributes) + words.size(),
	}
}

// nameBytes is the memory of a reference to the name of an attribute.
const nameBytes = 16

// reads reports whether the criteria read one of the attributes that a batch altered.
func (c Criteria) reads(batch *Batch) bool {
	return batch.alters(c.attributes...) || len(c.words) > 0 && batch.alters(wordAttributes...)
}

// mayFind reports whether a search by the criteria may find a document. Without words it is exact;
// with words it may be true of a document that the engine does not find.
func (c Criteria) mayFind(d *Document) bool {
	return d != nil && c.expr.Matches(d) &&
		!slices.ContainsFunc(c.words, func(word pattern) bool { return !word.mayMatch(d) })
}

// finds reports whether a search by the criteria certainly finds a document: it has the words as
// they are.
func (c Criteria) finds(d *Document) bool {
	return d != nil && c.expr.Matches(d) &&
		!slices.ContainsFunc(c.words, func(word pattern) bool { return !word.matches(d) })
}

// keepsRelevance reports whether a date that may be found before and after a change is found by the
// same words at the same places, and so keeps its rank as far as words decide: the texts that
// changed have none of the words, neither before nor after.
func (c Criteria) keepsRelevance(change *Change) bool {
	if len(c.words) == 0 || !change.reworded {
		return true
	}
	if change.before == nil || change.after == nil {
		return false
	}
	for _, name := range wordAttributes {
		if change.before.text(name) != change.after.text(name) && (c.words.mayMatchIn(change.before, name) || c.words.mayMatchIn(change.after, name)) {
			return false
		}
	}
	return true
}

// keepsFinding reports whether a date that may be found before and after a change is found after it
// if it was before.
func (c Criteria) keepsFinding(change *Change) bool {
	return c.keepsRelevance(change) || c.finds(change.before) && c.finds(change.after)
}

// mayCount reports whether a change may add a date to those found, or remove one.
func (c Criteria) mayCount(change *Change) bool {
	before, after := c.mayFind(change.before), c.mayFind(change.after)
	return before != after || (before && !c.keepsFinding(change))
}

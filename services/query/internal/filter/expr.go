// Package filter turns a query into a filter of the search engine, in three pure steps: build an
// expression, simplify it, write it down. The engine never sees text of a user in a filter: only
// numbers, uuids, codes and the keys of package document.
package filter

import (
	"slices"
	"strconv"
	"strings"
)

// Expr is a condition on documents. The zero value of each type below is not meant to be used.
type Expr interface {
	// simplify returns an equal expression that is not larger.
	simplify() Expr
	// write appends the expression in the engine's notation.
	write(b *strings.Builder)
	// Matches reports whether the engine finds a document by the expression.
	Matches(d Document) bool
}

type (
	all  struct{} // every document
	none struct{} // no document

	and []Expr
	or  []Expr

	in struct { // the attribute has at least one of the values
		attribute string
		values    []literal
	}
	notIn struct { // the attribute has none of the values
		attribute string
		values    []literal
	}
	compare struct { // the attribute is <, <=, > or >= value
		attribute, operator string
		value               literal
	}
	between struct { // both ends included
		attribute string
		low, high literal
	}
	startsWith struct{ attribute, key string }
	contains   struct{ attribute, key string }
	exists     struct{ attribute string }
	missing    struct{ attribute string }
)

// literal is a value in a filter: a number, or a quoted key.
type literal string

func number[N int | int64](n N) literal { return literal(strconv.FormatInt(int64(n), 10)) }

func float(n float64) literal { return literal(strconv.FormatFloat(n, 'f', -1, 64)) }

// quoted returns the literal of a uuid, a code or a key, none of which contains quotes or
// backslashes.
func quoted(key string) literal { return literal(`"` + key + `"`) }

func equal(attribute string, value literal) Expr { return in{attribute, []literal{value}} }

func anyOf[V any](attribute string, values []V, literalOf func(V) literal) Expr {
	literals := make([]literal, len(values))
	for i, v := range values {
		literals[i] = literalOf(v)
	}
	return in{attribute, literals}
}

// allOf requires every value, each in a list of the attribute.
func allOf(attribute string, values []int) Expr {
	var every and
	for _, v := range slices.Compact(slices.Sorted(slices.Values(values))) {
		every = append(every, equal(attribute, number(v)))
	}
	return every
}

// Compile simplifies an expression and writes it as a filter. found is false if it can match
// nothing, so that the engine need not be asked; an empty filter with found true matches
// everything. Equal questions compile to equal filters, in any order of their lists.
func Compile(e Expr) (filter string, found bool) {
	e = e.simplify()
	if _, nothing := e.(none); nothing {
		return "", false
	}
	var b strings.Builder
	e.write(&b)
	return b.String(), true
}

// Both matches what both expressions match.
func Both(a, b Expr) Expr { return and{a, b} }

// Simplify returns an equal expression that is not larger.
func Simplify(e Expr) Expr { return e.simplify() }

// One narrows a compiled filter of dates to one of them, a uuid in lower case.
func One(filter, dateUUID string) string {
	one, _ := Compile(equal("date_uuid", quoted(dateUUID)))
	if filter == "" {
		return one
	}
	return "(" + filter + ") AND " + one
}

// Among narrows a compiled filter of dates to the dates of some events, uuids in lower case.
func Among(filter string, eventUUIDs []string) string {
	among, _ := Compile(anyOf("uuid", eventUUIDs, quoted))
	if filter == "" {
		return among
	}
	return "(" + filter + ") AND " + among
}

// AmongSeries narrows a compiled filter of dates to the dates that are grouped by some series,
// uuids in lower case.
func AmongSeries(filter string, uuids []string) string {
	among, _ := Compile(anyOf("series_uuid", uuids, quoted))
	if filter == "" {
		return among
	}
	return "(" + filter + ") AND " + among
}

// OnlyDates narrows a compiled filter of dates to some of them, uuids in lower case.
func OnlyDates(filter string, dateUUIDs []string) string {
	only, _ := Compile(anyOf("date_uuid", dateUUIDs, quoted))
	if filter == "" {
		return only
	}
	return "(" + filter + ") AND " + only
}

// UpTo narrows an expression of dates to those at or before a place in the order by start.
func UpTo(e Expr, startKey int64, dateUUID string) Expr {
	return Simplify(and{e, or{
		compare{"start_key", "<", number(startKey)},
		and{equal("start_key", number(startKey)), compare{"date_uuid", "<=", quoted(dateUUID)}},
	}})
}

// EndingAfter returns the filter of the dates that end after a time in Unix seconds, and EndedBy
// that of all others.
func EndingAfter(time int64) string { return "ends_at > " + string(number(time)) }

// EndedBy is described at EndingAfter.
func EndedBy(time int64) string { return "ends_at <= " + string(number(time)) }

// Present narrows an expression of dates to those that have an attribute.
func Present(e Expr, attribute string) Expr { return Simplify(and{e, exists{attribute}}) }

// Having narrows an expression of dates to those that are counted by one of some values of an
// attribute, as the engine returns them.
func Having(e Expr, attribute string, values []string) Expr {
	return Simplify(and{e, someOf(attribute, values)})
}

func (all) simplify() Expr          { return all{} }
func (none) simplify() Expr         { return none{} }
func (e compare) simplify() Expr    { return e }
func (e between) simplify() Expr    { return e }
func (e startsWith) simplify() Expr { return e }
func (e contains) simplify() Expr   { return e }
func (e exists) simplify() Expr     { return e }
func (e missing) simplify() Expr    { return e }

func (e in) simplify() Expr {
	if len(e.values) == 0 {
		return none{}
	}
	values := slices.Clone(e.values)
	slices.Sort(values)
	return in{e.attribute, slices.Compact(values)}
}

func (e notIn) simplify() Expr {
	if len(e.values) == 0 {
		return all{}
	}
	values := slices.Clone(e.values)
	slices.Sort(values)
	return notIn{e.attribute, slices.Compact(values)}
}

func (e and) simplify() Expr {
	parts, constant := flatten(e, all{}, none{})
	switch {
	case constant:
		return none{}
	case len(parts) == 0:
		return all{}
	case len(parts) == 1:
		return parts[0]
	}
	return parts
}

func (e or) simplify() Expr {
	parts, constant := flatten(e, none{}, all{})
	switch {
	case constant:
		return all{}
	case len(parts) == 0:
		return none{}
	case len(parts) == 1:
		return parts[0]
	}
	return parts
}

// flatten simplifies the parts of a junction, inlines nested ones of the same kind, and omits
// neutral parts. constant is true if one part decides the whole.
func flatten[J interface {
	and | or
	Expr
}](parts J, neutral, deciding Expr) (flat J, constant bool) {
	for _, part := range parts {
		part = part.simplify()
		if part == deciding {
			return nil, true
		}
		if inner, nested := part.(J); nested {
			flat = append(flat, inner...)
		} else if part != neutral {
			flat = append(flat, part)
		}
	}
	return flat, false
}

func (all) write(b *strings.Builder)  {}
func (none) write(b *strings.Builder) {}

func (e and) write(b *strings.Builder) { junction(b, e, " AND ") }
func (e or) write(b *strings.Builder)  { junction(b, e, " OR ") }

// junction puts every part that is itself a junction in brackets.
func junction(b *strings.Builder, parts []Expr, word string) {
	for i, part := range parts {
		if i > 0 {
			b.WriteString(word)
		}
		switch part.(type) {
		case and, or:
			b.WriteByte('(')
			part.write(b)
			b.WriteByte(')')
		default:
			part.write(b)
		}
	}
}

func (e in) write(b *strings.Builder) {
	if len(e.values) == 1 {
		b.WriteString(e.attribute + " = " + string(e.values[0]))
		return
	}
	b.WriteString(e.attribute + " IN ")
	writeList(b, e.values)
}

func (e notIn) write(b *strings.Builder) {
	b.WriteString(e.attribute + " NOT IN ")
	writeList(b, e.values)
}

func writeList(b *strings.Builder, values []literal) {
	b.WriteByte('[')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(string(v))
	}
	b.WriteByte(']')
}

func (e compare) write(b *strings.Builder) {
	b.WriteString(e.attribute + " " + e.operator + " " + string(e.value))
}

func (e between) write(b *strings.Builder) {
	b.WriteString(e.attribute + " " + string(e.low) + " TO " + string(e.high))
}

func (e startsWith) write(b *strings.Builder) {
	b.WriteString(e.attribute + " STARTS WITH " + string(quoted(e.key)))
}

func (e contains) write(b *strings.Builder) {
	b.WriteString(e.attribute + " CONTAINS " + string(quoted(e.key)))
}

func (e exists) write(b *strings.Builder) { b.WriteString(e.attribute + " EXISTS") }

func (e missing) write(b *strings.Builder) { b.WriteString(e.attribute + " NOT EXISTS") }

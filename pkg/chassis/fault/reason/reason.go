// Package reason holds the reasons for which a field is invalid: for each its stable code, its
// parameters, and the English sentence that both make. The table is in codes.go.
//
// Clients translate a reason by its code and show the sentence for a code that they do not know.
package reason

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Reason is why a field is invalid. It is not changed once it is made.
type Reason struct {
	Code   string
	Params Params

	sentence string
}

// Params are the parts of a reason that vary, by name: texts, numbers and lists of texts.
type Params map[string]any

// MarshalJSON writes an object, also for nil.
func (p Params) MarshalJSON() ([]byte, error) {
	if p == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]any(p))
}

// String returns the English sentence, without the field that it is about: "has more than 200
// characters".
func (r *Reason) String() string {
	return placeholder.ReplaceAllStringFunc(r.sentence, func(name string) string {
		return Format(r.Params[strings.Trim(name, "{}")])
	})
}

// Format returns the value of a parameter as it is written in a sentence.
func Format(value any) string {
	switch value := value.(type) {
	case []string:
		return strings.Join(value, ", ")
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case []any: // a list that was read from JSON
		texts := make([]string, len(value))
		for i := range value {
			texts[i] = Format(value[i])
		}
		return strings.Join(texts, ", ")
	}
	return fmt.Sprint(value)
}

// Definition is a row of the table.
type Definition struct {
	Code     string
	Sentence string  // with {name} in place of each parameter
	Params   []Param // in the order of the sentence
}

// Param is a parameter of a code.
type Param struct{ Name, Type string }

// table holds the definitions by their codes.
var table = map[string]Definition{}

// All returns the definitions in the order of their codes.
func All() []Definition {
	return slices.SortedFunc(maps.Values(table), func(a, b Definition) int { return strings.Compare(a.Code, b.Code) })
}

var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// define adds a row to the table. It panics unless the sentence has one placeholder for each type.
func define(code, sentence string, types ...reflect.Type) []string {
	names := placeholder.FindAllString(sentence, -1)
	if _, known := table[code]; known || len(names) != len(types) {
		panic(fmt.Sprintf("the reason %s is there twice, or has not %d parameters", code, len(types)))
	}
	row := Definition{Code: code, Sentence: sentence}
	for i := range names {
		names[i] = strings.Trim(names[i], "{}")
		row.Params = append(row.Params, Param{names[i], typeNames[types[i].Kind()]})
	}
	table[code] = row
	return names
}

// typeNames are the types of parameters in JSON.
var typeNames = map[reflect.Kind]string{
	reflect.Int: "integer", reflect.Int64: "integer", reflect.Uint64: "integer", reflect.Float64: "number", reflect.String: "text",
	reflect.Int32: "text", reflect.Struct: "text", reflect.Slice: "list of texts",
}

// none defines a reason without parameters.
func none(code, sentence string) *Reason {
	define(code, sentence)
	return &Reason{Code: code, Params: Params{}, sentence: sentence}
}

// one defines a reason with one parameter, two and three those with more.
func one[A any](code, sentence string) func(A) *Reason {
	names := define(code, sentence, reflect.TypeFor[A]())
	return func(a A) *Reason {
		return &Reason{Code: code, Params: Params{names[0]: a}, sentence: sentence}
	}
}

func two[A, B any](code, sentence string) func(A, B) *Reason {
	names := define(code, sentence, reflect.TypeFor[A](), reflect.TypeFor[B]())
	return func(a A, b B) *Reason {
		return &Reason{Code: code, Params: Params{names[0]: a, names[1]: b}, sentence: sentence}
	}
}

func three[A, B, C any](code, sentence string) func(A, B, C) *Reason {
	names := define(code, sentence, reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C]())
	return func(a A, b B, c C) *Reason {
		return &Reason{Code: code, Params: Params{names[0]: a, names[1]: b, names[2]: c}, sentence: sentence}
	}
}

func four[A, B, C, D any](code, sentence string) func(A, B, C, D) *Reason {
	names := define(
		code, sentence, reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C](), reflect.TypeFor[D](),
	)
	return func(a A, b B, c C, d D) *Reason {
		return &Reason{Code: code, Params: Params{names[0]: a, names[1]: b, names[2]: c, names[3]: d}, sentence: sentence}
	}
}

// Rune is a character, written as U+0007.
type Rune rune

// String returns the character's number in Unicode.
func (r Rune) String() string { return fmt.Sprintf("%U", rune(r)) }

// MarshalText makes it text in JSON, too.
func (r Rune) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Quoted is text of a request, which the sentence quotes.
type Quoted string

// String returns the text in quotation marks.
func (q Quoted) String() string { return strconv.Quote(string(q)) }

// Word is an English word of a sentence, one of those in words.go, which clients translate.
type Word struct{ english string }

// String returns the word.
func (w Word) String() string { return w.english }

// MarshalText makes it text in JSON, too.
func (w Word) MarshalText() ([]byte, error) { return []byte(w.english), nil }

// Set is the name of a value set, such as event-types.
type Set string

// String returns the name as words.
func (s Set) String() string { return strings.ReplaceAll(string(s), "-", " ") }

// RulePart is the name of a part of a recurrence rule, such as UNTIL.
type RulePart string

// String returns the name with its article.
func (p RulePart) String() string {
	if strings.ContainsAny(string(p[:min(1, len(p))]), "AEIOU") {
		return "an " + string(p)
	}
	return "a " + string(p)
}

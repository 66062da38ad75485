// Package strictjson decodes a JSON object into a struct and rejects everything that the struct
// does not define: unknown keys, duplicate keys, keys in another case, values of another type, and
// text that PostgreSQL cannot store. It names every bad field, not only the first, by its path:
// "dates[2].start_time".
//
// The standard decoders, encoding/json/v2 included, stop at the first error; an importer that
// reports lines, and an API that names every bad field, need all of them.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/value"
)

const (
	maxViolations = 50  // reported of one document
	maxDepth      = 100 // of nested arrays and objects in a raw value
	// maxElements exceeds the valid length of any list. An element of two bytes can take hundreds of
	// them in memory, and as many in the answer that names its missing fields.
	maxElements = 2_000
)

// Decode reads data, one JSON object, into the struct that into points to. Keys are those of the
// struct's json tags; an absent or null key leaves the zero value. skip names keys that the caller
// has already read.
func Decode(data []byte, into any, skip ...string) fault.Violations {
	var d decoder
	if d.isObject(data) {
		d.object("", data, reflect.ValueOf(into).Elem(), skip)
	}
	return d.bad
}

// Key returns the text at a top-level key of data: "" if there is none. The violations tell why
// data is not a JSON object, or that the value is not text.
func Key(data []byte, key string) (string, fault.Violations) {
	var d decoder
	if !d.isObject(data) {
		return "", d.bad
	}
	var text value.Text
	for name, member := range Members(data) {
		if name == key {
			d.value(key, member, reflect.ValueOf(&text).Elem())
		}
	}
	return string(text), d.bad
}

// Object returns why data is not one JSON object in valid UTF-8, in words for people: "" when it
// is.
func Object(data []byte) (problem string) {
	switch err := valid(data); {
	case !utf8.Valid(data):
		return "is not valid UTF-8"
	case err != nil:
		return fmt.Sprintf("is not one JSON object: %v", err)
	case data[SkipSpace(data, 0)] != '{':
		return "is not a JSON object"
	}
	return ""
}

// valid is json.Valid with a reason.
func valid(data []byte) error {
	if json.Valid(data) {
		return nil
	}
	var document json.RawMessage
	return json.Unmarshal(data, &document)
}

// isObject reports whether data is one JSON object; if not, it records why.
func (d *decoder) isObject(data []byte) bool {
	if problem := Object(data); problem != "" {
		d.bad.Add("", "%s", problem)
		return false
	}
	return true
}

type decoder struct {
	bad fault.Violations
}

func (d *decoder) add(path, format string, args ...any) {
	if len(d.bad) < maxViolations {
		d.bad.Add(path, format, args...)
	}
}

func (d *decoder) object(path string, data []byte, target reflect.Value, skip []string) {
	fields := fieldsOf(target.Type())
	seen := make(map[string]bool, len(fields))
	for name, value := range Members(data) {
		at := join(path, name)
		if seen[name] {
			d.add(at, "is given twice")
			continue
		}
		seen[name] = true
		if index, known := fields[name]; known {
			d.value(at, value, target.FieldByIndex(index))
		} else if path != "" || !slices.Contains(skip, name) {
			d.add(at, "is not a known field")
		}
	}
}

// value decodes one JSON value into target by target's kind.
func (d *decoder) value(path string, data []byte, target reflect.Value) {
	if string(data) == "null" {
		return
	}
	if target.Kind() == reflect.Pointer {
		made := reflect.New(target.Type().Elem())
		target.Set(made)
		target = made.Elem()
	}
	switch {
	case target.Type() == rawMessage:
		d.raw(path, data, target)
	case target.Kind() == reflect.String:
		d.text(path, data, target)
	case reflect.PointerTo(target.Type()).Implements(unmarshaler):
		d.leaf(path, data, target, wantedOf(target.Type()))
	case target.Kind() == reflect.Struct:
		if data[0] != '{' {
			d.add(path, "must be an object")
			return
		}
		d.object(path, data, target, nil)
	case target.Kind() == reflect.Slice:
		d.list(path, data, target)
	default:
		d.leaf(path, data, target, wanted(target.Kind()))
	}
}

func (d *decoder) list(path string, data []byte, target reflect.Value) {
	if data[0] != '[' {
		d.add(path, "must be a list")
		return
	}
	list := reflect.MakeSlice(target.Type(), 0, 4)
	zero := reflect.Zero(target.Type().Elem())
	for value := range Elements(data) {
		if list.Len() == maxElements {
			d.add(path, "has more than %d elements", maxElements)
			return
		}
		at := path + "[" + strconv.Itoa(list.Len()) + "]"
		list = reflect.Append(list, zero)
		if string(value) == "null" {
			d.add(at, "must not be null")
			continue
		}
		d.value(at, value, list.Index(list.Len()-1))
	}
	target.Set(list)
}

func (d *decoder) text(path string, data []byte, target reflect.Value) {
	text, problem := Text(data)
	if problem != "" {
		d.add(path, "%s", problem)
		return
	}
	target.SetString(text)
}

// Text returns the text of a JSON value, or why it is none that Litfass takes, in words for people.
func Text(value []byte) (text, problem string) {
	if value[0] != '"' {
		return "", "must be text"
	}
	if plain := value[1 : len(value)-1]; bytes.IndexByte(plain, '\\') < 0 {
		return string(plain), ""
	}
	if loneSurrogate(value) {
		return "", "holds half of a surrogate pair"
	}
	if err := json.Unmarshal(value, &text); err != nil {
		return "", "must be text"
	}
	if strings.ContainsRune(text, 0) {
		return "", "must not hold the character U+0000"
	}
	return text, ""
}

func (d *decoder) leaf(path string, data []byte, target reflect.Value, wanted string) {
	if err := json.Unmarshal(data, target.Addr().Interface()); err != nil {
		d.add(path, "must be %s", wanted)
	}
}

// raw passes an unparsed value on, unless PostgreSQL would refuse it for its depth or its text.
func (d *decoder) raw(path string, data []byte, target reflect.Value) {
	if depth(data) > maxDepth {
		d.add(path, "is nested more than %d deep", maxDepth)
		return
	}
	if bytes.Contains(data, []byte(`\u0000`)) {
		d.add(path, "must not hold the character U+0000")
		return
	}
	target.SetBytes(bytes.Clone(data))
}

func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	default:
		return "an integer"
	}
}

func wantedOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[time.Time]():
		return "a time with its zone, such as 2026-11-20T19:30:00+01:00"
	case reflect.TypeFor[value.Mask]():
		return "an integer from 0 to 18446744073709551615, as text"
	default:
		return "of another form"
	}
}

func join(path, name string) string {
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "") + "…"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

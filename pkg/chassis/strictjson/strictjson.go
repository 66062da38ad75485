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
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
)

const (
	maxViolations = 50  // reported of one document
	maxDepth      = 100 // of nested arrays and objects in a raw value
	// maxElements exceeds the valid length of any list. An element of two bytes can take hundreds of
	// them in memory, and as many in the answer that names its missing fields.
	maxElements = 2_000
)

// Decode reads data, one JSON object, into the struct that into points to. The keys are the
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

// Object returns why data is not one JSON object in valid UTF-8, or nil.
func Object(data []byte) (problem *reason.Reason) {
	switch err := valid(data); {
	case !utf8.Valid(data):
		return reason.NotUTF8
	case err != nil:
		return reason.NotJSON(err.Error(), offset(err))
	case data[SkipSpace(data, 0)] != '{':
		return reason.NotObject
	}
	return nil
}

// valid is json.Valid with a reason.
func valid(data []byte) error {
	if json.Valid(data) {
		return nil
	}
	var document json.RawMessage
	return json.Unmarshal(data, &document)
}

// offset returns how many bytes of a document were read before an error of its syntax.
func offset(err error) int64 {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return syntax.Offset
	}
	return 0
}

// isObject reports whether data is one JSON object; if not, it records why.
func (d *decoder) isObject(data []byte) bool {
	if problem := Object(data); problem != nil {
		d.bad.Add("", problem)
		return false
	}
	return true
}

type decoder struct {
	bad fault.Violations
}

func (d *decoder) add(path string, problem *reason.Reason) {
	if len(d.bad) < maxViolations {
		d.bad.Add(path, problem)
	}
}

func (d *decoder) object(path string, data []byte, target reflect.Value, skip []string) {
	fields := fieldsOf(target.Type())
	seen := make(map[string]bool, len(fields))
	for name, value := range Members(data) {
		at := join(path, name)
		if seen[name] {
			d.add(at, reason.GivenTwice)
			continue
		}
		seen[name] = true
		if index, known := fields[name]; known {
			d.value(at, value, target.FieldByIndex(index))
		} else if path != "" || !slices.Contains(skip, name) {
			d.add(at, reason.UnknownField)
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
		d.leaf(path, data, target, mismatchOf(target.Type()))
	case target.Kind() == reflect.Struct:
		if data[0] != '{' {
			d.add(path, reason.NotObject)
			return
		}
		d.object(path, data, target, nil)
	case target.Kind() == reflect.Slice:
		d.list(path, data, target)
	case target.Kind() == reflect.Map:
		d.items(path, data, target)
	default:
		d.leaf(path, data, target, mismatch(target.Kind()))
	}
}

func (d *decoder) list(path string, data []byte, target reflect.Value) {
	if data[0] != '[' {
		d.add(path, reason.NotList)
		return
	}
	list := reflect.MakeSlice(target.Type(), 0, 4)
	zero := reflect.Zero(target.Type().Elem())
	for value := range Elements(data) {
		if list.Len() == maxElements {
			d.add(path, reason.TooMany(maxElements))
			return
		}
		at := path + "[" + strconv.Itoa(list.Len()) + "]"
		list = reflect.Append(list, zero)
		if string(value) == "null" {
			d.add(at, reason.NullItem)
			continue
		}
		d.value(at, value, list.Index(list.Len()-1))
	}
	target.Set(list)
}

// items decodes an object whose keys are not fixed. An item that is null is left out.
func (d *decoder) items(path string, data []byte, target reflect.Value) {
	if data[0] != '{' {
		d.add(path, reason.NotObject)
		return
	}
	items := reflect.MakeMap(target.Type())
	for key, value := range Members(data) {
		name, at := reflect.ValueOf(key), join(path, key)
		switch {
		case items.MapIndex(name).IsValid():
			d.add(at, reason.GivenTwice)
			continue
		case items.Len() == maxElements:
			d.add(path, reason.TooMany(maxElements))
			return
		case string(value) == "null":
			continue
		}
		item := reflect.New(target.Type().Elem()).Elem()
		d.value(at, value, item)
		items.SetMapIndex(name, item)
	}
	target.Set(items)
}

func (d *decoder) text(path string, data []byte, target reflect.Value) {
	text, problem := Text(data)
	if problem != nil {
		d.add(path, problem)
		return
	}
	target.SetString(text)
}

// Text returns the text of a JSON value, or why it is none that Litfass takes.
func Text(value []byte) (text string, problem *reason.Reason) {
	if value[0] != '"' {
		return "", reason.NotText
	}
	if plain := value[1 : len(value)-1]; bytes.IndexByte(plain, '\\') < 0 {
		return string(plain), nil
	}
	if loneSurrogate(value) {
		return "", reason.LoneSurrogate
	}
	if err := json.Unmarshal(value, &text); err != nil {
		return "", reason.NotText
	}
	if strings.ContainsRune(text, 0) {
		return "", reason.ControlCharacter(0)
	}
	return text, nil
}

func (d *decoder) leaf(path string, data []byte, target reflect.Value, problem *reason.Reason) {
	if err := json.Unmarshal(data, target.Addr().Interface()); err != nil {
		d.add(path, problem)
	}
}

// raw passes an unparsed value on, unless PostgreSQL would refuse it for its depth or its text.
func (d *decoder) raw(path string, data []byte, target reflect.Value) {
	if depth(data) > maxDepth {
		d.add(path, reason.TooDeep(maxDepth))
		return
	}
	if bytes.Contains(data, []byte(`\u0000`)) {
		d.add(path, reason.ControlCharacter(0))
		return
	}
	target.SetBytes(bytes.Clone(data))
}

func mismatch(kind reflect.Kind) *reason.Reason {
	switch kind {
	case reflect.Bool:
		return reason.NotBoolean
	case reflect.Float64:
		return reason.NotNumber
	default:
		return reason.NotInteger
	}
}

func mismatchOf(t reflect.Type) *reason.Reason {
	switch t {
	case reflect.TypeFor[time.Time]():
		return reason.NotMoment
	case reflect.TypeFor[value.Mask]():
		return reason.NotMask
	case reflect.TypeFor[value.Count]():
		return reason.NotInteger
	default:
		return reason.OtherForm
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

package strictjson

import (
	"bytes"
	"encoding/json"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

var (
	rawMessage  = reflect.TypeFor[json.RawMessage]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	structs     sync.Map // reflect.Type → map[string][]int
)

// fieldsOf returns the index of each field of a struct, and of the structs embedded in it, by its
// key.
func fieldsOf(t reflect.Type) map[string][]int {
	if known, ok := structs.Load(t); ok {
		return known.(map[string][]int)
	}
	fields := map[string][]int{}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			fields[name] = field.Index
		}
	}
	structs.Store(t, fields)
	return fields
}

// The functions below walk JSON without validating it: for invalid JSON their results are
// undefined, but they do not panic. They pass over a page of dates ten times as fast as
// encoding/json.

// Members yields the keys and values of an object in order, also keys that come twice.
func Members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for at := SkipSpace(object, SkipSpace(object, 0)+1); at < len(object) && object[at] == '"'; {
			end := ValueEnd(object, at)
			if end < 0 {
				return
			}
			key := keyText(object[at:end])
			at = SkipSpace(object, SkipSpace(object, end)+1) // after the colon
			if end = ValueEnd(object, at); end < 0 {
				return
			}
			if !yield(key, object[at:end]) {
				return
			}
			at = next(object, end)
		}
	}
}

// Elements yields the values of an array in order.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := SkipSpace(array, SkipSpace(array, 0)+1); at < len(array) && array[at] != ']'; {
			end := ValueEnd(array, at)
			if end < 0 || !yield(array[at:end]) {
				return
			}
			at = next(array, end)
		}
	}
}

// next returns the index of the value after the one that ended at at, or of the closing bracket.
func next(data []byte, at int) int {
	at = SkipSpace(data, at)
	if at < len(data) && data[at] == ',' {
		at = SkipSpace(data, at+1)
	}
	return at
}

// SkipSpace returns the first index from at on without white space, or the length of data.
func SkipSpace(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\t' || data[at] == '\n' || data[at] == '\r') {
		at++
	}
	return at
}

// ValueEnd returns the index after the value that begins at at, or -1 if it does not end.
func ValueEnd(data []byte, at int) int {
	if at >= len(data) {
		return -1
	}
	switch data[at] {
	case '"':
		return textEnd(data, at)
	case '{', '[':
		return nestEnd(data, at)
	}
	length := bytes.IndexAny(data[at:], ",]} \t\r\n")
	if length <= 0 {
		return -1
	}
	return at + length
}

// nestEnd returns the index after the object or array that begins at at, or -1.
func nestEnd(data []byte, at int) int {
	for open := 0; at >= 0 && at < len(data); {
		switch data[at] {
		case '"':
			at = textEnd(data, at)
			continue
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		at++
		if open == 0 {
			return at
		}
	}
	return -1
}

// textEnd returns the index after the string that begins at at, or -1. It ends at the first
// quotation mark after an even number of backslashes.
func textEnd(data []byte, at int) int {
	for from := at + 1; ; {
		quote := bytes.IndexByte(data[from:], '"')
		if quote < 0 {
			return -1
		}
		quote += from
		backslashes := 0
		for data[quote-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return quote + 1
		}
		from = quote + 1
	}
}

// depth returns how deeply arrays and objects are nested in a value.
func depth(data []byte) int {
	open, deepest := 0, 0
	for at := 0; at >= 0 && at < len(data); {
		switch data[at] {
		case '"':
			at = textEnd(data, at)
			continue
		case '{', '[':
			open++
			deepest = max(deepest, open)
		case '}', ']':
			open--
		}
		at++
	}
	return deepest
}

func keyText(quoted []byte) string {
	if plain := string(quoted[1 : len(quoted)-1]); !strings.Contains(plain, `\`) {
		return plain
	}
	var key string
	_ = json.Unmarshal(quoted, &key) // a valid JSON string always decodes
	return key
}

// loneSurrogate reports whether a JSON string has an escape \uD800 to \uDFFF that is not part of a
// pair.
func loneSurrogate(quoted []byte) bool {
	for at := 0; at < len(quoted); at++ {
		if quoted[at] != '\\' {
			continue
		}
		at++
		if quoted[at] != 'u' || !utf16.IsSurrogate(escaped(quoted[at-1:])) {
			continue
		}
		low := quoted[at+5:]
		if len(low) < 6 || low[0] != '\\' || low[1] != 'u' ||
			utf16.DecodeRune(escaped(quoted[at-1:]), escaped(low)) == '\uFFFD' {
			return true
		}
		at += 10
	}
	return false
}

// escaped returns the code of the escape \uXXXX that data begins with.
func escaped(data []byte) rune {
	code, _ := strconv.ParseUint(string(data[2:6]), 16, 16) // valid JSON has four hexadecimal digits here
	return rune(code)
}

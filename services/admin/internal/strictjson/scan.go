package strictjson

import (
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

// fieldsOf returns the index of each field of a struct, and of the structs embedded in it, by its key.
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

// The functions below walk JSON that json.Valid has accepted; they check nothing again.

// members yields the keys and values of an object, in order, also keys that come twice.
func members(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		at := space(data, 0) + 1
		for at = space(data, at); at < len(data) && data[at] != '}'; at = next(data, at) {
			end := skip(data, at)
			key := keyText(data[at:end])
			at = space(data, space(data, end)+1) // behind the colon
			end = skip(data, at)
			if !yield(key, data[at:end]) {
				return
			}
			at = end
		}
	}
}

// elements yields the values of an array.
func elements(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := space(data, 1); data[at] != ']'; at = next(data, at) {
			end := skip(data, at)
			if !yield(data[at:end]) {
				return
			}
			at = end
		}
	}
}

// next returns where the member behind the one that ended at is, or the closing bracket.
func next(data []byte, at int) int {
	at = space(data, at)
	if data[at] == ',' {
		at = space(data, at+1)
	}
	return at
}

// space returns the first place from at on that is no white space.
func space(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\t' || data[at] == '\n' || data[at] == '\r') {
		at++
	}
	return at
}

// skip returns the end of the value that begins at.
func skip(data []byte, at int) int {
	switch data[at] {
	case '"':
		return skipText(data, at)
	case '{', '[':
		return skipNested(data, at)
	}
	for at < len(data) && !strings.ContainsRune(" \t\r\n,]}", rune(data[at])) {
		at++
	}
	return at
}

func skipText(data []byte, at int) int {
	for at++; data[at] != '"'; at++ {
		if data[at] == '\\' {
			at++
		}
	}
	return at + 1
}

func skipNested(data []byte, at int) int {
	for open := 0; ; {
		switch data[at] {
		case '"':
			at = skipText(data, at)
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
}

// depth returns how deeply arrays and objects are nested in a value.
func depth(data []byte) int {
	open, deepest := 0, 0
	for at := 0; at < len(data); {
		switch data[at] {
		case '"':
			at = skipText(data, at)
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

// loneSurrogate reports whether a JSON string holds an escape \uD800 to \uDFFF that is no half of a pair.
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
		if len(low) < 6 || low[0] != '\\' || low[1] != 'u' || utf16.DecodeRune(escaped(quoted[at-1:]), escaped(low)) == '\uFFFD' {
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

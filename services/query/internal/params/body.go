package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonKind is a set of JSON types.
type jsonKind int

const (
	jsonString jsonKind = 1 << iota
	jsonNumber
	jsonBool
	jsonArray
	jsonObject
	jsonNull
)

func (k jsonKind) String() string {
	var names []string
	for _, one := range []struct {
		kind jsonKind
		name string
	}{{jsonString, "a string"}, {jsonNumber, "a number"}, {jsonBool, "true or false"}, {jsonArray, "an array"}, {jsonObject, "an object"}, {jsonNull, "null"}} {
		if k&one.kind != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, " or ")
}

// kindOf tells the type of a valid JSON value by its first byte.
func kindOf(value json.RawMessage) jsonKind {
	switch value[0] {
	case '"':
		return jsonString
	case '[':
		return jsonArray
	case '{':
		return jsonObject
	case 't', 'f':
		return jsonBool
	case 'n':
		return jsonNull
	default:
		return jsonNumber
	}
}

// splitJSON returns the parameters of a JSON object in its order, without those that have no value: null, "" and [].
func (r *reader) splitJSON(body []byte) []given {
	r.field = "body"
	if !utf8.Valid(body) {
		r.bad("is not valid UTF-8")
		return nil
	}
	members, problem := objectMembers(body)
	if problem != "" {
		r.bad("%s", problem)
		return nil
	}
	var params []given
	known, unknown := map[string]bool{}, map[string]bool{}
	for _, m := range members {
		if !r.operation.takes(m.name) {
			r.unknown(m.name, unknown)
			continue
		}
		r.field = m.name
		if known[m.name] {
			r.bad("is given more than once")
			continue
		}
		known[m.name] = true
		if param, ok := r.member(m); ok {
			params = append(params, param)
		}
	}
	return params
}

// maxMembers is more than there are parameters; it keeps a body of many tiny ones from taking much memory.
const maxMembers = 200

type member struct {
	name  string
	value json.RawMessage
}

// objectMembers splits a JSON object into its members without reading their values. problem says in words for people why
// body is no single JSON object.
func objectMembers(body []byte) (members []member, problem string) {
	const notObject = "is not a JSON object"
	decoder := json.NewDecoder(bytes.NewReader(body))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, notObject
	}
	for decoder.More() {
		if len(members) == maxMembers {
			return nil, fmt.Sprintf("has more than %d members", maxMembers)
		}
		name, err := decoder.Token()
		if err != nil {
			return nil, notObject
		}
		var m member
		m.name, _ = name.(string) // a key is always a string
		if err := decoder.Decode(&m.value); err != nil {
			return nil, notObject
		}
		members = append(members, m)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, notObject
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, "has something behind its JSON object"
	}
	return members, ""
}

// member reads one member; ok is false when it has no value or one of a wrong type.
func (r *reader) member(m member) (param given, ok bool) {
	row := table[m.name]
	takes := row.json
	if row.shape != scalar {
		takes |= jsonArray
	}
	kind := kindOf(m.value)
	if kind == jsonNull {
		return param, false
	}
	if kind&takes == 0 {
		r.bad("must be %s, not %s", takes, kind)
		return param, false
	}
	param = given{name: m.name}
	if kind != jsonArray {
		text, ok := r.plain(m.value, kind)
		param.values = []string{text}
		return param, ok && text != ""
	}
	items, ok := r.array(m.value, row.json)
	if !ok || len(items) == 0 {
		return param, false
	}
	if row.shape == tuple {
		param.values = []string{strings.Join(items, ",")}
		return param, true
	}
	param.values, param.apart = items, true
	return param, true
}

// array returns the items of a JSON array as text. More than the reader takes are not read.
func (r *reader) array(value json.RawMessage, takes jsonKind) (items []string, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	if _, err := decoder.Token(); err != nil { // the opening bracket, already seen
		return nil, false
	}
	for decoder.More() && len(items) <= r.maxItems {
		var item json.RawMessage
		if err := decoder.Decode(&item); err != nil { // cannot happen: the whole was read before
			r.bad("is not an array")
			return nil, false
		}
		kind := kindOf(item)
		if kind&takes == 0 {
			r.bad("must hold items that are each %s, not %s", takes, kind)
			return nil, false
		}
		text, readable := r.plain(item, kind)
		if !readable {
			return nil, false
		}
		items = append(items, text)
	}
	return items, true
}

// plain returns a string, number or boolean as the text that a URL would carry.
func (r *reader) plain(value json.RawMessage, kind jsonKind) (text string, ok bool) {
	if kind != jsonString {
		return string(value), true
	}
	if err := json.Unmarshal(value, &text); err != nil { // cannot happen: the whole was read before
		r.bad("is not a string")
		return "", false
	}
	if brokenSurrogate(value) {
		r.bad("has half of a surrogate pair")
		return "", false
	}
	return text, true
}

// brokenSurrogate reports whether a valid JSON string writes half of a surrogate pair, which is no character.
func brokenSurrogate(value json.RawMessage) bool {
	const unitEnd = len(`uXXXX`)
	for at := 0; at < len(value); at++ {
		if value[at] != '\\' {
			continue
		}
		at++ // to what is escaped
		if value[at] != 'u' {
			continue
		}
		half, rest := codeUnit(value[at:]), value[at+unitEnd:]
		at += unitEnd - 1
		if !utf16.IsSurrogate(half) {
			continue
		}
		other, paired := bytes.CutPrefix(rest, []byte(`\`))
		if !paired || other[0] != 'u' || utf16.DecodeRune(half, codeUnit(other)) == unicode.ReplacementChar {
			return true
		}
		at += 1 + unitEnd
	}
	return false
}

// codeUnit reads the uXXXX of an escape.
func codeUnit(escape []byte) rune {
	unit, err := strconv.ParseUint(string(escape[1:5]), 16, 16)
	if err != nil {
		return unicode.ReplacementChar // cannot happen: the JSON is valid
	}
	return rune(unit)
}

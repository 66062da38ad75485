package params

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/strictjson"
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
	}{
		{jsonString, "string"}, {jsonNumber, "number"}, {jsonBool, "boolean"},
		{jsonArray, "array"}, {jsonObject, "object"}, {jsonNull, "null"},
	} {
		if k&one.kind != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, " | ")
}

// kindOf returns the type of a valid JSON value, which its first byte determines.
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

// maxMembers exceeds the number of parameters; it bounds the memory of a body of many tiny ones.
const maxMembers = 200

// splitJSON returns the parameters of a JSON object in order, without empty ones: null, "" and [].
func (r *reader) splitJSON(body []byte) []argument {
	r.field = "body"
	if problem := strictjson.Object(body); problem != nil {
		r.bad(problem)
		return nil
	}
	var params []argument
	known, unknown := map[string]bool{}, map[string]bool{}
	count := 0
	for name, value := range strictjson.Members(body) {
		if count++; count > maxMembers {
			r.violations, r.field = nil, "body"
			r.bad(reason.TooMany(maxMembers))
			return nil
		}
		if !r.known(name) {
			if !absent(value) {
				r.unknown(name, unknown)
			}
			continue
		}
		r.field = name
		if known[name] {
			r.bad(reason.GivenTwice)
			continue
		}
		known[name] = true
		if param, ok := r.member(name, value); ok {
			params = append(params, param)
		}
	}
	return params
}

// absent reports whether a value counts as none.
func absent(value json.RawMessage) bool {
	switch string(value) {
	case "null", `""`:
		return true
	}
	if value[0] != '[' {
		return false
	}
	for range strictjson.Elements(value) {
		return false
	}
	return true
}

// member reads one member; ok is false when it has no value or one of a wrong type.
func (r *reader) member(name string, value json.RawMessage) (param argument, ok bool) {
	row := r.takes[name]
	takes := row.json
	if row.shape != scalar {
		takes |= jsonArray
	}
	kind := kindOf(value)
	if kind == jsonNull {
		return param, false
	}
	if kind&takes == 0 {
		r.bad(reason.WrongType(takes.String(), kind.String()))
		return param, false
	}
	param = argument{name: name}
	if kind != jsonArray {
		text, ok := r.plain(value, kind)
		param.values = []string{text}
		return param, ok && text != ""
	}
	items, ok := r.array(value, row.json)
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

// array returns the items of a JSON array as text. It stops one item after the limit of the reader.
func (r *reader) array(value json.RawMessage, takes jsonKind) (items []string, ok bool) {
	for item := range strictjson.Elements(value) {
		kind := kindOf(item)
		if kind&takes == 0 {
			r.bad(reason.WrongItemType(takes.String(), kind.String()))
			return nil, false
		}
		text, readable := r.plain(item, kind)
		if !readable {
			return nil, false
		}
		if items = append(items, text); len(items) > r.maxItems {
			break
		}
	}
	return items, true
}

// plain returns a string, number or boolean as the text that a URL would carry.
func (r *reader) plain(value json.RawMessage, kind jsonKind) (text string, ok bool) {
	switch kind {
	case jsonString:
		text, problem := strictjson.Text(value)
		if problem != nil {
			r.bad(problem)
		}
		return text, problem == nil
	case jsonNumber:
		return plainNumber(string(value)), true
	default:
		return string(value), true
	}
}

// plainNumber writes whole numbers as digits, however JSON writes them: 5.0 and 5e0 are 5. Others,
// and those beyond the exact range of a float64, are not changed.
func plainNumber(text string) string {
	const exact = 1 << 53
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) >= exact {
		return text
	}
	return strconv.FormatInt(int64(n), 10)
}

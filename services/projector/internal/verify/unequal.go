package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"litfass/pkg/chassis/index"
)

// unequal names the attributes in which two documents differ, in order. For an attribute with an
// object as JSON text it names the different keys: "entry.title".
func unequal(a, b index.Document) ([]string, error) {
	different, err := unequalKeys(a, b)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range different {
		inside, err := unequalInside(name, a[name], b[name])
		if err != nil {
			return nil, err
		}
		names = append(names, inside...)
	}
	return names, nil
}

func unequalKeys(a, b index.Document) ([]string, error) {
	var names []string
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var different []string
	for _, name := range names {
		equal, err := equalJSON(a[name], b[name])
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		if !equal {
			different = append(different, name)
		}
	}
	return different, nil
}

// unequalInside names the keys in which two different texts differ that are objects as JSON. Other
// values go by the attribute's own name, as do spellings of equal objects: clients would see
// another text.
func unequalInside(name string, a, b json.RawMessage) ([]string, error) {
	left, right := objectIn(a), objectIn(b)
	if left == nil || right == nil {
		return []string{name}, nil
	}
	keys, err := unequalKeys(left, right)
	if err != nil || len(keys) == 0 {
		return []string{name}, err
	}
	for i, key := range keys {
		keys[i] = name + "." + key
	}
	return keys, nil
}

// objectIn returns the object in a JSON string; nil when there is none.
func objectIn(quoted json.RawMessage) (object index.Document) {
	var text string
	if json.Unmarshal(quoted, &text) != nil || json.Unmarshal([]byte(text), &object) != nil {
		return nil
	}
	return object
}

// equalJSON compares values, not spelling: 25 equals 25.0, and the order of an object's keys does
// not matter. An absent value (nil) equals only another one.
func equalJSON(a, b json.RawMessage) (bool, error) {
	if a == nil || b == nil || bytes.Equal(a, b) {
		return bytes.Equal(a, b) && (a == nil) == (b == nil), nil
	}
	var left, right any
	if err := json.Unmarshal(a, &left); err != nil {
		return false, err
	}
	if err := json.Unmarshal(b, &right); err != nil {
		return false, err
	}
	return reflect.DeepEqual(left, right), nil
}

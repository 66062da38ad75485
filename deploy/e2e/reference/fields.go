package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
)

// Array is a list of a public answer: null in a catalogue means that there are no values, and an
// answer says so by an empty list.
type Array[T any] []T

// MarshalJSON writes an array, also for nil.
func (l Array[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// Fields returns the fields of an answer by key, as decoded from JSON.
func Fields(answer any) map[string]any {
	encoded, err := json.Marshal(answer)
	if err != nil {
		panic(err) // plain values always encode
	}
	fields := map[string]any{}
	if err := json.Unmarshal(encoded, &fields); err != nil {
		panic(err)
	}
	return fields
}

// SortedFields returns the fields of an entry with sorted lists, as SameFields compares them.
func SortedFields(e Entry) map[string]any {
	fields := Fields(e)
	for key, value := range fields {
		fields[key] = Sorted(value)
	}
	return fields
}

// SameFields compares an object with the fields that it must show; it may show further ones. The
// order of lists of values does not matter.
func SameFields(got, want map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		value, present := got[key]
		if !present {
			return fmt.Errorf("%s is missing", key)
		}
		if !SameValue(Sorted(value), want[key]) {
			return fmt.Errorf("%s is %.200q, want %.200q", key, fmt.Sprint(value), fmt.Sprint(want[key]))
		}
	}
	return nil
}

// Shows compares a value of JSON with the expected value. Objects may have further keys, unless the
// keys are languages.
func Shows(got, want any) error {
	switch want := want.(type) {
	case map[string]any:
		object, isObject := got.(map[string]any)
		if !isObject {
			return fmt.Errorf("is %v, want %v", got, want)
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if err := Shows(object[key], want[key]); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			if key == "texts" && len(object[key].(map[string]any)) != len(want[key].(map[string]any)) {
				return fmt.Errorf("texts are %v, want %v", object[key], want[key])
			}
		}
		return nil
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return fmt.Errorf("is %v, want %v", got, want)
		}
		for i := range want {
			if err := Shows(list[i], want[i]); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	default:
		if !SameValue(got, want) {
			return fmt.Errorf("is %v, want %v", got, want)
		}
		return nil
	}
}

// SameValue compares two values of JSON. Coordinates may differ by less than a hundred-billionth of
// a degree: engines do not read numbers of 16 digits alike.
func SameValue(got, want any) bool {
	a, isNumber := got.(float64)
	b, areNumbers := want.(float64)
	if isNumber && areNumbers {
		return math.Abs(a-b) <= 1e-11
	}
	return reflect.DeepEqual(got, want)
}

// Sorted returns a list of JSON in an order of its values, and any other value as it is.
func Sorted(value any) any {
	list, isList := value.([]any)
	if !isList {
		return value
	}
	return slices.SortedFunc(slices.Values(list), func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

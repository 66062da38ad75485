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

// Fields returns an entry by key as decoded from JSON, with sorted lists.
func Fields(e Entry) map[string]any {
	encoded, err := json.Marshal(e)
	if err != nil {
		panic(err) // plain values always encode
	}
	fields := map[string]any{}
	if err := json.Unmarshal(encoded, &fields); err != nil {
		panic(err)
	}
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

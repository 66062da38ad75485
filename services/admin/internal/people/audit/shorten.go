package audit

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"litfass/pkg/contracts/adminapi"
)

// The bounds of what an entry holds, for each of its sides.
const (
	longText   = 4_000  // characters; longer texts are held as passages
	maxPassage = 2_000  // characters
	around     = 40     // characters that a passage has around what has changed
	maxField   = 8_000  // bytes; of longer lists only the first elements are held
	maxSide    = 12_000 // bytes, of fields of more than leastField
	leastField = 200
)

// shorten bounds the fields before and after a write. Long texts become passages of what has
// changed, from which the text before can be restored; long lists lose their last elements, which
// the field "more" counts.
func shorten(was, is fields) {
	for _, name := range slices.Sorted(maps.Keys(union(was, is))) {
		if len(was[name]) <= longText && len(is[name]) <= longText {
			continue // it has no long text
		}
		before, after := pair(decode(was[name]), decode(is[name]))
		was.set(name, before)
		is.set(name, after)
	}
	was.bound()
	is.bound()
}

func union[V any](a, b map[string]V) map[string]V {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return all
}

// set replaces a field that is there.
func (f fields) set(name string, value any) {
	if _, exists := f[name]; exists {
		f[name], _ = json.Marshal(value) // decoded JSON can be encoded
	}
}

func decode(value json.RawMessage) (decoded any) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	_ = decoder.Decode(&decoded) // an absent field is nil
	return decoded
}

// pair shortens a value before and after a write.
func pair(was, is any) (before, after any) {
	switch {
	case isLong(was) || isLong(is):
		return pairTexts(was, is)
	case isA[map[string]any](was, is):
		before, after := asMap(was), asMap(is)
		for key := range union(before, after) {
			b, a := pair(before[key], after[key])
			put(before, key, b)
			put(after, key, a)
		}
		return was, is
	case isA[[]any](was, is):
		before, after := asList(was), asList(is)
		places := placesOf(after)
		for i, element := range before {
			if other, exists := places[identity(element, i)]; exists {
				before[i], after[other] = pair(element, after[other])
			} else {
				before[i], _ = pair(element, nil)
			}
		}
		for i, element := range after {
			_, after[i] = pair(nil, element)
		}
		return was, is
	}
	return was, is
}

func isLong(value any) bool {
	text, isText := value.(string)
	return isText && len(text) > longText && len([]rune(text)) > longText
}

// isA reports whether one of two values is a T, and the other one, too, or nil.
func isA[T any](a, b any) bool {
	_, first := a.(T)
	_, second := b.(T)
	return first && (second || b == nil) || second && a == nil
}

func asMap(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

func put(object map[string]any, key string, value any) {
	if _, exists := object[key]; exists {
		object[key] = value
	}
}

// identity is what an element of a list has in common before and after a write: its uuid, else its
// place.
func identity(element any, place int) any {
	if id, isText := asMap(element)["uuid"].(string); isText {
		return id
	}
	return place
}

func placesOf(list []any) map[any]int {
	places := make(map[any]int, len(list))
	for i, element := range list {
		places[identity(element, i)] = i
	}
	return places
}

// pairTexts returns a text before and after a write, of which one is long, as passages.
func pairTexts(was, is any) (before, after any) {
	a, aIsText := was.(string)
	b, bIsText := is.(string)
	start, rest := 0, 0
	if aIsText && bIsText {
		start, rest = common([]rune(a), []rune(b))
	}
	before, after = was, is
	if aIsText {
		before = adminapi.PassageOf(a, start, rest, maxPassage)
	}
	if bIsText {
		after = adminapi.PassageOf(b, start, rest, maxPassage)
	}
	return before, after
}

// common returns how many characters two texts have in common at the beginning and at the end, less
// what passages have around the change.
func common(a, b []rune) (start, rest int) {
	shorter := min(len(a), len(b))
	for start < shorter && a[start] == b[start] {
		start++
	}
	if start == len(a) && start == len(b) { // equal: no passage
		return start, 0
	}
	for rest < shorter-start && a[len(a)-1-rest] == b[len(b)-1-rest] {
		rest++
	}
	return max(start-around, 0), max(rest-around, 0)
}

// bound cuts lists off, and then holds the largest fields as passages without words, until the side
// is small enough.
func (f fields) bound() {
	more := map[string]int{}
	for name, value := range f {
		if len(value) > maxField {
			f[name], more[name] = cut(value)
		}
	}
	maps.DeleteFunc(more, func(_ string, count int) bool { return count == 0 })
	if len(more) > 0 {
		f["more"], _ = json.Marshal(more)
	}
	for f.size() > maxSide {
		var largest string
		for name := range f {
			if len(f[name]) > len(f[largest]) {
				largest = name
			}
		}
		if len(f[largest]) <= leastField {
			return
		}
		f.set(largest, adminapi.PassageOf(string(f[largest]), 0, 0, 0))
	}
}

func (f fields) size() (bytes int) {
	for name, value := range f {
		bytes += len(name) + len(value)
	}
	return bytes
}

// cut returns the first elements of a list that fit into a field, and how many it leaves out. Any
// other value is returned as it is.
func cut(value json.RawMessage) (json.RawMessage, int) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return value, 0
	}
	kept, size := 0, 2
	for kept < len(list) && size+len(list[kept])+1 <= maxField {
		size += len(list[kept]) + 1
		kept++
	}
	short, _ := json.Marshal(list[:kept]) // decoded JSON can be encoded
	return short, len(list) - kept
}

package version

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"

	"litfass/pkg/contracts/adminapi"
)

// Readable returns the values of a write with passages as texts that people can read.
func (v Values) Readable() Values {
	if v == nil {
		return nil
	}
	readable := Values{}
	for key, value := range v {
		if readable[key] = value; !hasPassage(value) {
			continue
		}
		readable[key], _ = rewrite(value, nil, nil, func(p adminapi.Passage, _ string, _ json.RawMessage) (string, bool) {
			return p.String(), true
		})
	}
	return readable
}

// More returns how many elements of a list a write changed beyond those that its values have.
func (v Values) More(key string) string {
	var more map[string]int
	_ = v.Read("more", &more)
	if more[key] == 0 {
		return ""
	}
	return " … (+" + strconv.Itoa(more[key]) + ")"
}

// Past restores the whole values before the writes of a history, from the newest write back.
type Past struct{ known Values }

// PastOf returns the past of the present values.
func PastOf(present Values) *Past { return &Past{Values{}.With(present)} }

// Back goes back over a write and returns the values before it: without those that only passages
// are known of, because the text after the write is not.
func (p *Past) Back(before, after Values) Values {
	whole := maps.Clone(before)
	for key := range after {
		if _, exists := before[key]; !exists {
			delete(p.known, key)
		}
	}
	for key, value := range before {
		if hasPassage(value) {
			restored, ok := rewrite(value, p.known[key], after[key], restore)
			if !ok {
				delete(whole, key)
				delete(p.known, key)
				continue
			}
			whole[key] = restored
		}
		p.known[key] = whole[key]
	}
	return whole
}

func restore(passage adminapi.Passage, text string, after json.RawMessage) (string, bool) {
	of, isPassage := adminapi.ReadPassage(after)
	if !isPassage {
		return "", false
	}
	return passage.Before(text, of)
}

func hasPassage(value json.RawMessage) bool { return bytes.Contains(value, []byte(`"sha256"`)) }

// rewrite replaces the passages in a value by texts. with gets a passage, and what is at its place
// in two other values: the text in one, the passage in the other. It returns false once with does.
func rewrite(
	value, text, after json.RawMessage, with func(adminapi.Passage, string, json.RawMessage) (string, bool),
) (json.RawMessage, bool) {
	if passage, is := adminapi.ReadPassage(value); is {
		var words string
		_ = json.Unmarshal(text, &words) // anything but a text is ""
		whole, ok := with(passage, words, after)
		encoded, err := json.Marshal(whole)
		return encoded, ok && err == nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) == nil && object != nil {
		texts, afters := ReadValues(text), ReadValues(after)
		for key := range object {
			var ok bool
			if object[key], ok = rewrite(object[key], texts[key], afters[key], with); !ok {
				return nil, false
			}
		}
		encoded, err := json.Marshal(object)
		return encoded, err == nil
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil && list != nil {
		for i := range list { // elements are not followed over writes: their passages are only read
			var ok bool
			if list[i], ok = rewrite(list[i], nil, nil, with); !ok {
				return nil, false
			}
		}
		encoded, err := json.Marshal(list)
		return encoded, err == nil
	}
	return value, true
}

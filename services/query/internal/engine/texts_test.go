package engine

import (
	"encoding/json"
	"slices"
	"testing"
)

func textsOf(answer []byte) (all []string, ok bool) {
	texts, _, ok := Texts(answer, "entry", nil)
	for _, text := range texts {
		all = append(all, string(text))
	}
	return all, ok
}

func TestTexts(t *testing.T) {
	for answer, want := range map[string][]string{
		`{"hits":[],"query":""}`:                                      nil,
		`{"hits":[{"entry":"a"}],"query":""}`:                         {"a"},
		`{"hits":[{"entry":"{\"a\":\"\\\"\"}"},{"entry":""}],"q":""}`: {`{"a":"\""}`, ""},
		`{"hits":[{"entry":"\\"},{"entry":"\\\\\""}]}`:                {`\`, `\\"`},
	} {
		if got, ok := textsOf([]byte(answer)); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %t", answer, got, ok)
		}
	}
	for _, other := range []string{
		``, `{}`, `{"hits":[`, `{"hits":[{}]}`, `{"hits":[{"entry":5}]}`, `{"hits":[{"entry":"a","b":1}]}`, `{"hits":[{"entry":"a\n"}]}`,
		`{"hits":[{"entry":"a`, `{"hits":[{"entry":"a"`, `{"hits":[{"entry":"\`, `{"hits":[{"entry":"a"}`, `{"hits":[{"other":"a"}]}`, `{"query":"","hits":[]}`,
	} {
		if got, ok := textsOf([]byte(other)); ok {
			t.Errorf("%s: %q", other, got)
		}
	}
}

// FuzzTexts: of valid JSON, the texts are the same as by encoding/json; anything else must only not
// panic.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{`{"hits":[{"entry":"a"},{"entry":"\\\""}],"q":1}`, `{"hits":[]}`, `{"hits":[{"entry":"a"},]}`, `{"hits":[{"entry":"\`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		got, ok := textsOf(answer)
		var want struct {
			Hits []struct {
				Entry json.RawMessage `json:"entry"`
			} `json:"hits"`
		}
		if !ok || json.Unmarshal(answer, &want) != nil || len(want.Hits) != len(got) {
			return // also a key that comes twice
		}
		for i, hit := range want.Hits {
			if text, err := AppendText(nil, hit.Entry); err != nil || string(text) != got[i] {
				t.Errorf("hit %d is %q, want %q: %v", i, got[i], text, err)
			}
		}
	})
}

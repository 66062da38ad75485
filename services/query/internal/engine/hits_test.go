package engine

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestHits(t *testing.T) {
	for answer, want := range map[string][]string{
		`{"hits":[],"query":""}`: {},
		`{"hits":[{"a":1}]}`:     {`{"a":1}`},
		`{"query":"\"hits\":[{}]","limit":20,"ok":true,"hits":[{"a":"}\\"},{"b":{"c":[1,"]"]}}],"x":null}`: {`{"a":"}\\"}`, `{"b":{"c":[1,"]"]}}`},
		"\n{ \"hits\" : [ {\"a\":1} , {\"b\":\"\\\"\"} ] } ":                                               {`{"a":1}`, `{"b":"\""}`}, //nolint:gocritic // the blanks are the case
	} {
		hits, err := Hits([]byte(answer))
		if err != nil || len(hits) != len(want) {
			t.Errorf("%s: %q, %v", answer, hits, err)
			continue
		}
		for i, hit := range hits {
			if string(hit) != want[i] {
				t.Errorf("%s: hit %s, want %s", answer, hit, want[i])
			}
		}
	}
	for _, broken := range []string{``, `null`, `{`, `{}`, `[]`, `{"hits"`, `{"hits":`, `{"hits":[`, `{"hits":[{"a":"`, `{"hits":[{"a":1]`, `{"other":[{}]}`, `{"a\`} {
		if hits, err := Hits([]byte(broken)); err == nil {
			t.Errorf("%s: %q", broken, hits)
		}
	}
}

// FuzzHits: of valid JSON, the hits are the ones that encoding/json finds; anything else must only
// not panic.
func FuzzHits(f *testing.F) {
	for _, seed := range []string{`{"hits":[]}`, `{"hits":[{"a":"\\\""},{}],"x":1}`, `{"a":[[{}]],"hits":[{"b":{"c":"]"}}]}`, `{"hits":{}}`, `{"hits":"["}`, `{`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		hits, err := Hits(answer)
		var want struct {
			Hits []map[string]json.RawMessage `json:"hits"`
		}
		if decodeErr := json.Unmarshal(answer, &want); decodeErr != nil || bytes.Count(answer, []byte("hits")) != 1 || !bytes.Contains(answer, []byte(`"hits"`)) {
			return
		}
		if err != nil && len(want.Hits) > 0 {
			return // another key that encoding/json takes for it, or the list is inside
		}
		if err == nil && len(hits) != len(want.Hits) && !bytes.Contains(answer, []byte("null")) {
			t.Fatalf("%d hits, want %d, in %s", len(hits), len(want.Hits), answer)
		}
		for i, hit := range hits {
			var got map[string]json.RawMessage
			if err := json.Unmarshal(hit, &got); err != nil || len(got) != len(want.Hits[i]) {
				t.Errorf("hit %d is %s: %v", i, hit, err)
			}
		}
	})
}

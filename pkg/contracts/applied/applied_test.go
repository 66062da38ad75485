package applied

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestASignalIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	words := json.RawMessage(`"ein langer Text"`)
	want := Signal{Session: "s", Batches: 7, Sequence: 70, Position: 700, Version: "v", Batch: &Batch{
		Records: map[string][]string{"events": {"e"}},
		Dates: []Date{
			{ID: "a", Before: Attributes{"text_words": words, "start_day": json.RawMessage(`20261120`)}, After: Attributes{"text_words": words}},
			{ID: "b", Shown: true, Before: Attributes{"text_words": words}},
			{ID: "c", After: Attributes{"text_words": words}},
		},
	}}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if times := strings.Count(string(data), "langer"); times != 1 {
		t.Errorf("a value that four documents share is sent %d times: %s", times, data)
	}
	var got Signal
	if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func TestABatchThatCannotBeReadMayHaveAlteredAnything(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		`{"dates":[{"id":"a","before":{"x":1}}],"values":["one"]}`,
		`{"dates":[{"id":"a","after":{"x":-1}}],"values":["one"]}`,
	} {
		var b Batch
		if err := json.Unmarshal([]byte(data), &b); err != nil || !b.All || len(b.Dates) > 0 {
			t.Errorf("%s: %+v, %v", data, b, err)
		}
	}
}

package value

import (
	"encoding/json"
	"testing"
)

func TestCount(t *testing.T) {
	for text, want := range map[string]Count{"null": {}, "0": Counted(0), "12": Counted(12)} {
		got := Counted(7)
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s is read as %v, %v", text, got, err)
		}
		if written, err := json.Marshal(got); err != nil || string(written) != text {
			t.Errorf("%s is written as %s, %v", text, written, err)
		}
	}
	for _, text := range []string{`"1"`, "1.5", "true", "[]"} {
		var got Count
		if json.Unmarshal([]byte(text), &got) == nil {
			t.Errorf("%s is read as %v", text, got)
		}
	}
	if n, given := (Count{}).Number(); n != 0 || given || Counted(3).String() != "3" || (Count{}).String() != "" {
		t.Error("an absent count has no number, and no text")
	}
}

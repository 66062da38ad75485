package api

import (
	"testing"

	"litfass/services/query/internal/cache"
)

// TestEachQuestionHasItsKey: also numbers that are no characters, or the same one.
func TestEachQuestionHasItsKey(t *testing.T) {
	seen := map[cache.Key][]any{}
	for _, question := range [][]any{
		{"a", 1}, {"a", 2}, {"a", "1"}, {"a1"}, {"a", 1, true}, {"a", 1, false}, {`a" "b`}, {"a", "b"}, {"a", 0xfffd},
		{"a", 0xd800}, {"a", 0xdfff}, {"a", 0x110000}, {"a", 0x110001}, {"a", -1}, {"a", -2}, {"a\x00"}, {"a\xff"}, {"a\ufffd"},
	} {
		key := source{kind: "list", question: question}.key()
		if other, known := seen[key]; known {
			t.Errorf("%#v has the key of %#v", question, other)
		}
		seen[key] = question
	}
	if (source{kind: "list", question: []any{"a"}}).key() == (source{kind: "lists", question: []any{"a"}}).key() {
		t.Error("two kinds have one key")
	}
}

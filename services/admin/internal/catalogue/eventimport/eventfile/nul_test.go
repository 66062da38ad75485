package eventfile

import "testing"

// TestTextsHaveNoNUL: the database does not store it, and JSON spells it without containing it.
func TestTextsHaveNoNUL(t *testing.T) {
	t.Parallel()
	item, ok := decodeLinked(`{"@id": "a\u0000b", "name": "\u0000Ja\u0000zz"}`)
	if !ok {
		t.Fatal("not read")
	}
	o, _ := item.(object)
	if id, name := textOf(o["@id"]), textOf(o["name"]); id != "ab" || name != "Jazz" {
		t.Errorf("%q, %q", id, name)
	}
}

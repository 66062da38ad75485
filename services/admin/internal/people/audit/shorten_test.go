package audit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
)

// sides returns what an entry holds of a write, and its size in bytes.
func sides(t *testing.T, before, after any) (was, is map[string]json.RawMessage, size int) {
	t.Helper()
	b, a, err := changed(before, after)
	if err != nil {
		t.Fatal(err)
	}
	for side, into := range map[*[]byte]*map[string]json.RawMessage{&b: &was, &a: &is} {
		if *side != nil {
			if err := json.Unmarshal(*side, into); err != nil {
				t.Fatal(err)
			}
		}
	}
	return was, is, len(b) + len(a)
}

// pages returns a text of about 100,000 characters with a word in its middle.
func pages(word string) string {
	half := strings.Repeat("Ein Abend am Hafen, größer als sonst. ", 1_350)
	return half + word + half
}

func passage(t *testing.T, value json.RawMessage) adminapi.Passage {
	t.Helper()
	p, is := adminapi.ReadPassage(value)
	if !is {
		t.Fatalf("%.200s is no passage", value)
	}
	return p
}

// TestLongTextsAreHeldAsPassages: an entry holds what has changed, and the text before the write
// can be restored from the text after it.
func TestLongTextsAreHeldAsPassages(t *testing.T) {
	t.Parallel()
	for name, word := range map[string][2]string{
		"replaced": {"Jazz", "Blues"}, "inserted": {"", "größer "}, "removed": {"Jazz ", ""}, "repeated": {"aa", "aaaa"},
	} {
		text := [2]string{pages(word[0]), pages(word[1])}
		was, is, size := sides(t, map[string]any{"description": text[0], "title": "a"}, map[string]any{"description": text[1], "title": "b"})
		before, after := passage(t, was["description"]), passage(t, is["description"])
		whole, ok := before.Before(text[1], after)
		if !ok || whole != text[0] {
			t.Errorf("%s: the text before is not restored", name)
		}
		if _, ok := before.Before(pages("Rock"), after); ok {
			t.Errorf("%s: a text is restored from another one", name)
		}
		if size > 1_000 || !strings.Contains(before.Passage, word[0]) || !strings.Contains(after.Passage, word[1]) || before.Length != len([]rune(text[0])) {
			t.Errorf("%s: %d bytes, %q to %q of %d", name, size, before.Passage, after.Passage, before.Length)
		}
		if string(was["title"])+string(is["title"]) != `"a""b"` {
			t.Errorf("%s: short texts are %s and %s", name, was["title"], is["title"])
		}
	}
}

// TestTranslationsAreHeldAsPassages: also where only one of several languages has changed.
func TestTranslationsAreHeldAsPassages(t *testing.T) {
	t.Parallel()
	texts := func(danish string) any {
		return map[string]any{"texts": map[string]any{"en": map[string]any{"description": pages("Jazz")}, "da": map[string]any{"description": danish}}}
	}
	was, is, size := sides(t, texts(pages("Jazz")), texts(pages("Blues")))
	var before, after map[string]map[string]json.RawMessage
	for side, into := range map[string]*map[string]map[string]json.RawMessage{string(was["texts"]): &before, string(is["texts"]): &after} {
		if err := json.Unmarshal([]byte(side), into); err != nil {
			t.Fatal(err)
		}
	}
	whole, ok := passage(t, before["da"]["description"]).Before(pages("Blues"), passage(t, after["da"]["description"]))
	if !ok || whole != pages("Jazz") || passage(t, after["en"]["description"]).Passage != "" || size > 2_000 {
		t.Errorf("restored: %t, %d bytes: %s", ok, size, is["texts"])
	}
}

// TestEntriesAreBounded: also entries of new texts, of other texts, of all dates, of many fields.
func TestEntriesAreBounded(t *testing.T) {
	t.Parallel()
	var dates []map[string]any
	for n := range 1_000 {
		dates = append(dates, map[string]any{"uuid": fmt.Sprint(n), "start_date": "2027-01-01", "accessibility_info": strings.Repeat("x", 500)})
	}
	many := map[string]any{}
	for n := range 50 {
		many[fmt.Sprint("field", n)] = strings.Repeat("word ", 700)
	}
	for name, after := range map[string]any{
		"a new text":  map[string]any{"description": strings.Repeat("a", 100_000)},
		"other texts": map[string]any{"description": strings.Repeat("b", 100_000), "summary": strings.Repeat("ä", 100_000)},
		"all dates":   map[string]any{"dates": dates},
		"all fields":  many,
	} {
		for _, before := range []any{nil, map[string]any{"description": strings.Repeat("c", 100_000), "summary": "", "dates": []any{}}} {
			if was, is, size := sides(t, before, after); size > 2*maxSide || len(is) == 0 {
				t.Errorf("%s: %d bytes of %d and %d fields", name, size, len(was), len(is))
			}
		}
	}
	_, is, _ := sides(t, nil, map[string]any{"dates": dates})
	var held []map[string]any
	var more map[string]int
	if json.Unmarshal(is["dates"], &held) != nil || json.Unmarshal(is["more"], &more) != nil || len(held) == 0 || len(held)+more["dates"] != len(dates) {
		t.Errorf("%d dates are held, %v are not", len(held), more)
	}
}

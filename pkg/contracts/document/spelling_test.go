package document

import (
	"slices"
	"strings"
	"testing"
)

func TestSpellingsAreReadAgain(t *testing.T) {
	for _, text := range []string{"Kiel", "kiel", "KIEL", " Kiel ", "Straße 7", "ﬁn", "e\u0301", "１", "日本", "🎷", "a^$#", strings.Repeat("Ä", 100)} {
		spelling := Spelling(text)
		if got := Spelled(spelling); got != text || spelling == "" {
			t.Errorf("%q is written as %q and read as %q", text, spelling, got)
		}
		if strings.ToLower(spelling) != spelling || strings.TrimSpace(spelling) != spelling {
			t.Errorf("the engine folds or trims %q", spelling)
		}
	}
	if Spelling("") != "" || Spelling(strings.Repeat("Ä", 116)) != "" {
		t.Error("no text and a text that is too long have a spelling")
	}
}

func TestATagHasOneSpelling(t *testing.T) {
	got := Spellings([]string{"Jazz", "jazz", "", "STRASSE", "Straße", "open air"})
	if want := []string{Spelling("Jazz"), Spelling("STRASSE"), Spelling("open air")}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Spellings(nil); got == nil || len(got) > 0 {
		t.Errorf("no tags: %q", got)
	}
}

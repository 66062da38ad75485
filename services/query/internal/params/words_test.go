package params

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]struct {
		words string
		count int
	}{
		"jazz":                   {"jazz", 1},
		"  Jazz,  Club! ":        {"Jazz Club", 2},
		`"free jazz" -rock`:      {"free jazz rock", 3},
		"＂free jazz＂ －rock ﹣pop": {"free jazz rock pop", 4},
		"rock'n'roll l’été":      {"rock n roll l été", 5},
		"Köln Straße İstanbul":   {"Köln Straße İstanbul", 3},
		"🎷 Jazz":                 {"🎷 Jazz", 2},
		"a1b2 O2World 3sat":      {"a1b2 O2World 3sat", 3},
		"- + | \" … $ ̈ ـ":       {"", 0},
		"":                       {"", 0},
		"AC/DC & Friends":        {"AC DC Friends", 3},
		"100 % €5":               {"100 €5", 3}, // the engine may part the sign from the number
		"東京 ジャズ":                 {"東京 ジャズ", 5},
		"재즈 페스티벌":                {"재즈 페스티벌", 6},
		"ดนตรี":                  {"ดนตรี", 4}, // the vowel above is a mark
		"العربية مهرجان":         {"العربية مهرجان", 3},
		"abcμab":                 {"abcμab", 3},
		"e\u0301t\u00e9":         {"e\u0301t\u00e9", 1},
		"a\u200cb":               {"a\u200cb", 3},
	} {
		words, count := words(text)
		if got := strings.Join(words, " "); got != want.words || count != want.count {
			t.Errorf("%q: %q, %d, want %q, %d", text, got, count, want.words, want.count)
		}
	}
}

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
		"  Jazz,  Club! ":        {"jazz club", 2},
		`"free jazz" -rock`:      {"free jazz rock", 3},
		"＂free jazz＂ －rock ﹣pop": {"free jazz rock pop", 4},
		"rock'n'roll l’été":      {"rock n roll l été", 5},
		"Köln Straße İstanbul":   {"koln strasse i\u0307stanbul", 3},
		"🎷 Jazz":                 {"🎷 jazz", 2},
		"Jazz🎷":                  {"jazz 🎷", 2},
		"Kino|Bar <em>":          {"kino bar em", 3},
		"20\u00a0Uhr":            {"20 uhr", 2},
		"a1b2 O2World 3sat":      {"a1b2 o2world 3sat", 3},
		"- + | \" … $ ̈ ـ":       {"", 0},
		"":                       {"", 0},
		"AC/DC & Friends":        {"ac dc friends", 3},
		"100 % €5":               {"100 5", 2},
		"東京 ジャズ":                 {"東京 ジャズ", 5},
		"재즈 페스티벌":                {"재즈 페스티벌", 6},
		"ดนตรี":                  {"ดนตรี", 4}, // the vowel above is a mark
		"العربية مهرجان":         {"العربية مهرجان", 3},
		"abcμab":                 {"abcμab", 3},
		"e\u0301t\u00e9":         {"\u00e9t\u00e9", 1},
		"a\u200cb":               {"a\u200cb", 3},
	} {
		words, count := words(text)
		if got := strings.Join(words, " "); got != want.words || count != want.count {
			t.Errorf("%q: %q, %d, want %q, %d", text, got, count, want.words, want.count)
		}
	}
}

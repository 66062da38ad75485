package document

import "testing"

func TestWordsArePartedAtWhatIsNoWord(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		" | ":                        "",
		"Jazz":                       "jazz",
		"Kino|Bar":                   "kino bar",
		"a<em>Kino</em>, Bar":        "a em kino em bar",
		"20\u00a0Uhr\u202f!":         "20 uhr",
		"Hip\u2011Hop & Rock'n'Roll": "hip hop rock n roll",
		"$5=5€~^`x´":                 "5 5 x",
		"kon\u00adzert":              "konzert",
		"\ufeffKon\u2060zert\u200e":  "konzert",
		"zero\u200bwidth\u2028line":  "zero width line",
		"Straße, STRASSE":            "strasse strasse",
		"Cafe\u0301 CAFÉ":            "café café",
		"x\u0303y":                   "x\u0303y",
		"Jazz🎷🎶Nacht 🎷":              "jazz 🎷🎶 nacht 🎷",
		"20°C":                       "20 ° c",
		"👨\u200d👩\u200d👧family":      "👨\u200d👩\u200d👧 family",
		"❤\ufe0fund👋🏽!":              "❤\ufe0f und 👋🏽",
		"می\u200cخواهم":              "می\u200cخواهم",
		"日本語「京都」":                    "日本語 京都",
		"ΣΊΣΥΦΟΣ":                    "σίσυφοσ",
		"a\x00b\tc\nd":               "a b c d",
		"\u0301":                     "",
		"a\u200d \u200db":            "a\u200d b",
	} {
		if got := Words(text); got != want {
			t.Errorf("%q is searched as %q, want %q", text, got, want)
		}
		if twice := Words(want); twice != want {
			t.Errorf("the words %q are searched as %q", want, twice)
		}
	}
}
